# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Processors of the host that are a guest's own, as a machine's are ("scripts/vm run --pin").

pin_possible()
{
	(($(nproc) >= 2))
}

# pin_share ROLE: of the host's processors, in words of taskset, those of this guest of a pair: one half
# is the first one's, with all its threads, and the other the second one's.
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

# Those that we may use, a line each.
host_processors()
{
	local range

	taskset -pc $$ | sed 's/.*: //' | tr , '\n' | while read -r range; do
		seq "${range%-*}" "${range#*-}"
	done
}

# pin_threads PID N: User-Mode Linux has a thread for each of its N processors, which are its first ones.
# Processes of its programs are bound as the thread that starts them.
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
