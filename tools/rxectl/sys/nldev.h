/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RDMA devices through netlink (RDMA_NL_NLDEV), one function for each message type.
 *
 * All functions return 0 or the kernel's -errno; -EINVAL or -ENODEV if the device does not exist.
 */
#ifndef RXECTL_NLDEV_H
#define RXECTL_NLDEV_H

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NLDEV_NAME_SIZE 64 /* bytes, with the NUL */

struct nlattr;
struct nlsock;

/**
 * struct nldev_dev - an RDMA device
 * @index: constant during the lifetime of the device
 * @name: the device's name
 * @node_guid: in host byte order
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
 * @netdev: its interface; "" if it is in another network namespace than the socket
 */
struct nldev_port {
	uint8_t state;
	uint8_t phys_state;
	char netdev[IF_NAMESIZE];
};

/* List the devices visible in the socket's namespace; free @devs. */
int nldev_devices(struct nlsock *sk, struct nldev_dev **devs, size_t *n);

/* Read port 1, the only one of an rxe device. */
int nldev_port(struct nlsock *sk, uint32_t index, struct nldev_port *port);

/* Read the driver (enum rdma_driver_id). */
int nldev_driver(struct nlsock *sk, uint32_t index, uint64_t *driver);

/* Count the objects of a kind ("qp", "mr"); -ENOENT if the kernel does not know the kind. */
int nldev_resources(struct nlsock *sk, uint32_t index, const char *kind, uint64_t *count);

/**
 * typedef nldev_object_fn - callback for one object of a dump
 * @tb: its attributes, indexed by RDMA_NLDEV_ATTR_* and checked by type; NULL if absent
 * @arg: as passed to nldev_dump()
 */
typedef void (*nldev_object_fn)(struct nlattr **tb, void *arg);

/**
 * nldev_dump() - list the objects of a device that the caller can see
 * @sk: RDMA netlink socket
 * @index: of the device
 * @command: RDMA_NLDEV_CMD_RES_*_GET
 * @table: RDMA_NLDEV_ATTR_RES_*, the attribute that contains the entries
 * @object: called for each object
 * @arg: for @object
 */
int nldev_dump(struct nlsock *sk, uint32_t index, int command, int table, nldev_object_fn object,
	       void *arg);

/* Read the counters of port 1, in the driver's order. */
int nldev_counters(struct nlsock *sk, uint32_t index,
		   void (*counter)(const char *name, uint64_t value, void *arg), void *arg);

/* Read the namespace mode: true if all network namespaces share all devices. */
int nldev_shared(struct nlsock *sk, bool *shared);

int nldev_newlink(struct nlsock *sk, const char *name, const char *type, const char *netdev);
int nldev_rename(struct nlsock *sk, uint32_t index, const char *name);
int nldev_dellink(struct nlsock *sk, uint32_t index);

#endif
