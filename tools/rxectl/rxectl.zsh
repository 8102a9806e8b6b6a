#compdef rxectl
# SPDX-License-Identifier: GPL-2.0
# Completion of rxectl for zsh.

_rxectl()
{
	local -A commands=(link 'add delete show' status show gids 'for show' map show mtu show
		qp show mr show cq show pd show stats show env show monitor show doctor check
		apply run diff show persist 'delete save' report show
		top show test 'run server' tune 'set show')
	local -a given=(${${words[2,CURRENT-1]}:#-*})
	local -a devices=(/sys/class/infiniband/*/parent(N:h:t)) netdevs=(/sys/class/net/*/ifindex(N:h:t))

	if [[ $PREFIX == -* ]]; then
		compadd -- --json --pretty --help --version --if-missing --rate --mask --dry-run --revert
	elif (( ! $#given )); then
		compadd -- ${(k)commands}
	elif [[ $given[1]:$given[2] == link:add || $given[1] == (apply|diff|map|tune) ]]; then
		compadd -- netdev $netdevs
	else
		(( $#given > 1 )) || compadd -- ${=commands[$given[1]]}
		compadd -- $devices
	fi
}

_rxectl "$@"
