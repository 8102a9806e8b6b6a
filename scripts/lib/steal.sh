# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Steal time of this machine's processors (proc_stat(5)), in which its host runs other machines. Programs
# do not run during it: guests read the amount from a file and extend their timeouts.

# Print the steal time of all processors since boot, in ticks of USER_HZ.
steal_ticks()
{
	local _

	read -r _ _ _ _ _ _ _ _ ticks _ </proc/stat
}

# steal_begin FILE: start counting steal time into FILE, in milliseconds.
steal_begin()
{
	local ticks

	steal_file=$1
	steal_ticks
	steal_base=$ticks
	steal_ms=0
	echo 0 >"$steal_file"
}

# Update $steal_ms and the file. Called ten times a second while waiting for guests.
steal_update()
{
	local ticks ms

	steal_ticks
	ms=$(((ticks - steal_base) * 10))
	((ms > steal_ms)) || return 0
	steal_ms=$ms
	echo "$ms" >"$steal_file"
}
