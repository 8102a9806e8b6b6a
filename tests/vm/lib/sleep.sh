# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Short pauses between two checks of a condition. Each "sleep" would start a process, which is slow in guests, and on
# the host for a shell as large as that of scripts/vm.

exec {nap_fd}<> <(:)

# nap SECONDS: sleeps without starting a process.
nap()
{
	read -rt "$1" -u "$nap_fd" || true
}
