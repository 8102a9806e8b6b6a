# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Pinning of guests to processors of the host ("scripts/vm run --pin").

pin_possible()
{
	(($(nproc) >= 2))
}

# pin_share ROLE: print this guest's share of the host's processors as a list for taskset. Each guest of a
# pair gets one half, with all threads of its cores.
pin_share()
{
	local -a all

	mapfile -t all < <(host_processors)
	if [[ $1 == a ]]; then
		all=("${all[@]::${#all[@]}/2}")
	else
		all=("${all[@]:${#all[@]}/2}")
	fi
	(IFS=, && echo "${all[*]}")
}

# Print the processors that this process may use, one per line.
host_processors()
{
	local range

	taskset -pc $$ | sed 's/.*: //' | tr , '\n' | while read -r range; do
		seq "${range%-*}" "${range#*-}"
	done
}

# pin_threads PID N: User-Mode Linux has a thread for each of its N processors, which are its first ones.
# Its processes inherit the affinity of the thread that starts them.
pin_threads()
{
	local pid=$1 n=$2 i
	local -a threads=() all

	mapfile -t all < <(host_processors)
	while ((${#threads[@]} < n)); do
		[[ -d /proc/$pid ]] || return 0
		mapfile -t threads < <(find "/proc/$pid/task" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort -n)
		sleep 0.01
	done
	for ((i = 0; i < n; i++)); do
		taskset -pc "${all[i % ${#all[@]}]}" "${threads[i]}" >/dev/null
	done
}
