#!/usr/bin/env -S zsh -f
# SPDX-License-Identifier: GPL-2.0
# completion.zsh FILE: for each line on standard input, print the candidates of an interactive zsh for the
# last word of "rxectl LINE". FILE is the completion. The fake machine has two devices and two interfaces.
zmodload zsh/zpty || exit

directory=$(mktemp -d)
trap 'rm -rf $directory' EXIT
cp $1 $directory/_rxectl
cat >$directory/setup <<'END'
	PS1=
	autoload -Uz compinit
	compinit -D -u
	_rxectl_devices() { print -l rxe0 rxe_red }
	_rxectl_netdevs() { print -l eth0 hsn0 }
	_rxectl_namespaces() { print -l blue red }
	# Record the matches and leave the line unchanged.
	compadd() { local -a matching; builtin compadd -O matching "$@"; offered+=($matching) }
	ask() { offered=(); zle expand-or-complete; print -r -- "<$offered>"; BUFFER= }
	zle -N ask
	bindkey '^I' ask
END

export TERM=dumb
zpty shell zsh -f -i
zpty -w shell "fpath=($directory \$fpath); . $directory/setup"
while IFS= read -r line; do
	zpty -w -n shell "rxectl $line"$'\t'
	zpty -r shell answer '*<*>' || exit
	print -r -- ${${answer##*<}%>*}
done
