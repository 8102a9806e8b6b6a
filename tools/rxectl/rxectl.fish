# SPDX-License-Identifier: GPL-2.0
# Completion of rxectl for fish.

function __rxectl_devices
    for parent in /sys/class/infiniband/*/parent
        basename (dirname $parent)
    end
end

function __rxectl_netdevs
    for netdev in /sys/class/net/*/ifindex
        basename (dirname $netdev)
    end
end

complete -c rxectl -f
complete -c rxectl -s j -l json -d 'print JSON'
complete -c rxectl -s p -l pretty -d 'indent JSON'
complete -c rxectl -s h -l help
complete -c rxectl -s V -l version
complete -c rxectl -n '__fish_seen_subcommand_from link' -l if-missing
complete -c rxectl -n '__fish_seen_subcommand_from stats' -l rate
complete -c rxectl -n '__fish_seen_subcommand_from report' -l mask
complete -c rxectl -n '__fish_seen_subcommand_from tune' -l dry-run
complete -c rxectl -n '__fish_seen_subcommand_from tune' -l revert
set -l objects link status gids map mtu qp mr cq pd stats top env monitor test doctor apply diff persist tune report
complete -c rxectl -n "not __fish_seen_subcommand_from $objects" -a "$objects"
complete -c rxectl -n '__fish_seen_subcommand_from link' -a 'add delete show netdev'
complete -c rxectl -n '__fish_seen_subcommand_from gids' -a 'for show'
complete -c rxectl -n '__fish_seen_subcommand_from persist' -a 'delete save'
complete -c rxectl -n '__fish_seen_subcommand_from test' -a 'run server'
complete -c rxectl -n '__fish_seen_subcommand_from tune' -a 'set show'
complete -c rxectl -n '__fish_seen_subcommand_from link status gids map mtu qp mr cq pd stats top env persist' -a '(__rxectl_devices)'
complete -c rxectl -n '__fish_seen_subcommand_from link map apply diff tune' -a '(__rxectl_netdevs)'
