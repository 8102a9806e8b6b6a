# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Messages, the cache and locks, shared by every script here.

# shellcheck disable=SC2034 # for those who source this
repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
cache=${RXE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/rdma-rxe}

say()
{
	printf '%s: %s\n' "${0##*/}" "$*" >&2
}

die()
{
	say "$*"
	exit 1
}

# End with status 77: what is asked for is not to be had here.
skip()
{
	say "$*"
	exit 77
}

require_root()
{
	[[ $(id -u) -eq 0 ]] || die "$1 needs root: run it with sudo"
}

require_command()
{
	command -v "$1" >/dev/null || die "$1 is missing: run scripts/setup-packages $2"
}

# take_lock NAME: take a lock of this machine; held until this (sub)shell ends.
take_lock()
{
	local fd

	mkdir -p "$cache/locks"
	exec {fd}>"$cache/locks/$1"
	flock -n "$fd" || { say "waiting for another run ($1)"; flock "$fd"; }
}

# logged LOG COMMAND...: run COMMAND with its output in LOG; on failure, print the end of LOG.
logged()
{
	local log=$1

	shift
	mkdir -p "$(dirname "$log")"
	# In the background, because "if ! function" would switch off errexit inside it.
	"$@" >"$log" 2>&1 </dev/null &
	if ! wait $!; then
		tail -n 40 "$log" >&2
		say "failed: $* (all of it in $log)"
		return 1
	fi
}
