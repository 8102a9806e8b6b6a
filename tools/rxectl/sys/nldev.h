/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RDMA devices over netlink (RDMA_NL_NLDEV): one function a message.
 *
 * All return 0 or the kernel's -errno. A device that has gone gives -EINVAL or -ENODEV.
 */
#ifndef RXECTL_NLDEV_H
#define RXECTL_NLDEV_H

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NLDEV_NAME_SIZE 64 /* with the end */

struct nlattr;
struct nlsock;

/**
 * struct nldev_dev - an RDMA device
 * @index: stays the same until the device goes
 * @node_guid: in host order
 */
struct nldev_dev {
	uint32_t index;
	char name[NLDEV_NAME_SIZE];
	uint64_t node_guid;
};

/**
 * struct nldev_port - a port of an RDMA device
 * @state: enum ib_port_state
 * @phys_state: enum ib_port_phys_state
 * @netdev: its interface; empty if that is not in the socket's network namespace
 */
struct nldev_port {
	uint8_t state;
	uint8_t phys_state;
	char netdev[IF_NAMESIZE];
};

/* All devices that the socket's namespace sees; @devs is to be freed. */
int nldev_devices(struct nlsock *sk, struct nldev_dev **devs, size_t *n);

/* The first port, the only one of an rxe device. */
int nldev_port(struct nlsock *sk, uint32_t index, struct nldev_port *port);

/* Driver: enum rdma_driver_id. */
int nldev_driver(struct nlsock *sk, uint32_t index, uint64_t *driver);

/* How many objects of a kind ("qp", "mr") there are; -ENOENT for an unknown kind. */
int nldev_resources(struct nlsock *sk, uint32_t index, const char *kind, uint64_t *count);

/**
 * typedef nldev_object_fn - takes one object of a dump
 * @tb: its attributes by RDMA_NLDEV_ATTR_*, checked by type; NULL where there is none
 */
typedef void (*nldev_object_fn)(struct nlattr **tb, void *arg);

/**
 * nldev_dump() - list the objects of a device that the caller may see
 * @command: RDMA_NLDEV_CMD_RES_*_GET
 * @table: RDMA_NLDEV_ATTR_RES_*, the attribute that the entries are in
 */
int nldev_dump(struct nlsock *sk, uint32_t index, int command, int table, nldev_object_fn object,
	       void *arg);

/* The counters of the first port, in the driver's order. */
int nldev_counters(struct nlsock *sk, uint32_t index,
		   void (*counter)(const char *name, uint64_t value, void *arg), void *arg);

/* Do all network namespaces see all devices? */
int nldev_shared(struct nlsock *sk, bool *shared);

int nldev_newlink(struct nlsock *sk, const char *name, const char *type, const char *netdev);
int nldev_rename(struct nlsock *sk, uint32_t index, const char *name);
int nldev_dellink(struct nlsock *sk, uint32_t index);

#endif
