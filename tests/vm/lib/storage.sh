# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For cases in which kernels use RDMA: host a is the server, host b the client. They need a kernel for each host, and
# modules that only stock kernels and uml-ulp have.
# shellcheck source=tests/vm/lib/guide.sh
. "$vm_lib/guide.sh"

# both COMMAND...: runs COMMAND on host a, then on host b.
both()
{
	host_a "$@"
	host_b "$@"
}

# storage_up MODULE...: sets up the hosts and loads these modules on both.
storage_up()
{
	[[ -n $VM_PAIR ]] || skip "needs a kernel for each host: scripts/vm run --pair"
	modinfo "$1" >/dev/null 2>&1 || skip "this kernel has no module $1"
	# User-Mode Linux's interface has no larger one.
	[[ $VM_KERNEL != uml* ]] || storage_mtu=1500
	hosts_up "${storage_mtu:-4200}"
	both modprobe -a "$@"
}

# storage_commands SECTION N: set $block to the Nth block of shell commands in a section of the guide, with the address
# of host a.
storage_commands()
{
	block=$(guide_block guides/storage sh "$1" "$2")
	block=${block//ADDRESS/$ip_a}
	step "$block"
}

# flap SECONDS: takes host b's link down for that time. Its IPv6 address goes with it, and comes back.
flap()
{
	step "the link goes down for $1 s"
	host_b ip link set eth0 down
	# A fixed pause: the duration is what is tested, not a condition.
	nap "$1"
	host_b ip link set eth0 up
	host_b ip address replace "$ip6_b/64" dev eth0 nodad
	wait_for 60 host_a ping -c 1 -W 1 -q "$ip_b" >/dev/null
}

# device_del a|b: deletes the RDMA device of that host, which must not wait for those that use it.
device_del()
{
	local pid

	link_del "$1" &
	pid=$!
	wait_for 60 ended "$pid"
	wait "$pid"
	step "deleted"
}

# device_add a|b: adds it again. Then calls "$serve_again a|b" if the case sets that.
device_add()
{
	link_add "$1"
	wait_for 60 gids_ready "$1"
	[[ -z ${serve_again:-} ]] || "$serve_again" "$1"
}

# during COMMAND -- COMMAND...: runs the second command on b in the background, and the first, which
# disturbs it, meanwhile. The second must then finish within $storage_limit seconds.
storage_limit=${storage_limit:-600}
during()
{
	local -a disturb=()
	local pid

	while [[ $1 != -- ]]; do
		disturb+=("$1")
		shift
	done
	shift
	host_b timeout -k 1 "$storage_limit" "$@" >"$OUT/during" 2>&1 &
	pid=$!
	"${disturb[@]}"
	wait "$pid" || { cat "$OUT/during" >&2; fail "$*"; }
}

# parts PART...: the parts of a case about a protocol: part_PART of each. Those below are for all protocols. The case, or
# the library for its kind, has these functions:
#   exchange COMMAND...     exchanges checked data while COMMAND disturbs it
#   delete_device a|b       does so under load, adds it again, and sees that the protocol is usable
#
# The summary of the run says which parts have passed, for the table of scripts/runs-table.
parts()
{
	local part passed=

	for part in "$@"; do
		echo "$passed$part failed" >"$OUT/summary"
		"part_$part"
		passed+="$part passed, "
	done
	echo "${passed%, }" >"$OUT/summary"
}

part_plain()
{
	step "checked data"
	exchange true
}

part_loss()
{
	step "the same with 1 % loss"
	netem a loss 1%
	netem b loss 1%
	exchange true
	netem a off
	netem b off
}

part_flap()
{
	step "the same through a link that goes down"
	exchange flap 3
}

part_delete_b()
{
	step "deleting the client's device under load"
	delete_device b
}

part_delete_a()
{
	step "deleting the server's device under load"
	delete_device a
}
