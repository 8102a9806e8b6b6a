#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Makes the devices of /etc/rxe whenever udev has settled, before the root file system is there.
# What rxectl says is kept in /run/initramfs/rxe.log.

mkdir -p /run/initramfs
modprobe -a rdma_rxe ib_uverbs rdma_ucm
/usr/sbin/rxectl apply >>/run/initramfs/rxe.log 2>&1 ||
	warn "rxectl apply failed: see /run/initramfs/rxe.log"
