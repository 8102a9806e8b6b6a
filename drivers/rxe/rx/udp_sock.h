/* SPDX-License-Identifier: GPL-2.0 */
/*
 * UDP sockets for port 4791: one for IPv4 and one for IPv6 in each network namespace that has RDMA
 * devices, and two more for each of its VRFs. They are opened for the first device and closed after
 * the last.
 */
#ifndef RXE_UDP_SOCK_H
#define RXE_UDP_SOCK_H

struct net;
struct net_device;
struct rxe_dev;

/**
 * rxe_sock_attach() - receive and send for a device in a namespace
 * @net: namespace of the device's network interface
 * @dev: device, added to the namespace's list; dev->net is set
 *
 * Context: process, RTNL held; takes a mutex.
 * Return: 0, or -errno of the socket calls (-EADDRINUSE: another driver or program holds UDP port
 * 4791).
 */
int rxe_sock_attach(struct net *net, struct rxe_dev *dev);

/**
 * rxe_sock_detach() - undo rxe_sock_attach()
 * @dev: device; nothing happens if it is attached to no namespace
 *
 * When it returns, dev->net is NULL, the receive path does not reach the device, and its endpoints
 * neither have a cached route of the namespace nor look one up.
 *
 * Context: process; takes a mutex, and waits for an RCU grace period.
 */
void rxe_sock_detach(struct rxe_dev *dev);

/**
 * rxe_sock_renumber() - follow an interface that got another index in another namespace
 * @dev: device
 * @old: index of its interface in the namespace that @dev was detached from
 * @new: index in the namespace that @dev has been attached to
 *
 * Paths whose source address belongs to the interface use the new index: QPs live on if the address
 * is assigned again in time.
 *
 * Context: process.
 */
void rxe_sock_renumber(struct rxe_dev *dev, int old, int new);

/**
 * rxe_sock_vrf_added() - receive from the interfaces of a new VRF
 * @ndev: l3 master of the VRF
 *
 * Nothing happens if its namespace has no devices. An error is logged.
 *
 * Context: process, RTNL held; takes a mutex.
 */
void rxe_sock_vrf_added(struct net_device *ndev);

/* Undo rxe_sock_vrf_added(). Context: as there. */
void rxe_sock_vrf_removed(struct net_device *ndev);

#endif
