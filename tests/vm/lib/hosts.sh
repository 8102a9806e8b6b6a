# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Two hosts, a and b, connected by a wire: two network namespaces of this guest, or two guests, the first of
# which is this one. Cases call "host_a COMMAND" and "host_b COMMAND" and run on both.
#
# Each host has the netdev eth0 with $ip_a or $ip_b, $ip6_a or $ip6_b, and the RDMA device
# rxe_a or rxe_b. COMMAND is a program, not a shell function.

ip_a=192.168.7.1 ip_b=192.168.7.2
# shellcheck disable=SC2034 # read by name: see addresses_up
ip6_a=fd07::1 ip6_b=fd07::2

host_a()
{
	if [[ -n $VM_PAIR ]]; then "$@"; else ip netns exec a "$@"; fi
}

host_b()
{
	if [[ -n $VM_PAIR ]]; then remote "$@"; else ip netns exec b "$@"; fi
}

# on a|b COMMAND...: runs COMMAND on that host.
on()
{
	"host_$1" "${@:2}"
}

# remote COMMAND...: runs COMMAND in the second guest, through "agent". Prints its output when it has exited
# and returns its status. If remote is killed in the background, it kills COMMAND.
remote()
{
	local job

	job=$(mktemp -d /run/host/jobs/XXXXXXXX)
	printf '%q ' "$@" >"$job/new"
	mv "$job/new" "$job/command"
	# shellcheck disable=SC2064 # the value of now
	trap "touch '$job/kill'" TERM
	until [[ -e $job/status ]]; do
		nap 0.05
	done
	trap - TERM
	cat "$job/output"
	return "$(cat "$job/status")"
}

# hosts_up [MTU]: sets up the wire, addresses, the module and a link on each host.
hosts_up()
{
	wire_up
	addresses_up "${1:-1500}"
	hosts_load_module
	links_up
}

# links_up: adds a link on each host and waits until its addresses are in the GID table.
links_up()
{
	link_add a
	link_add b
	wait_for 60 gids_ready a
	wait_for 60 gids_ready b
}

# wire_up [INDEX-A INDEX-B]: connects the hosts; the arguments are the interface indexes in the namespaces.
# By default, both have the same index.
wire_up()
{
	if [[ -n $VM_PAIR ]]; then
		wait_for 60 test -e /sys/class/net/eth0
		wait_for 60 test -e /run/host/ready.b
	else
		ip netns add a
		ip netns add b
		ip -n a link add eth0 ${1:+index "$1"} type veth peer name eth0 ${2:+index "$2"} netns b
	fi
	wire_without
}

# Switches off the interface features in $VM_WITHOUT. A veth interface with GRO receives by NAPI polling of
# a ring, as network cards do, instead of synchronously with the sender.
wire_without()
{
	local shortcut

	for shortcut in $VM_WITHOUT; do
		case $shortcut in
		gso) both_interfaces tso off gso off ;;
		gro) both_interfaces gro off ;;
		peer) both_interfaces tso off gso off gro on ;;
		esac
	done
}

addresses_up()
{
	local mtu=$1 role address address6

	for role in a b; do
		address=ip_$role address6=ip6_$role
		no_duplicate_detection "$role"
		on "$role" sh -ec "ip link set lo up
			ip link set eth0 mtu $mtu up
			ip address add ${!address}/24 dev eth0
			ip address add ${!address6}/64 dev eth0 nodad"
	done
	routes_up
	addresses_reach
}

# For hosts whose addresses are not of one link.
routes_up()
{
	:
}

# no_duplicate_detection a|b: makes IPv6 addresses usable at once. While a link-local address is tentative,
# for 1 to 2 s, RDMA programs cannot connect over IPv6: the kernel then resolves neighbours only for
# packets, not for the connection manager.
no_duplicate_detection()
{
	# shellcheck disable=SC2016 # the inner shell's
	on "$1" sh -c 'for accept in /proc/sys/net/ipv6/conf/*/accept_dad; do
			echo 0 >"$accept"
		done'
}

# Waits until the hosts reach each other.
addresses_reach()
{
	# An emulated host on a busy machine may answer the first packet late.
	wait_until 60 host_a ping -c 1 -W 3 -q "$ip_b" >/dev/null || wire_report
	wait_until 60 host_a ping -c 1 -W 3 -q "$ip6_b" >/dev/null || wire_report
}

# Prints diagnostics for hosts that do not reach each other.
wire_report()
{
	local role

	for role in a b; do
		step "host $role:"
		on "$role" ip -s -d link show dev eth0
		on "$role" ip address show dev eth0
		on "$role" ip neighbour
	done
	fail "the hosts do not reach each other"
}

# In a pair, each side has its own kernel and may have a different module.
hosts_load_module()
{
	module_loaded || module_load
	[[ -z $VM_PAIR ]] || host_b "$vm_lib/load-module"
}

