# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Commands and files that documents show. A GUIDE is a page of docs without ".md", such as guides/ci.

# guide_block GUIDE KIND SECTION [N]: print the first or Nth block of that kind ("" for none) below that heading.
guide_block()
{
	local text

	text=$(awk -v fence="\`\`\`$2" -v section="$3" -v n="${4:-1}" '
		!open && /^#+ / { inside = substr($0, index($0, " ") + 1) == section; next }
		/^ *```/ {
			if (open) { open = code = 0; next }
			open = 1
			indent = index($0, "`")
			code = inside && substr($0, indent) == fence && ++blocks == n
			next
		}
		code { print substr($0, indent) }' "$VM_REPO/docs/$1.md")
	[[ -n $text ]] || fail "$1.md has no block \"$2\" (${4:-1}) in \"$3\""
	echo "$text"
}

# guide_commands GUIDE: print the commands of all blocks for the root shell, each in one line.
guide_commands()
{
	awk '{ sub(/^ +/, "") }
		/^```/ { inside = $0 == "```console"; next }
		!inside { next }
		sub(/^# /, "") || more { more = sub(/\\$/, ""); printf "%s%s", $0, more ? "" : "\n" }' "$VM_REPO/docs/$1.md"
}
