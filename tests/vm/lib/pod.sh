# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Host a of a pair as a pod of the first guest: in a network namespace, with an interface above the guest's. The RDMA
# device is the guest's.
# shellcheck disable=SC2154 # ip_a, ip6_a: hosts.sh

# The pod of an ipvlan interface of mode l3 or l3s is reached through its node, whose addresses are these.
pod_gateway4=192.168.7.9 pod_gateway6=fd07::9

# pod_up macvlan|ipvlan|ipvlan-l3|ipvlan-l3s|vlan: before hosts_up. With a VLAN, host b is in it, too.
pod_up()
{
	local -a kind=("$1")

	case $1 in
	macvlan) kind+=(mode bridge) ;;
	ipvlan) kind+=(mode l2) ;;
	ipvlan-l3*) kind=(ipvlan mode "${1#ipvlan-}") ;;
	vlan) kind+=(id 7) ;;
	esac
	wire_up
	ip link set eth0 up
	ip netns add pod
	ip link add link eth0 name net1 type "${kind[@]}"
	ip link set net1 netns pod name eth0
	netdev_b=eth0
	if [[ $1 == vlan ]]; then
		netdev_b=wire
		host_b ip link set eth0 name wire
		host_b ip link set wire up
		host_b ip link add link wire name eth0 type vlan id 7
	fi

	if [[ $1 == ipvlan-l3* ]]; then
		routes_up()
		{
			ip address add "$pod_gateway4/24" dev eth0
			ip address add "$pod_gateway6/64" dev eth0 nodad
			host_b ip route add "$ip_a/32" via "$pod_gateway4"
			host_b ip route add "$ip6_a/128" via "$pod_gateway6"
			host_a ip route add default dev eth0
			host_a ip -6 route add default dev eth0
		}
	fi

	host_a()
	{
		ip netns exec pod "$@"
	}

	link_add()
	{
		case $1 in
		a) rdma link add rxe_a type rxe netdev eth0 ;;
		b) host_b rdma link add rxe_b type rxe netdev "$netdev_b" ;;
		esac
	}
}
