# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Completion of rxectl for bash.

_rxectl()
{
	local -A commands=([link]='add delete rename show' [status]='show' [gids]='for show' [map]='show'
		[mtu]='show' [qp]='show' [mr]='show' [cq]='show' [pd]='show' [stats]='show'
		[env]='show' [monitor]='show' [doctor]='check' [apply]='run'
		[diff]='show' [persist]='delete save' [report]='show' [top]='show'
		[test]='run server' [tune]='set show' [params]='show' [cdi]='show write')
	local current=${COMP_WORDS[COMP_CWORD]} previous='' word
	local -a words=()

	COMPREPLY=()
	# Words before the cursor, without options, their values and the program name.
	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		[[ $word == -* || $previous == -@(n|-netns|c|-color|-format|-root) ]] || words+=("$word")
		previous=$word
	done

	case $previous in
	-n | --netns)
		mapfile -t COMPREPLY < <(compgen -W "$(_rxectl_namespaces)" -- "$current")
		return
		;;
	--root)
		mapfile -t COMPREPLY < <(compgen -d -- "$current")
		return
		;;
	--format)
		mapfile -t COMPREPLY < <(compgen -W 'openmetrics prometheus' -- "$current")
		return
		;;
	-c | --color)
		mapfile -t COMPREPLY < <(compgen -W 'always auto never' -- "$current")
		return
		;;
	esac
	if [[ $current == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "--json --pretty --netns --color --help --version
			$(_rxectl_options "${words[0]-}")" -- "$current")
		return
	fi

	case "${#words[@]} ${words[*]:0:2}" in
	0*)
		mapfile -t COMPREPLY < <(compgen -W "${!commands[*]}" -- "$current")
		;;
	1*)
		[[ -n ${commands[${words[0]}]:-} ]] || return
		# The command is optional, so its first argument may be here.
		mapfile -t COMPREPLY < <(compgen -W \
			"${commands[${words[0]}]} $(_rxectl_names "${words[0]}")" -- "$current")
		;;
	'2 diff show' | '2 apply run' | '2 tune set')
		mapfile -t COMPREPLY < <(compgen -W "$(_rxectl_netdevs)" -- "$current")
		;;
	'2 params show' | '2 cdi show') ;;
	'2 map show')
		mapfile -t COMPREPLY < <(compgen -W "$(_rxectl_names map)" -- "$current")
		;;
	'2 '*' del'* | '2 '*' show' | '2 persist save' | '2 doctor check' | '2 link rename')
		mapfile -t COMPREPLY < <(compgen -W "$(_rxectl_devices)" -- "$current")
		;;
	'2 link add')
		mapfile -t COMPREPLY < <(compgen -W 'netdev' -- "$current")
		;;
	'3 link add')
		if [[ ${words[2]} == netdev ]]; then
			mapfile -t COMPREPLY < <(compgen -W "$(_rxectl_netdevs)" -- "$current")
			return
		fi
		mapfile -t COMPREPLY < <(compgen -W 'netdev' -- "$current")
		;;
	'4 link add')
		[[ ${words[3]} == netdev ]] || return
		mapfile -t COMPREPLY < <(compgen -W "$(_rxectl_netdevs)" -- "$current")
		;;
	esac
}

# _rxectl_options OBJECT: options of its commands.
_rxectl_options()
{
	case $1 in
	link) echo --if-missing --if-exists ;;
	stats) echo --rate --format ;;
	status) echo --watch ;;
	report) echo --mask ;;
	apply) echo --check --late --root ;;
	diff) echo --root ;;
	tune) echo --dry-run --revert --force --root ;;
	esac
}

# _rxectl_names OBJECT: candidates for its first argument.
_rxectl_names()
{
	case $1 in
	apply | diff | tune) _rxectl_netdevs ;;
	map) _rxectl_devices && _rxectl_netdevs ;;
	link | status | gids | mtu | qp | mr | cq | pd | stats | env | persist | top | doctor) _rxectl_devices ;;
	esac
}

# Only software RDMA devices have the attribute "parent".
_rxectl_devices()
{
	local parent

	for parent in /sys/class/infiniband/*/parent; do
		[[ ! -e $parent ]] || basename "${parent%/parent}"
	done
}

_rxectl_netdevs()
{
	local netdev

	for netdev in /sys/class/net/*/ifindex; do
		[[ ! -e $netdev ]] || basename "${netdev%/ifindex}"
	done
}

_rxectl_namespaces()
{
	local namespace

	for namespace in /run/netns/*; do
		[[ ! -e $namespace ]] || basename "$namespace"
	done
}

complete -F _rxectl rxectl
