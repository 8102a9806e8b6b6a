# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What of the kernel's memory and objects is in use, to be compared before and after.

# Bytes in use in the slab caches that the driver and the RDMA core allocate from.
slab_bytes()
{
	awk '/^(kmalloc|rxe_)/ { sum += $2 * $4 } END { printf "%.0f\n", sum }' /proc/slabinfo
}

# slab_grown_by_less BEFORE BYTES
slab_grown_by_less()
{
	echo 1 >/sys/kernel/slab/kmalloc-64/shrink 2>/dev/null || true
	(($(slab_bytes) - $1 < $2))
}

vmalloc_areas()
{
	grep -c rxe_ /proc/vmallocinfo || true
}

# Who uses the module, and how many objects of each kind the core knows.
objects_in_use()
{
	cat /sys/module/rdma_rxe/refcnt
	rdma resource show
}

# objects_are BEFORE, which objects_in_use has printed
objects_are()
{
	[[ $(objects_in_use) == "$1" ]]
}
