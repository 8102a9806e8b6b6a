# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Common part of all cases, which start with: . "$(dirname "$0")/../../lib/case.sh"
#
# A case is a bash script that runs as root in a guest. It fails by exiting with a status other
# than 0, and skips by calling skip. It starts with a comment "This test will...".

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

# summary TEXT: the result that is recorded with the run, in one line.
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

# needs_program NAME GROUP: fails if the program, of the GROUP of scripts/setup-packages, is not installed. Tests that
# are missing are no success.
needs_program()
{
	[[ -n $(type -P "$1") ]] || fail "$1 is not installed: scripts/setup-packages $2"
}

# kernel_before VERSION: true if this kernel is older, and lacks what that version brought.
kernel_before()
{
	local release

	release=$(uname -r)
	[[ ${release%%[!0-9.]*} != "$1" && $(printf '%s\n' "${release%%[!0-9.]*}" "$1" | sort -V | head -n 1) != "$1" ]]
}

# With --system: ends this run of the case. The case is started again after a reboot.
reboot_guest()
{
	step "rebooting"
	touch "/run/host/reboot.a"
	exit 0
}

# reboot_by COMMANDS: the same, by commands that reboot the machine themselves.
reboot_by()
{
	local commands=$1

	step "$commands"
	echo "$commands" >/run/host/reboot.a
	# systemd stops the case.
	trap 'exit 0' TERM
	bash -ec "$commands"
	wait_for 300 false
}

# wait_for SECONDS COMMAND...: waits until COMMAND succeeds. Fails the case, naming COMMAND, at the time
# limit.
wait_for()
{
	wait_until "$@" || fail "after $1 s still not: ${*:2}"
}

# wait_until SECONDS COMMAND...: the same, but returns 1 at the time limit.
wait_until()
{
	local clock_ms given_ms patience=$(($1 * 1000)) wait_began

	read_clock
	wait_began=$given_ms
	shift
	until "$@"; do
		! spent "$patience" "$wait_began" || return 1
		nap 0.05
	done
}

# shellcheck source=tests/vm/lib/sleep.sh
. "$vm_lib/sleep.sh"

# Steal time: milliseconds that the guest's processors did not run. The host writes the file.
steal_file=/run/host/steal

# Sets $clock_ms, milliseconds since boot (a monotonic clock), and $given_ms, $clock_ms less the steal time,
# without starting a process. Time limits count $given_ms, so that a guest whose processors are stopped does
# not appear slow.
read_clock()
{
	local up stolen

	read -r up _ </proc/uptime
	up=${up/./}
	clock_ms=$((10#$up * 10))
	# The file is empty while it is written.
	until read -r stolen <"$steal_file"; do
		nap 0.01
	done
	given_ms=$((clock_ms - stolen))
}

# Milliseconds since boot, for measurements.
now_ms()
{
	local clock_ms given_ms

	read_clock
	echo "$clock_ms"
}

# spent MS SINCE: true if $given_ms has increased by more than MS since it was SINCE.
spent()
{
	local clock_ms given_ms end

	read_clock
	((given_ms - $2 > $1)) || return 1
	# The steal time of this moment is reported shortly after it.
	end=$clock_ms
	nap 0.5
	read_clock
	((end - (clock_ms - given_ms) - $2 > $1))
}

# within SECONDS COMMAND...: COMMAND must succeed in that time.
within()
{
	local clock_ms given_ms limit=$1 status=0 began

	read_clock
	began=$given_ms
	shift
	# End hanging commands, too. The steal time is assumed never to exceed four times the limit.
	timeout -k 1 $((limit * 5)) "$@" || status=$?
	! spent $((limit * 1000)) "$began" || fail "not done in $limit s: $*"
	return "$status"
}

# ended PID: true if this child process has exited, also if it is a zombie that has not been waited for.
ended()
{
	local state=Z

	kill -0 "$1" 2>/dev/null || return 0
	read -r _ _ state _ 2>/dev/null <"/proc/$1/stat" || true
	[[ $state == Z ]]
}

# more_than N COMMAND...: true if COMMAND prints a larger number.
more_than()
{
	(($("${@:2}") > $1))
}

# signal PID: sends SIGTERM to a command that host_a or host_b runs in the background. PID is a shell: the
# command is its child, or runs in the other guest, to which the shell passes the signal.
signal()
{
	pkill -P "$1" || kill "$1" 2>/dev/null || true
}

# stop PID: ends such a command and waits for it.
stop()
{
	signal "$1"
	wait "$1" 2>/dev/null || true
}

# refused COMMAND...: fails unless COMMAND fails.
refused()
{
	! "$@" || fail "succeeded, but must be refused: $*"
}

# in_programs COMMAND...: runs COMMAND with the programs and libraries of another Debian release if the case
# was started with --programs. Both see the same /run.
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
