#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Creates the devices of /etc/rxe each time udev has settled, before the root file system is mounted.
# The output of rxectl is kept in /run/initramfs/rxe.log.

mkdir -p /run/initramfs
modprobe -a rdma_rxe ib_uverbs rdma_ucm
/usr/sbin/rxectl apply >>/run/initramfs/rxe.log 2>&1 ||
	warn "rxectl apply failed: see /run/initramfs/rxe.log"
