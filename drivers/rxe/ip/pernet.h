/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Per network namespace state (pernet): the list of the devices whose packets it carries, and the
 * UDP sockets that receive them.
 */
#ifndef RXE_PERNET_H
#define RXE_PERNET_H

#include <linux/types.h>

struct net;
struct rxe_dev;
struct socket;

/**
 * struct rxe_net - state of a network namespace
 * @devs: devices, linked by rxe_dev.net_node; written under a mutex of pernet.c, read under RCU
 * @sock4: IPv4 socket; exists while @devs is not empty (udp_sock.c)
 * @sock6: IPv6 socket, or NULL if the system has no IPv6
 */
struct rxe_net {
	struct list_head devs;
	struct socket *sock4;
	struct socket *sock6;
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

#endif
