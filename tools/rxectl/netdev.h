/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A network interface, as rtnetlink and ethtool show it.
 */
#ifndef RXECTL_NETDEV_H
#define RXECTL_NETDEV_H

#include <net/if.h>
#include <stddef.h>

struct netns;

/**
 * struct netdev - a network interface
 * @type: ARPHRD_*
 * @kind: of a virtual one ("veth", "vlan"); empty for hardware
 * @driver: empty if there is none
 * @speed: Mb/s, 0 if unknown
 * @mtu: bytes
 * @addresses: IPv4, then IPv6, without their prefix lengths
 */
struct netdev {
	unsigned int type;
	char kind[32];
	char driver[32];
	unsigned int speed;
	unsigned int mtu;
	char **addresses;
	size_t n_addresses;
};

/* Return: 0, -ENODEV if the namespace has no such interface, or another -errno. */
int netdev_get(const struct netns *ns, const char *name, struct netdev *netdev);

/* Frees what netdev_get() allocated. */
void netdev_put(struct netdev *netdev);

#endif
