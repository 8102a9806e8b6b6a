# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What every case starts with: . "$(dirname "$0")/lib/case.sh"
#
# A case is a bash script that runs as root in a guest. It fails by exiting with any status
# but 0, and skips by calling skip. It starts with a comment "This test will...".

set -euo pipefail

vm_lib=$VM_REPO/tests/vm/lib

step()
{
	printf '[%6.1f] %s\n' "$(cut -d ' ' -f 1 /proc/uptime)" "$*" >&2
}

fail()
{
	step "FAILED: $*"
	exit 1
}

# summary TEXT: what the run is recorded with, in one line.
summary()
{
	step "$*"
	echo "$*" >"$OUT/summary"
}

skip()
{
	echo "$*"
	exit 77
}

# With --system: ends the case for now, which is started again after a reboot.
reboot_guest()
{
	step "rebooting"
	touch "/run/host/reboot.a"
	exit 0
}

# wait_for SECONDS COMMAND...: until COMMAND succeeds. Fails the case, naming it, when it never does.
wait_for()
{
	wait_until "$@" || fail "after $1 s still not: ${*:2}"
}

# wait_until SECONDS COMMAND...: the same, but returns 1 when the time is up.
wait_until()
{
	local deadline

	deadline=$(($(now_ms) + $1 * 1000))
	shift
	until "$@"; do
		(($(now_ms) < deadline)) || return 1
		nap 0.05
	done
}

# shellcheck source=tests/vm/lib/nap.sh
. "$vm_lib/nap.sh"

# Milliseconds since boot, for measuring: nothing sets this clock.
now_ms()
{
	local up

	read -r up _ </proc/uptime
	up=${up/./}
	echo "$((10#$up * 10))"
}

# within SECONDS COMMAND...: COMMAND, which must succeed in that time.
within()
{
	local limit=$1 status=0

	shift
	timeout -k 1 "$limit" "$@" || status=$?
	((status != 124 && status != 137)) || fail "not done in $limit s: $*"
	return "$status"
}

# ended PID: that process of ours is no more, or a zombie that nobody has waited for yet.
ended()
{
	local state=Z

	kill -0 "$1" 2>/dev/null || return 0
	read -r _ _ state _ 2>/dev/null <"/proc/$1/stat" || true
	[[ $state == Z ]]
}

# stop PID: ends what host_a or host_b runs in the background, and waits for it. PID is a shell's: the
# command is a child of it, or in the other guest, to which it passes the signal.
stop()
{
	pkill -P "$1" || kill "$1" 2>/dev/null || true
	wait "$1" 2>/dev/null || true
}

# Fails unless COMMAND fails.
refused()
{
	! "$@" || fail "succeeded, but must be refused: $*"
}

# in_programs COMMAND...: with the programs and libraries of another Debian release where the case was
# started with --programs. /run is the same on both sides.
in_programs()
{
	if [[ -z $VM_PROGRAMS ]]; then
		"$@"
		return
	fi
	if ! mountpoint -q "$VM_PROGRAMS/proc"; then
		for dir in proc sys dev run; do
			mount --rbind "/$dir" "$VM_PROGRAMS/$dir"
		done
	fi
	chroot "$VM_PROGRAMS" "$@"
}

# shellcheck source=tests/vm/lib/module.sh
. "$vm_lib/module.sh"
# shellcheck source=tests/vm/lib/hosts.sh
. "$vm_lib/hosts.sh"
# shellcheck source=tests/vm/lib/traffic.sh
. "$vm_lib/traffic.sh"
