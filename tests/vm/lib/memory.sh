# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Compare the kernel's memory and objects in use before and after: memory_note, then
# memory_as_noted.

# Bytes in use in the slab caches that the driver and the RDMA core allocate from. KASAN keeps objects that
# have been freed, until their cache is shrunk.
slab_bytes()
{
	local cache

	for cache in /sys/kernel/slab/kmalloc-*/shrink; do
		echo 1 >"$cache" 2>/dev/null || true
	done
	awk '/^(kmalloc|rxe_)/ { sum += $2 * $4 } END { printf "%.0f\n", sum }' /proc/slabinfo
}

# slab_grown_by_less BYTES
slab_grown_by_less()
{
	(($(slab_bytes) - noted_slab < $1))
}

# Bytes of memory in use, but for caches of files. Free pages that each processor keeps for itself, which
# may be tens of megabytes, are not.
memory_bytes()
{
	echo 3 >/proc/sys/vm/drop_caches
	awk -v page="$(getconf PAGESIZE)" '
		$1 == "MemTotal:" { sum += $2 * 1024 }
		$1 == "MemFree:" { sum -= $2 * 1024 }
		$1 == "count:" { sum -= $2 * page }
		END { printf "%.0f\n", sum }' /proc/meminfo /proc/zoneinfo
}

# Bytes in pages that are not in slab caches: small rings are such.
page_bytes()
{
	local all

	all=$(memory_bytes)
	awk -v all="$all" '$1 == "Slab:" { printf "%.0f\n", all - $2 * 1024 }' /proc/meminfo
}

# pages_grown_by_less BYTES
pages_grown_by_less()
{
	(($(page_bytes) - noted_pages < $1))
}

vmalloc_areas()
{
	grep -c rxe_ /proc/vmallocinfo || true
}

# The module's users, and the number of objects of each kind that ib_core has.
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

memory_note()
{
	noted_objects=$(objects_in_use)
	noted_slab=$(slab_bytes)
	noted_areas=$(vmalloc_areas)
	noted_pages=$(page_bytes)
}

# memory_as_noted SLAB-BYTES: no object more, and no memory but that much in slab caches; the kernel's own need
# some room to breathe.
memory_as_noted()
{
	wait_until 60 objects_are "$noted_objects" ||
		fail "before: $noted_objects"$'\n'"now: $(objects_in_use)"
	# Connections linger for a while on the side of the connection manager.
	wait_until 90 slab_grown_by_less "$1" ||
		fail "$noted_slab bytes in slab caches before, $(slab_bytes) now"
	wait_until 60 pages_grown_by_less $((2 << 20)) ||
		fail "$noted_pages bytes in pages before, $(page_bytes) now"
	(($(vmalloc_areas) == noted_areas)) ||
		fail "rings have leaked: $noted_areas areas before, $(vmalloc_areas) now"
}

# How much slab memory is in use more than noted, for what a case says at its end.
slab_growth()
{
	echo $(($(slab_bytes) - noted_slab))
}
