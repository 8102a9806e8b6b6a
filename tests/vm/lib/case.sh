# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Common part of all cases, which start with: . "$(dirname "$0")/../../lib/case.sh"
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

# Milliseconds that the processors of the host's machine were taken from it; the host writes them.
steal_file=/run/host/steal

# Reads, without a process of its own: $clock_ms, milliseconds since boot, which nothing sets, and $given_ms,
# those that the machine has given us. Limits are of these: a guest whose processors stand still is not slow.
read_clock()
{
	local up stolen

	read -r up _ </proc/uptime
	up=${up/./}
	clock_ms=$((10#$up * 10))
	# Empty while it is being written.
	until read -r stolen <"$steal_file"; do
		nap 0.01
	done
	given_ms=$((clock_ms - stolen))
}

# Milliseconds since boot, for measuring.
now_ms()
{
	local clock_ms given_ms

	read_clock
	echo "$clock_ms"
}

# spent MS SINCE: more than MS have been given since $given_ms was SINCE.
spent()
{
	local clock_ms given_ms end

	read_clock
	((given_ms - $2 > $1)) || return 1
	# What was taken just now is known a moment later.
	end=$clock_ms
	nap 0.5
	read_clock
	((end - (clock_ms - given_ms) - $2 > $1))
}

# within SECONDS COMMAND...: COMMAND, which must succeed in that time.
within()
{
	local clock_ms given_ms limit=$1 status=0 began

	read_clock
	began=$given_ms
	shift
	# Hangs end, too; five times the limit is beyond what any machine takes away.
	timeout -k 1 $((limit * 5)) "$@" || status=$?
	! spent $((limit * 1000)) "$began" || fail "not done in $limit s: $*"
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
