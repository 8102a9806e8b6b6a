/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A network interface, as rtnetlink and ethtool show it.
 */
#ifndef RXECTL_NETDEV_H
#define RXECTL_NETDEV_H

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>

struct netns;

/**
 * struct netdev - a network interface
 * @type: ARPHRD_*
 * @kind: of a virtual one ("veth", "vlan"); empty for hardware
 * @driver: empty if there is none
 * @path: bus address, as "ethtool -i" shows it; empty if there is none
 * @mac: "00:11:22:33:44:55"; empty if it has none
 * @running: up, and with a carrier
 * @speed: Mb/s, 0 if unknown
 * @mtu: bytes
 * @addresses: IPv4, then IPv6, without their prefix lengths
 */
struct netdev {
	unsigned int type;
	char kind[32];
	char driver[32];
	char path[32];
	char mac[18];
	bool running;
	unsigned int speed;
	unsigned int mtu;
	char **addresses;
	size_t n_addresses;
};

/* Return: 0, -ENODEV if the namespace has no such interface, or another -errno. */
int netdev_get(const struct netns *ns, const char *name, struct netdev *netdev);

/* Frees what netdev_get() allocated. */
void netdev_put(struct netdev *netdev);

/* The names of all interfaces of a namespace; @names is to be freed. Return: 0 or -errno. */
int netdev_list(const struct netns *ns, char (**names)[IF_NAMESIZE], size_t *n);

/* Return: 0 or -errno. */
int netdev_set_mtu(const struct netns *ns, const char *name, unsigned int mtu);

/* An ethtool @command, a structure of linux/ethtool.h. Return: 0 or -errno. */
int netdev_ethtool(const struct netns *ns, const char *name, void *command);

#endif
