/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Per network namespace state (pernet): the list of the devices whose packets it carries, and the
 * UDP sockets that receive them.
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
 * struct rxe_net - state of a network namespace
 * @devs: devices, linked by rxe_dev.net_node; written under a mutex of pernet.c, read under RCU
 * @socks: sockets of the default VRF; they exist while @devs is not empty (udp_sock.c)
 * @vrfs: sockets of the other VRFs, struct rxe_vrf.node; written under the mutex. Whether the list
 *	is empty is read without it
 */
struct rxe_net {
	struct list_head devs;
	struct rxe_sock_pair socks;
	struct list_head vrfs;
};

/* Register and unregister the pernet operations. Context: module init and exit. */
int rxe_net_init(void);
void rxe_net_exit(void);

/* Return the state of @net. */
struct rxe_net *rxe_net(struct net *net);

/* Return the list rxe_net.devs of @net. Context: RCU read lock held to walk it. */
struct list_head *rxe_net_devs(struct net *net);

/**
 * rxe_net_attach() - add a device to the list of a namespace
 * @net: namespace of the device's network interface
 * @dev: device; dev->net is set
 * @open: called for the first device of @net, before it is added; the mutex is held
 *
 * Context: process; takes a mutex.
 * Return: 0, or the error of @open.
 */
int rxe_net_attach(struct net *net, struct rxe_dev *dev, int (*open)(struct net *net));

/**
 * rxe_net_detach() - remove a device from the list of a namespace
 * @net: namespace that @dev has been attached to
 * @dev: device
 * @close: called when the last device of @net has been removed; the mutex is held
 *
 * Context: process; takes a mutex, and waits for an RCU grace period: no reader of the list reaches
 * @dev when it returns.
 */
void rxe_net_detach(struct net *net, struct rxe_dev *dev, void (*close)(struct net *net));

/**
 * rxe_net_update() - change the sockets of a namespace that has devices
 * @ndev: interface that has been added or is being removed
 * @update: called with the mutex held, unless the namespace of @ndev has no devices
 *
 * Context: process; takes a mutex.
 */
void rxe_net_update(struct net_device *ndev,
		    void (*update)(struct net *net, struct net_device *ndev));

#endif
