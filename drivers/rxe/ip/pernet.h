/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Per network namespace state (pernet): the devices whose packets it carries, its members, and the
 * UDP sockets that receive them. A device is a member of the namespace of its interface, and of
 * those of the interfaces stacked upon it, such as the macvlan interfaces of pods (rx/netns.h).
 */
#ifndef RXE_PERNET_H
#define RXE_PERNET_H

#include <linux/types.h>

struct net;
struct net_device;
struct rxe_dev;
struct socket;

/**
 * struct rxe_sock_pair - a socket for each address family
 * @v4: IPv4 socket
 * @v6: IPv6 socket, or NULL if the system has no IPv6
 */
struct rxe_sock_pair {
	struct socket *v4;
	struct socket *v6;
};

/**
 * struct rxe_net_member - membership of a device in a network namespace
 * @net_node: in rxe_net.members; written under a mutex of pernet.c, read under RCU
 * @dev_node: in rxe_dev.nets; under rxe_links_lock
 * @dev: device
 * @net: namespace, without a reference: its exit waits until it has no members
 * @wanted: an interface of @dev is in @net; under rxe_links_lock
 */
struct rxe_net_member {
	struct list_head net_node;
	struct list_head dev_node;
	struct rxe_dev *dev;
	struct net *net;
	bool wanted;
};

/**
 * struct rxe_net - state of a network namespace
 * @members: its devices, struct rxe_net_member.net_node
 * @socks: sockets of the default VRF; they exist while @members is not empty (udp_sock.c)
 * @vrfs: sockets of the other VRFs, struct rxe_vrf.node; written under the mutex. Whether the list
 *	is empty is read without it
 */
struct rxe_net {
	struct list_head members;
	struct rxe_sock_pair socks;
	struct list_head vrfs;
};

/* Register and unregister the pernet operations. Context: module init and exit. */
int rxe_net_init(void);
void rxe_net_exit(void);

/* Return the state of @net. */
struct rxe_net *rxe_net(struct net *net);

/* Return the list rxe_net.members of @net. Context: RCU read lock held to walk it. */
struct list_head *rxe_net_members(struct net *net);

/* Return the membership of @dev in @net, or NULL. Context: RCU read lock or the mutex held. */
struct rxe_net_member *rxe_net_find(struct net *net, const struct rxe_dev *dev);

/**
 * rxe_net_join() - make a device a member of a namespace, or find it to be one
 * @net: namespace of an interface of the device; RTNL keeps it there
 * @dev: device
 * @open: called for the first member of @net, before it is added; the mutex is held
 *
 * The membership is marked as wanted.
 *
 * Context: process, RTNL and rxe_links_lock held; takes a mutex.
 * Return: 0, -ENOMEM, or the error of @open.
 */
int rxe_net_join(struct net *net, struct rxe_dev *dev, int (*open)(struct net *net));

/**
 * rxe_net_leave() - end the memberships of a device that are not wanted
 * @dev: device
 * @forget: called after the device has been removed from the lists, the mutex held: the paths of
 *	the device are not to use these namespaces any more
 * @close: called for each namespace that has lost its last member; the mutex is held
 *
 * Context: process, rxe_links_lock held; takes a mutex, and waits for an RCU grace period if there
 * are any: no reader of the lists reaches @dev when it returns.
 * Return: true if it has waited.
 */
bool rxe_net_leave(struct rxe_dev *dev, void (*forget)(struct rxe_dev *dev),
		   void (*close)(struct net *net));

/**
 * rxe_net_update() - change the sockets of a namespace that has members
 * @ndev: interface that has been added or is being removed
 * @update: called with the mutex held, unless the namespace of @ndev has no members
 *
 * Context: process; takes a mutex.
 */
void rxe_net_update(struct net_device *ndev,
		    void (*update)(struct net *net, struct net_device *ndev));

#endif
