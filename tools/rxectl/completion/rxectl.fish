# SPDX-License-Identifier: GPL-2.0
# Completion of rxectl for fish.

# Only software RDMA devices have the attribute "parent".
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

function __rxectl_namespaces
    for namespace in /run/netns/*
        basename $namespace
    end
end

# Words before the cursor, without options, their values and the program name.
function __rxectl_given
    set -l previous ''
    for word in (commandline -opc)[2..-1]
        if not string match -q -- '-*' $word
            and not contains -- $previous -n --netns -c --color --format --root
            echo $word
        end
        set previous $word
    end
end

# __rxectl_on OBJECT...: true if the first word is one of them.
function __rxectl_on
    contains -- (__rxectl_given)[1] $argv
end

# __rxectl_commands OBJECT
function __rxectl_commands
    switch $argv[1]
        case link
            printf '%s\n' add delete rename show
        case gids
            printf '%s\n' for show
        case persist
            printf '%s\n' delete save
        case test
            printf '%s\n' run server
        case tune
            printf '%s\n' set show
        case cdi
            printf '%s\n' show write
        case doctor
            echo check
        case apply
            echo run
        case status map mtu qp mr cq pd stats env monitor diff report top params
            echo show
    end
end

# __rxectl_names OBJECT: candidates for its first argument.
function __rxectl_names
    switch $argv[1]
        case apply diff tune
            __rxectl_netdevs
        case map
            __rxectl_devices
            __rxectl_netdevs
        case link status gids mtu qp mr cq pd stats env persist top doctor
            __rxectl_devices
    end
end

# Candidates after the words before the cursor.
function __rxectl_words
    set -l given (__rxectl_given)
    switch (count $given)" $given[1..2]"
        case '0 *'
            printf '%s\n' link status gids map mtu qp mr cq pd stats top env monitor test doctor \
                apply diff persist tune cdi params report
        case '1 *'
            # The command is optional, so its first argument may be here.
            __rxectl_commands $given[1]
            __rxectl_names $given[1]
        case '2 diff show' '2 apply run' '2 tune set'
            __rxectl_netdevs
        case '2 params show' '2 cdi show'
            true
        case '2 map show'
            __rxectl_names map
        case '2 * del*' '2 * show' '2 persist save' '2 doctor check' '2 link rename'
            __rxectl_devices
        case '2 link add'
            echo netdev
        case '3 link add'
            if test $given[3] = netdev
                __rxectl_netdevs
            else
                echo netdev
            end
        case '4 link add'
            if test $given[4] = netdev
                __rxectl_netdevs
            end
    end
end

complete -c rxectl -f -a '(__rxectl_words)'
complete -c rxectl -s j -l json -d 'print JSON'
complete -c rxectl -s p -l pretty -d 'indent JSON'
complete -c rxectl -s n -l netns -x -a '(__rxectl_namespaces)' -d 'run in a network namespace'
complete -c rxectl -s c -l color -x -a 'always auto never' -d 'when to print colors'
complete -c rxectl -s h -l help
complete -c rxectl -s V -l version
complete -c rxectl -n '__rxectl_on link' -l if-missing
complete -c rxectl -n '__rxectl_on link' -l if-exists
complete -c rxectl -n '__rxectl_on stats' -l rate
complete -c rxectl -n '__rxectl_on stats' -l format -x -a 'openmetrics prometheus'
complete -c rxectl -n '__rxectl_on status' -l watch
complete -c rxectl -n '__rxectl_on report' -l mask
complete -c rxectl -n '__rxectl_on apply' -l check
complete -c rxectl -n '__rxectl_on apply' -l late
complete -c rxectl -n '__rxectl_on apply diff tune' -l root -x -a '(__fish_complete_directories)'
complete -c rxectl -n '__rxectl_on tune' -l dry-run
complete -c rxectl -n '__rxectl_on tune' -l revert
complete -c rxectl -n '__rxectl_on tune' -l force
