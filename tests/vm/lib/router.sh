# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# A router between the hosts a and b, in a namespace of its own: the hosts do not see its queues.
#
#   a eth0 --- to_a, near_a, mid_a --- mid_b, near_b, to_b --- eth0 b
#
# near_a and near_b are bridges. Packets for b wait for the bottleneck at mid_a, and are delayed at to_b; those for a
# at mid_b and to_a. Packets of the hosts arrive as on a wire, that is, as single ones: the hosts' interfaces segment.

# wire_up_by_router: instead of wire_up. Interface indexes differ, which siw needs.
wire_up_by_router()
{
	local role

	ip netns add router
	ip -n router link add mid_a type veth peer name mid_b
	for role in a b; do
		ip netns add "$role"
		ip -n router link add "to_$role" type veth peer name eth0 netns "$role" \
			index "$([[ $role == a ]] && echo 101 || echo 102)"
		ip -n router link add "near_$role" type bridge
		ip -n router link set "to_$role" master "near_$role" up
		ip -n router link set "mid_$role" master "near_$role" up
		ip -n router link set "near_$role" up
		on "$role" ethtool -K eth0 tso off gso off gro off >/dev/null
	done
}

# bottleneck MBIT BUFFER [QDISC ARGS...]: both ways, a line of this rate behind a queue of BUFFER bytes, or behind
# this qdisc. The token bucket holds 1 ms, but at least 10 packets: a guest's timers may be late.
bottleneck()
{
	local mbit=$1 buffer=$2 port burst

	shift 2
	burst=$((mbit * 125))
	((burst > 15140)) || burst=15140
	for port in mid_a mid_b; do
		# A replaced token bucket would keep the qdisc inside.
		ip netns exec router tc qdisc delete dev "$port" root 2>/dev/null || true
		ip netns exec router tc qdisc add dev "$port" root handle 1: \
			tbf rate "${mbit}mbit" burst "$burst" limit "$buffer"
		(($# == 0)) || ip netns exec router tc qdisc add dev "$port" parent 1:1 handle 10: "$@"
	done
}

# router_delay US: the round-trip time of an empty path, half of it each way.
router_delay()
{
	local port

	for port in to_a to_b; do
		ip netns exec router tc qdisc replace dev "$port" root netem delay "$(($1 / 2))us" limit 100000
	done
}

# router_counts a|b: packets that the bottleneck has sent towards that host, and those that it has dropped or marked.
router_counts()
{
	ip netns exec router tc -s -j qdisc show dev "$([[ $1 == a ]] && echo mid_b || echo mid_a)" |
		python3 -c 'import json, sys
queues = json.load(sys.stdin)
print(queues[0]["packets"], max(q["drops"] for q in queues), max(q.get("marked", 0) for q in queues))'
}
