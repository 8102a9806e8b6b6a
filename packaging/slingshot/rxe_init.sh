#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# rxe_init.sh [NETDEV...]: create an RDMA device on each Slingshot interface (default hsn0) and tune
# the interface: for sites whose boot scripts call it. The device on hsn0 is rxe0. Other sites use a file
# in /etc/rxe and rxe.service.
#
# RXE_WAIT: seconds to wait for each interface's link and algorithmic MAC address, 120 if not set.
set -euo pipefail

PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
buffers=/sys/module/cxi_eth/parameters/large_pkts_buf_count

die()
{
	echo "rxe_init.sh: $*" >&2
	exit 1
}

# Check before changing anything.
check()
{
	local netdev missing=()

	[[ -d /sys/class/cxi ]] || die "there is no Slingshot adapter: load cxi_ss1 and cxi_eth first"
	for netdev; do
		[[ -e /sys/class/net/$netdev ]] || missing+=("$netdev")
	done
	[[ ${#missing[@]} -eq 0 ]] || die "no network interface ${missing[*]}: configure Ethernet first"
	[[ $(cat "$buffers" 2>/dev/null) == 10000 ]] ||
		die "cxi_eth needs large_pkts_buf_count=10000: put" \
			"\"options cxi-eth large_pkts_buf_count=10000\" into /etc/modprobe.d"
	[[ $(id -u) == 0 ]] || die "run it as root"
}

# Tune last: module parameters need the loaded module, and the module is notified of the private flag.
init()
{
	rxectl link add --if-missing "rxe${1//[a-z_]/}" netdev "$1" wait "${RXE_WAIT:-120}"
	rxectl tune "$1" profile slingshot
}

[[ $# -gt 0 ]] || set -- hsn0
check "$@"
for netdev; do
	init "$netdev"
done
rxectl map
