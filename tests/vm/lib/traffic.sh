# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Programs of rdma-core and perftest between the two hosts: server on a, client on b, the case's
# result being that both succeed. $traffic_limit bounds each run in seconds.

traffic_limit=${traffic_limit:-120}
traffic_port=18600

# listening a|b PORT
listening()
{
	on "$1" ss -Hltn "sport = :$2" | grep -q .
}

# between SERVER-COMMAND -- CLIENT-COMMAND: runs both with a port of their own appended (-p PORT);
# the client starts when the server listens. Prints the client's output; shows all on failure.
between()
{
	local -a server=() client
	local pid status=0 dir

	while [[ $1 != -- ]]; do
		server+=("$1")
		shift
	done
	shift
	client=("$@")
	dir=$(mktemp -d)
	traffic_port=$((traffic_port + 1))
	host_a timeout -k 1 "$traffic_limit" "${server[@]}" -p "$traffic_port" >"$dir/server" 2>&1 &
	pid=$!
	wait_until 20 listening_or_gone "$pid" a "$traffic_port" || status=1
	host_b timeout -k 1 "$traffic_limit" "${client[0]}" -p "$traffic_port" "${client[@]:1}" \
		>"$dir/client" 2>&1 || status=$?
	# A client that failed leaves a server that would wait for ever.
	((status == 0)) || pkill -P "$pid" || true
	wait "$pid" || ((status)) || status=1
	cat "$dir/client"
	if ((status != 0)); then
		step "status $status from: ${client[*]}; it said:"
		cat "$dir/client" >&2
		step "and the server (${server[*]}):"
		cat "$dir/server" >&2
	fi
	rm -rf "$dir"
	return "$status"
}

# Also true when the server has ended: the client's error then says more than a time limit.
listening_or_gone()
{
	! kill -0 "$1" 2>/dev/null || listening "$2" "$3"
}

# pingpong ARGS...: ibv_rc_pingpong with both sides checking the data (-c), over IPv4 GIDs unless
# $gid_family is 6.
pingpong()
{
	pingpong_with ibv_rc_pingpong -c "$@"
}

# pingpong_with PROGRAM ARGS...: another program of the same kind.
pingpong_with()
{
	local program=$1 server client

	shift
	server=$(gid_index a "${gid_family:-4}")
	client=$(gid_index b "${gid_family:-4}")
	# The two programs find each other over IPv4 in any case.
	between "$program" -d rxe_a -g "$server" "$@" -- \
		"$program" -d rxe_b -g "$client" "$@" "$ip_a"
}

# Local ACK timeout, as its exponent. An emulated host on a busy machine may not answer within
# perftest's 67 ms, and the in-tree driver of 6.1 numbers packets wrongly once it has gone back
# further than the peer's ACK. So a second there.
ack_timeout=14
[[ $VM_KERNEL == uml* ]] || ack_timeout=18

# perftest PROGRAM ARGS...: such as "perftest ib_write_bw -s 65536 -n 100".
perftest()
{
	local program=$1 server client

	shift
	server=$(gid_index a "${gid_family:-4}")
	client=$(gid_index b "${gid_family:-4}")
	between "$program" -F -u "$ack_timeout" -d rxe_a -x "$server" "$@" -- \
		"$program" -F -u "$ack_timeout" -d rxe_b -x "$client" "$@" "$ip_a"
}
