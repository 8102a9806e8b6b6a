# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For cases in which kernels use RDMA: host a is the server, host b the client. They need a kernel for each host, and
# modules that only stock kernels and uml-ulp have.

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

# guide_block SECTION N: set $block to the Nth block of shell commands in a section of docs/guides/storage.md, with the
# address of host a.
guide_block()
{
	block=$(awk -v section="## $1" -v n="$2" '/^## / { inside = $0 == section } !inside { next }
		/^```/ { if (code) code = 0; else { blocks += $0 == "```sh"; code = $0 == "```sh" && blocks == n }; next }
		code' "$VM_REPO/docs/guides/storage.md")
	[[ -n $block ]] || fail "the guide has no commands ($2) in \"$1\""
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
