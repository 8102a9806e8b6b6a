/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Network namespaces that a device receives from and sends in: that of its interface, and those of
 * the interfaces stacked upon it. ib_core takes the addresses of all of them into the GID table: a
 * node shares its device with pods whose macvlan, ipvlan or VLAN interfaces are in namespaces of
 * their own.
 */
#ifndef RXE_NETNS_H
#define RXE_NETNS_H

struct net_device;
struct rxe_dev;

/**
 * rxe_netns_join() - receive and send for a device
 * @dev: device; dev->net is set
 * @ndev: its interface, which is new to the device, or has moved to this namespace
 *
 * In the latter case, paths whose source address belongs to the interface follow it: QPs live on if
 * the address is assigned again in time. A failure to join the namespaces of interfaces stacked
 * upon @ndev is logged; their GIDs are refused.
 *
 * Context: process, RTNL and rxe_links_lock held; takes a mutex.
 * Return: 0, or -errno of the socket calls (-EADDRINUSE: another driver or program holds UDP port
 * 4791).
 */
int rxe_netns_join(struct rxe_dev *dev, struct net_device *ndev);

/**
 * rxe_netns_update() - follow a change of the interfaces stacked upon that of a device
 * @dev: device
 * @ndev: its interface
 * @leaving: interface that leaves its namespace now, or NULL
 *
 * Context: process, RTNL and rxe_links_lock held; takes a mutex, and may wait for an RCU grace
 * period.
 */
void rxe_netns_update(struct rxe_dev *dev, struct net_device *ndev,
		      const struct net_device *leaving);

/**
 * rxe_netns_suspend() - leave the namespace of an interface that moves to another one
 * @dev: device; dev->net is NULL afterwards
 * @ndev: its interface
 *
 * rxe_netns_join() follows, or rxe_netns_leave().
 *
 * Context: process, RTNL and rxe_links_lock held; takes a mutex, and may wait for an RCU grace
 * period.
 */
void rxe_netns_suspend(struct rxe_dev *dev, struct net_device *ndev);

/**
 * rxe_netns_leave() - leave all namespaces
 * @dev: device
 *
 * When it returns, dev->net is NULL, the receive path does not reach the device, and its endpoints
 * neither have a cached route nor look one up.
 *
 * Context: process, rxe_links_lock held; takes a mutex, and waits for an RCU grace period.
 */
void rxe_netns_leave(struct rxe_dev *dev);

#endif
