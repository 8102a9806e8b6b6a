/* SPDX-License-Identifier: GPL-2.0 */
/* Network interface, read with rtnetlink and ethtool. */
#ifndef RXECTL_NETDEV_H
#define RXECTL_NETDEV_H

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>

struct netns;

/**
 * struct netdev - a network interface
 * @type: ARPHRD_*
 * @kind: link kind of a virtual interface ("veth", "vlan"); "" for hardware
 * @driver: as in "ethtool -i"; "" if unknown
 * @path: bus address as in "ethtool -i"; "" if unknown
 * @mac: "00:11:22:33:44:55"; "" if it has none
 * @running: IFF_UP and IFF_RUNNING (carrier)
 * @speed: Mb/s; 0 if unknown
 * @mtu: bytes
 * @addresses: IPv4, then IPv6, without prefix lengths
 * @n_addresses: number of addresses
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

/*
 * Read an interface; release with netdev_put(). Return: 0, -ENODEV if the namespace has no such
 * interface, or another -errno.
 */
int netdev_get(const struct netns *ns, const char *name, struct netdev *netdev);

/* Free the addresses. */
void netdev_put(struct netdev *netdev);

/* List the names of all interfaces of a namespace; free @names. Return: 0 or -errno. */
int netdev_list(const struct netns *ns, char (**names)[IF_NAMESIZE], size_t *n);

/* Return: 0 or -errno. */
int netdev_set_mtu(const struct netns *ns, const char *name, unsigned int mtu);

/* Perform SIOCETHTOOL with @command, a structure of linux/ethtool.h. Return: 0 or -errno. */
int netdev_ethtool(const struct netns *ns, const char *name, void *command);

#endif
