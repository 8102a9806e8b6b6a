# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The kernel's SCSI target (LIO) on host a, which is this guest.

lio=/sys/kernel/config/target
lio_backend=$lio/core/rd_mcp_0/disk

# lio_disk: makes a disk of 64 MiB in memory.
lio_disk()
{
	mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
	mkdir -p "$lio_backend"
	echo rd_pages=16384 >"$lio_backend/control"
	echo 1 >"$lio_backend/enable"
}
