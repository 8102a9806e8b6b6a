# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Time that this machine's own host has taken from its processors (proc_stat(5), "steal"). Programs stand
# still meanwhile and are not to blame for it: guests read how much it was in a file, and wait longer.

# Ticks of USER_HZ, all processors together, since boot.
steal_ticks()
{
	local _

	read -r _ _ _ _ _ _ _ _ ticks _ </proc/stat
}

# steal_begin FILE: from now on, in milliseconds.
steal_begin()
{
	local ticks

	steal_file=$1
	steal_ticks
	steal_base=$ticks
	steal_ms=0
	echo 0 >"$steal_file"
}

# Brings $steal_ms and the file up to date. Who waits for guests calls it ten times a second.
steal_update()
{
	local ticks ms

	steal_ticks
	ms=$(((ticks - steal_base) * 10))
	((ms > steal_ms)) || return 0
	steal_ms=$ms
	echo "$ms" >"$steal_file"
}
