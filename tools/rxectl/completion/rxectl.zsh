#compdef rxectl
# SPDX-License-Identifier: GPL-2.0
# Completion of rxectl for zsh.

# Only software RDMA devices have the attribute "parent".
(( $+functions[_rxectl_devices] )) ||
_rxectl_devices()
{
	print -l /sys/class/infiniband/*/parent(N:h:t)
}

(( $+functions[_rxectl_netdevs] )) ||
_rxectl_netdevs()
{
	print -l /sys/class/net/*/ifindex(N:h:t)
}

(( $+functions[_rxectl_namespaces] )) ||
_rxectl_namespaces()
{
	print -l /run/netns/*(N:t)
}

# _rxectl_options OBJECT: options of its commands.
(( $+functions[_rxectl_options] )) ||
_rxectl_options()
{
	case $1 in
	link) print -- --if-missing --if-exists ;;
	stats) print -- --rate --format ;;
	status) print -- --watch ;;
	report) print -- --mask ;;
	apply) print -- --check --late --root ;;
	diff) print -- --root ;;
	tune) print -- --dry-run --revert --force --root ;;
	esac
}

# _rxectl_names OBJECT: candidates for its first argument.
(( $+functions[_rxectl_names] )) ||
_rxectl_names()
{
	case $1 in
	apply | diff | tune) _rxectl_netdevs ;;
	map) _rxectl_devices && _rxectl_netdevs ;;
	link | status | gids | mtu | qp | mr | cq | pd | stats | env | persist | top | doctor) _rxectl_devices ;;
	esac
}

_rxectl()
{
	local -A commands=(link 'add delete rename show' status show gids 'for show' map show mtu show
		qp show mr show cq show pd show stats show env show monitor show doctor check
		apply run diff show persist 'delete save' report show
		top show test 'run server' tune 'set show' params show cdi 'show write')
	# Words before the cursor, without options, their values and the program name.
	local -a given
	local word previous=

	for word in ${words[2,CURRENT-1]}; do
		[[ $word == -* || $previous == -(n|-netns|c|-color|-format|-root) ]] || given+=($word)
		previous=$word
	done
	case $previous in
	-n | --netns)
		compadd -- $(_rxectl_namespaces)
		return
		;;
	--root)
		_files -/
		return
		;;
	--format)
		compadd -- openmetrics prometheus
		return
		;;
	-c | --color)
		compadd -- always auto never
		return
		;;
	esac
	if [[ $PREFIX == -* ]]; then
		compadd -- --json --pretty --netns --color --help --version $(_rxectl_options $given[1])
		return
	fi
	case "$#given $given[1,2]" in
	0*) compadd -- ${(k)commands} ;;
	# The command is optional, so its first argument may be here.
	1*) compadd -- ${=commands[$given[1]]} $(_rxectl_names $given[1]) ;;
	'2 diff show' | '2 apply run' | '2 tune set') compadd -- $(_rxectl_netdevs) ;;
	'2 params show' | '2 cdi show') ;;
	'2 map show') compadd -- $(_rxectl_names map) ;;
	'2 '*' del'* | '2 '*' show' | '2 persist save' | '2 doctor check' | '2 link rename') compadd -- $(_rxectl_devices) ;;
	'2 link add') compadd -- netdev ;;
	'3 link add')
		if [[ $given[3] == netdev ]]; then
			compadd -- $(_rxectl_netdevs)
		else
			compadd -- netdev
		fi
		;;
	'4 link add') [[ $given[4] != netdev ]] || compadd -- $(_rxectl_netdevs) ;;
	esac
}

_rxectl "$@"
