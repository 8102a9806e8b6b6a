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

/**
 * rxe_sock_open_net() - open the sockets of a namespace, and register its netfilter hook
 * @net: namespace that gets its first device
 *
 * Context: process, RTNL and the mutex of pernet.c held.
 * Return: 0, or -errno of the socket calls (-EADDRINUSE: another driver or program holds UDP port
 * 4791).
 */
int rxe_sock_open_net(struct net *net);

/*
 * Undo rxe_sock_open_net(), after the last device of @net. Context: process, the mutex of pernet.c
 * held.
 */
void rxe_sock_close_net(struct net *net);

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