# both_interfaces FEATURE on|off...: sets features of both hosts' interfaces by ethtool.
both_interfaces()
{
	host_a ethtool -K eth0 "$@"
	host_b ethtool -K eth0 "$@"
}

# link_add a|b [NAME]: adds an RDMA device on eth0, with rxectl if it is built.
link_add()
{
	local name=${2:-rxe_$1}

	if [[ -n $(type -P rxectl) ]]; then
		on "$1" rxectl link add "$name" netdev eth0
	else
		on "$1" rdma link add "$name" type rxe netdev eth0
	fi
}

# link_del a|b [NAME]: deletes it.
link_del()
{
	on "$1" rdma link del "${2:-rxe_$1}"
}

# True if the device has a GID for each of the host's two addresses. Every case waits for this, so it starts few
# processes.
gids_ready()
{
	local wanted family4

	gid_pattern "$1" 4
	family4=$wanted
	gid_pattern "$1" 6
	# shellcheck disable=SC2016 # the inner shell's
	on "$1" sh -c 'cd /sys/class/infiniband/rxe_'"$1"'/ports/1/gids &&
		grep -sq "$0" ? 1? && grep -sq "$1" ? 1?' "$family4" "$wanted" 2>/dev/null
}

# gid_pattern a|b 4|6: set $wanted to a regular expression for the GID of the host's address.
gid_pattern()
{
	case $1$2 in
	a4) wanted=':0000:ffff:c0a8:0701$' ;;
	b4) wanted=':0000:ffff:c0a8:0702$' ;;
	a6) wanted='fd07:.*:0001$' ;;
	b6) wanted='fd07:.*:0002$' ;;
	esac
}

# gid_index a|b 4|6: index of the GID of the host's address. Searches the first 20 entries only: tables have
# up to 1000, which takes an emulated CPU a second.
gid_index()
{
	local wanted

	gid_pattern "$1" "$2"
	# shellcheck disable=SC2016 # the inner shell's
	on "$1" sh -c 'cd /sys/class/infiniband/rxe_'"$1"'/ports/1/gids && grep -sl "$0" ? 1?' \
		"$wanted" 2>/dev/null | head -n 1
}

# Verbs objects of programs, one a line. Objects of the kernel have no process.
program_objects()
{
	local object

	for object in ctx pd mr cq srq qp cm_id; do
		rdma resource show "$object" || true
	done 2>/dev/null | grep ' pid '
}

no_program_objects()
{
	! program_objects
}

queue_pairs_gone()
{
	! rdma resource show qp | grep -q 'type [RU]C'
}

# where_devices_show a|b COMMAND...: runs COMMAND where /sys/class/infiniband contains that host's devices.
# With one kernel, the initial namespace shows the devices of all namespaces, so this works even after the
# host's namespace is deleted.
where_devices_show()
{
	if [[ -n $VM_PAIR ]]; then on "$@"; else "${@:2}"; fi
}

# hw_counter a|b NAME: value of that hardware counter of the host's device.
hw_counter()
{
	where_devices_show "$1" cat "/sys/class/infiniband/rxe_$1/ports/1/hw_counters/$2"
}

# stack_received FAMILIES [COMMAND...]: number of skbs that the IP layer has received. FAMILIES are 4, 6 or
# 46. COMMAND is the prefix that runs the query on a host; without it, the query runs here.
stack_received()
{
	ip_packets 4 Ip6InReceives "$@"
}

# stack_sent FAMILIES [COMMAND...]: number of skbs that the IP layer has been asked to send.
stack_sent()
{
	ip_packets 11 Ip6OutRequests "$@"
}

# ip_packets FIELD4 NAME6 FAMILIES [COMMAND...]: sum of the families' counters: FIELD4 for IPv4, NAME6 for
# IPv6.
ip_packets()
{
	# shellcheck disable=SC2016 # awk's
	"${@:4}" awk -v field="$1" -v name="$2" -v families="$3" '
		families ~ 4 && /^Ip: [0-9]/ { sum += $field }
		families ~ 6 && $1 == name { sum += $2 }
		END { print sum }' /proc/net/snmp /proc/net/snmp6
}

# track_connections a|b: adds a firewall, table t, that accepts packets of tracked connections.
track_connections()
{
	on "$1" nft -f - <<-END
		table inet t {
			chain input {
				type filter hook input priority 0; policy drop;
				ct state established accept
				udp dport 4791 ct state new accept
				meta l4proto { tcp, icmpv6 } accept
			}
		}
	END
}

# netem a|b ARGS...: replaces the netem qdisc of the host's interface; "netem a off" removes it.
netem()
{
	if [[ $2 == off ]]; then
		on "$1" tc qdisc del dev eth0 root
	else
		on "$1" tc qdisc replace dev eth0 root netem "${@:2}"
	fi
}

# set_mtu MTU: changes the MTU of both interfaces while they are up.
set_mtu()
{
	host_a ip link set eth0 mtu "$1"
	host_b ip link set eth0 mtu "$1"
}
