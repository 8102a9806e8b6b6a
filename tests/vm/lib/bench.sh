# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Measuring: for the cases bench and bench_apps, which set $round, $mtu, $drivers, $driver, $parameters and
# $figure_limit. A driver is "ours", "in-tree", "siw", "tcp" or "udp".
# shellcheck disable=SC2154 # the case sets them

# The hosts' interfaces.
declare -A netdev=([a]=eth0 [b]=eth0)

# If each of the guest's two processors has one of the host's ("scripts/vm run --pin"), each host's programs
# are bound to one of them, and so are the processes in which User-Mode Linux runs them.
if [[ -n $VM_PIN && -z $VM_PAIR ]]; then
	host_a()
	{
		ip netns exec a taskset -c 0 "$@"
	}

	host_b()
	{
		ip netns exec b taskset -c 1 "$@"
	}
fi

# figure COMMAND...: runs a measurement in a separate process, with a time limit: programs that hang in the
# kernel cannot be killed and are left behind. Waits without polling: polling on the same processor, or on an
# emulated one, would distort the figure.
figure()
{
	local pid limit first

	# Do not reuse ports that such a program may still hold.
	traffic_port=$((traffic_port + 50)) rstream_port=$((rstream_port + 50))
	set -m
	"$@" &
	pid=$!
	set +m
	nap "$figure_limit" &
	limit=$!
	wait -n -p first "$pid" "$limit" || true
	if [[ $first == "$limit" ]]; then
		step "$driver: given up after $figure_limit s: $*"
		kill -KILL -- "-$pid"
	else
		kill "$limit"
	fi
	wait "$pid" "$limit" || true
}

# record NAME UNIT VALUE [X]: records a figure of $driver in $round; with X, a point of a curve. Programs that
# failed or were killed print nothing, 0 or inf.
record()
{
	local value=null setup=namespaces

	[[ ! $3 =~ ^[0-9]*\.?[0-9]+$ || $3 =~ ^[0.]+$ ]] || value=$3
	[[ -z $VM_PAIR ]] || setup=pair
	printf '{"kernel":"%s","setup":"%s","mtu":%d,"round":%d,"driver":"%s","name":"%s","unit":"%s","value":%s,"x":%s}\n' \
		"$VM_KERNEL" "$setup" "$mtu" "$round" "$driver" "$1" "$2" "$value" "${4:-null}" \
		>>"$OUT/bench.jsonl"
	step "$driver: $1${4:+ [$4]}: $value $2"
}

# each_kernel COMMAND...: runs it once per kernel; a pair has two.
each_kernel()
{
	host_a "$@"
	[[ -z $VM_PAIR ]] || host_b "$@"
}

# The "driver" is a baseline without an RDMA device.
is_a_socket()
{
	[[ $driver == tcp || $driver == udp ]]
}

driver_up()
{
	local role

	! is_a_socket || return 0
	case $driver in
	siw) each_kernel modprobe siw ;;
	ours) each_kernel "$vm_lib/load-module" "${parameters[@]}" ;;
	in-tree) each_kernel env VM_MODULE=in-tree "$vm_lib/load-module" ;;
	esac
	for role in a b; do
		if [[ $driver == siw ]]; then
			on "$role" rdma link add "rxe_$role" type siw netdev "${netdev[$role]}"
		else
			on "$role" rdma link add "rxe_$role" type rxe netdev "${netdev[$role]}"
			wait_for 60 gids_ready "$role"
		fi
	done
}

driver_down()
{
	! is_a_socket || return 0
	link_del a
	link_del b
	each_kernel rmmod "$([[ $driver == siw ]] && echo siw || echo rdma_rxe)"
}

# The guest ends with the last driver, whether or not it can be removed.
leave_driver()
{
	local pid

	[[ $driver != "${drivers[-1]}" ]] || return 0
	driver_down &
	pid=$!
	wait_until 30 ended "$pid" || fail "the driver $driver cannot be removed"
	wait "$pid"
}
