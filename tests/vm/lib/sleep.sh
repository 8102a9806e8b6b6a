# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Short pauses between two checks of a condition. Each "sleep" would start a process, which is slow on an
# emulated CPU.

exec {nap_fd}<> <(:)

# nap SECONDS: sleeps without starting a process.
nap()
{
	read -rt "$1" -u "$nap_fd" || true
}
