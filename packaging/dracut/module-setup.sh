#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Adds RDMA devices to an initramfs of dracut, for a root file system that is accessed through them.
# Only if the administrator enables it: touch /etc/rxe/initramfs && dracut --force
# shellcheck disable=SC2154 # dracut's own variables

check()
{
	[[ -x $dracutsysrootdir@SBINDIR@/rxectl && -e $dracutsysrootdir/etc/rxe/initramfs ]] ||
		return 255
}

installkernel()
{
	# The configuration may name devices that do not exist at present.
	hostonly='' instmods rdma_rxe ib_uverbs rdma_ucm rpcrdma nvme_rdma
}

install()
{
	inst @SBINDIR@/rxectl /usr/sbin/rxectl
	inst_multiple modprobe mkdir
	inst_multiple -o "$dracutsysrootdir"/etc/rxe/*.conf
	inst_hook initqueue/settled 50 "$moddir/rxe.sh"
	dracut_need_initqueue
}
