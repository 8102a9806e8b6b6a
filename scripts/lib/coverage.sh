# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Lines of sources that tests execute, from the output of gcov. Needs common.sh.

# coverage_count SOURCE FILE: gcov's output on objects of SOURCE comes in and is kept in FILE. Prints SOURCE, the number
# of its lines that were reached, and of those with code. A line counts as reached when one object reached it.
coverage_count()
{
	tee "$2" | awk -F: -v name="$1" '
		$0 ~ /-: +0:Source:/ { mine = index($0, "/" name) && $0 ~ name "$" }
		mine && $1 !~ /-/ { known[$2 + 0] = 1; if ($1 !~ /#|=/) hit[$2 + 0] = 1 }
		END { for (n in known) { total++; reached += n in hit } print name, reached + 0, total + 0 }'
}

# coverage_table WHAT GOAL: a line for each source, and a total, which has to reach GOAL %.
coverage_table()
{
	awk -v what="$1" -v goal="$2" '
		$3 { printf "  %-26s %5d of %5d lines  %5.1f %%\n", $1, $2, $3, 100 * $2 / $3; hit += $2; all += $3 }
		END { printf "coverage of %s: %.1f %% of %d lines (goal %d)\n", what, 100 * hit / all, all, goal
		      exit 100 * hit / all < goal }'
}
