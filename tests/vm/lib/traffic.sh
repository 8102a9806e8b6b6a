# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Programs between the two hosts: server on a, client on b. The case fails unless both succeed. $traffic_limit
# bounds each run in seconds.

traffic_limit=${traffic_limit:-120}
traffic_port=18600

# listening a|b PORT: true if a TCP socket listens on PORT.
listening()
{
	on "$1" ss -Hltn "sport = :$2" | grep -q .
}

# cm_listening a|b PORT: true if the RDMA connection manager listens on PORT.
cm_listening()
{
	on "$1" rdma resource show cm_id | grep -q "state LISTEN.*:$2\b"
}

# host_state a|b: prints diagnostics for a failure: reasons why packets may have been lost.
host_state()
{
	step "counters of rxe_$1 that are not 0, neighbours and queues of $1:"
	{
		where_devices_show "$1" grep -rv '^0$' "/sys/class/infiniband/rxe_$1/ports/1/hw_counters" |
			sed 's,.*/,,'
		on "$1" ip -s neighbour show dev eth0
		on "$1" tc -s qdisc show dev eth0
	} >&2 || true
}

# between_when READY-COMMAND... -- SERVER-COMMAND... -- CLIENT-COMMAND...: starts the client when
# READY-COMMAND succeeds. Prints the client's output, and both outputs on failure. Fails if either program
# reports invalid data: the programs of rdma-core then end with status 0.
between_when()
{
	local -a ready=() server=()
	local pid status=0 dir

	while [[ $1 != -- ]]; do
		ready+=("$1")
		shift
	done
	shift
	while [[ $1 != -- ]]; do
		server+=("$1")
		shift
	done
	shift
	dir=$(mktemp -d)
	host_a timeout -k 1 "$traffic_limit" "${server[@]}" >"$dir/server" 2>&1 &
	pid=$!
	wait_until 60 true_or_ended "$pid" "${ready[@]}" || status=1
	host_b timeout -k 1 "$traffic_limit" "$@" >"$dir/client" 2>&1 || status=$?
	# After a failed client, the server would wait forever.
	((status == 0)) || pkill -P "$pid" || true
	wait "$pid" || ((status)) || status=1
	! grep -q "invalid data" "$dir/server" "$dir/client" || status=1
	cat "$dir/client"
	if ((status != 0)); then
		step "status $status from: $*; it said:"
		cat "$dir/client" >&2
		step "and the server (${server[*]}):"
		cat "$dir/server" >&2
		host_state a
		host_state b
	fi
	rm -rf "$dir"
	return "$status"
}

# true_or_ended PID COMMAND...: also true if the server has exited: the client then fails with an error that
# says more than a timeout.
true_or_ended()
{
	"${@:2}" || ended "$1"
}

# between SERVER-COMMAND... -- CLIENT-COMMAND...: the same, with a port of their own appended to both (-p
# PORT); ready when the server listens on it.
between()
{
	local -a server=()

	while [[ $1 != -- ]]; do
		server+=("$1")
		shift
	done
	shift
	traffic_port=$((traffic_port + 1))
	between_when listening a "$traffic_port" -- "${server[@]}" -p "$traffic_port" -- \
		"$1" -p "$traffic_port" "${@:2}"
}

# pingpong ARGS...: RC messages to and fro by tests/vm/prog/checked_pingpong: both ends check every byte. Uses
# IPv4 GIDs unless $gid_family is 6.
pingpong()
{
	pingpong_with "$VM_PROG/checked_pingpong" "$@"
}

# pingpong_with PROGRAM ARGS...: runs another program with the same options, such as "ibv_uc_pingpong -c". With
# -c, those of rdma-core compare one byte of each page with 0, at the server, after the last message.
pingpong_with()
{
	local program=$1 server client

	shift
	server=$(gid_index a "${gid_family:-4}")
	client=$(gid_index b "${gid_family:-4}")
	# The two programs always connect over IPv4.
	between "$program" -d rxe_a -g "$server" "$@" -- \
		"$program" -d rxe_b -g "$client" "$@" "$ip_a"
}

# traffic_start ARGS...: starts a pingpong that goes on until traffic_stop, and waits until it is under way.
traffic_start()
{
	local -a checked=("$VM_PROG/checked_pingpong" -n 0)

	traffic_port=$((traffic_port + 1))
	checked+=(-p "$traffic_port" "$@")
	host_a "${checked[@]}" -d rxe_a -g "$(gid_index a "${gid_family:-4}")" &
	traffic_server=$!
	wait_for 20 listening a "$traffic_port"
	host_b "${checked[@]}" -d rxe_b -g "$(gid_index b "${gid_family:-4}")" "$ip_a" &
	traffic_client=$!
	traffic_goes_on
}

# traffic_goes_on: waits until the client has received more packets, which it does only if it sends, too. Fails
# if either end has ended.
traffic_goes_on()
{
	goes_on b rcvd_pkts 1000
	if ended "$traffic_server" || ended "$traffic_client"; then
		fail "the traffic has ended"
	fi
}

# traffic_stop: ends the traffic. Fails unless both ends have succeeded, and found all data as it was sent.
traffic_stop()
{
	signal "$traffic_client"
	wait "$traffic_client" || fail "the client has failed"
	wait "$traffic_server" || fail "the server has failed"
}

capture_is_on()
{
	[[ -s $2 ]] && on "$1" ip -d link show eth0 | grep -q 'promiscuity [1-9]'
}

# capture_start a|b FILE FILTER [OPTION...]: captures the host's packets that tcpdump's filter matches, until
# capture_stop, which loses the last ones unless --immediate-mode is given. That loses some of a burst. With two guests,
# each host has a file of its own.
capture_start()
{
	on "$1" tcpdump -q -i eth0 -s 0 -U -w "$2" "${@:4}" "$3" 2>/dev/null &
	capture_pid=$!
	wait_for 20 capture_is_on "$1" "$2"
}

capture_stop()
{
	stop "$capture_pid"
}

# captured FILE: prints the number of packets in a capture.
captured()
{
	tcpdump -r "$1" 2>/dev/null | wc -l
}

# goes_on a|b COUNTER N: waits until the counter of the host's device has grown by more than N.
goes_on()
{
	wait_for 20 more_than "$(($(hw_counter "$1" "$2") + $3))" hw_counter "$1" "$2"
}

# Local ACK timeout code of the IBTA. An emulated host on a busy machine may not answer within perftest's 67
# ms, and the in-tree driver of 6.1 assigns wrong PSNs once it has rewound behind the peer's ACK. So a
# second there.
ack_timeout=14
[[ $VM_KERNEL == uml* ]] || ack_timeout=18

# perftest PROGRAM ARGS...: runs PROGRAM, for example "perftest ib_write_bw -s 65536 -n 100".
perftest()
{
	local program=$1 server client

	shift
	server=$(gid_index a "${gid_family:-4}")
	client=$(gid_index b "${gid_family:-4}")
	between "$program" -F -u "$ack_timeout" -d rxe_a -x "$server" "$@" -- \
		"$program" -F -u "$ack_timeout" -d rxe_b -x "$client" "$@" "$ip_a"
}
