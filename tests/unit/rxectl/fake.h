/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A kernel made of tables, in the place of rxectl's own nlsock.c, netns.c, netdev.c, verbs.c and
 * host.c. RDMA netlink is answered message by message; the rest function by function.
 */
#ifndef FAKE_H
#define FAKE_H

#include <stdbool.h>
#include <stdint.h>

#define FAKE_MAX 8

/**
 * struct fake_dev - an RDMA device
 * @driver: enum rdma_driver_id; -1: the kernel cannot tell
 * @parent: has the sysfs attribute "parent"
 * @ns: namespace of its netdev; NULL is the caller's
 * @vanishes: is listed, but gone when asked for
 */
struct fake_dev {
	uint32_t index;
	const char *name;
	int driver;
	bool parent;
	uint64_t guid;
	uint8_t state;
	uint8_t phys_state;
	const char *netdev;
	const char *ns;
	uint64_t qps;
	unsigned int active_mtu;
	bool vanishes;
};

struct fake_netdev {
	const char *ns;
	const char *name;
	unsigned int type;
	const char *kind;
	const char *driver;
	unsigned int speed;
	unsigned int mtu;
	const char *addresses[4];
};

/**
 * struct fake_world - all that the program can find out or change
 * @no_rdma: no RDMA core
 * @module: rdma_rxe is loaded
 * @root: the caller has all capabilities
 * @namespaces: named ones
 * @refuse: what NEWLINK and DELLINK return instead of doing it
 * @message: goes with @refuse
 * @garbled: replies carry no attribute but one of a wrong length
 */
struct fake_world {
	bool no_rdma;
	bool module;
	bool root;
	struct fake_dev devs[FAKE_MAX];
	struct fake_netdev netdevs[FAKE_MAX];
	const char *namespaces[FAKE_MAX];
	int refuse;
	const char *message;
	bool garbled;
};

extern struct fake_world world;

#endif
