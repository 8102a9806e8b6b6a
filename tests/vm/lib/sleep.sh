# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Short pauses between two looks at a condition. "sleep" would be a process each, which an
# emulated CPU pays dearly for.

exec {nap_fd}<> <(:)

# nap SECONDS
nap()
{
	read -rt "$1" -u "$nap_fd" || true
}
