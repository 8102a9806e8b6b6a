# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Host a of a pair as a pod of the first guest: in a network namespace, with an interface above the guest's. The RDMA
# device is the guest's.

# pod_up macvlan|ipvlan|vlan: before hosts_up. With a VLAN, host b is in it, too.
pod_up()
{
	local -a kind=("$1")

	case $1 in
	macvlan) kind+=(mode bridge) ;;
	ipvlan) kind+=(mode l2) ;;
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
