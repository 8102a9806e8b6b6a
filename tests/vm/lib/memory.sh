# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Compare the kernel's memory and objects in use before and after a test: call memory_note, then
# memory_as_noted.

# Bytes in use in the slab caches that the driver and the RDMA core allocate from. KASAN keeps freed objects
# until their cache is shrunk.
slab_bytes()
{
	local cache

	for cache in /sys/kernel/slab/kmalloc-*/shrink; do
		echo 1 >"$cache" 2>/dev/null || true
	done
	awk '/^(kmalloc|rxe_)/ { sum += $2 * $4 } END { printf "%.0f\n", sum }' /proc/slabinfo
}

# slab_grown_by_less BYTES: true if the slab caches have grown by less than BYTES since memory_note.
slab_grown_by_less()
{
	(($(slab_bytes) - noted_slab < $1))
}

# Bytes of memory in use, without the page cache. Free pages in per-CPU lists, which may be tens of
# megabytes, do not count as used.
memory_bytes()
{
	echo 3 >/proc/sys/vm/drop_caches
	awk -v page="$(getconf PAGESIZE)" '
		$1 == "MemTotal:" { sum += $2 * 1024 }
		$1 == "MemFree:" { sum -= $2 * 1024 }
		$1 == "count:" { sum -= $2 * page }
		END { printf "%.0f\n", sum }' /proc/meminfo /proc/zoneinfo
}

# Bytes in pages outside slab caches, such as those of small rings.
page_bytes()
{
	local all

	all=$(memory_bytes)
	awk -v all="$all" '$1 == "Slab:" { printf "%.0f\n", all - $2 * 1024 }' /proc/meminfo
}

# pages_grown_by_less BYTES: the same for these pages.
pages_grown_by_less()
{
	(($(page_bytes) - noted_pages < $1))
}

vmalloc_areas()
{
	grep -c rxe_ /proc/vmallocinfo || true
}

# The module's reference count, and the number of ib_core objects of each kind, by the name of the device: a device that
# is added again has another index.
objects_in_use()
{
	cat /sys/module/rdma_rxe/refcnt
	rdma resource show | sed 's/^[0-9]*: //' | sort
}

# objects_are BEFORE: true if they equal BEFORE, an earlier output of objects_in_use.
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

# memory_as_noted SLAB-BYTES: fails if there are more objects than noted, or the slab caches have grown by
# SLAB-BYTES or more. SLAB-BYTES allows for the kernel's own caches.
memory_as_noted()
{
	wait_until 60 objects_are "$noted_objects" ||
		fail "before: $noted_objects"$'\n'"now: $(objects_in_use)"
	# The connection manager keeps connections for some time after they are closed.
	wait_until 90 slab_grown_by_less "$1" ||
		fail "$noted_slab bytes in slab caches before, $(slab_bytes) now"
	wait_until 60 pages_grown_by_less $((2 << 20)) ||
		fail "$noted_pages bytes in pages before, $(page_bytes) now"
	(($(vmalloc_areas) == noted_areas)) ||
		fail "rings have leaked: $noted_areas areas before, $(vmalloc_areas) now"
}

# Growth of the slab caches since memory_note, for the summary of a case.
slab_growth()
{
	echo $(($(slab_bytes) - noted_slab))
}
