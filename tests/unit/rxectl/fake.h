/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A kernel made of tables, in the place of rxectl's own nlsock.c, netns.c, netdev.c, adapter.c,
 * verbs.c, peer.c, peer_server.c and host.c. RDMA netlink is answered message by message; the rest
 * function by function.
 */
#ifndef FAKE_H
#define FAKE_H

#include <stdbool.h>
#include <stdint.h>

#define FAKE_MAX 8
#define FAKE_FILES 40

/**
 * struct fake_dev - an RDMA device
 * @driver: enum rdma_driver_id; -1: the kernel cannot tell
 * @parent: has the sysfs attribute "parent"
 * @ns: namespace of its netdev; NULL is the caller's
 * @vanishes: is listed, but gone when asked for
 * @unlisted: is being added or removed
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
	bool unlisted;
};

/**
 * struct fake_object - a QP, MR, CQ or PD
 * @device: index
 * @kind: "qp", "mr", "cq", "pd"
 * @id: QPN, MRN, CQN, PDN
 * @peer: QPN of a QP's peer
 * @size: CQEs, or length of an MR
 * @pid: 0 for the kernel's
 * @kernel: name of the part of the kernel, without a pid
 */
struct fake_object {
	uint32_t device;
	const char *kind;
	uint32_t id;
	uint8_t type;
	uint8_t state;
	uint32_t peer;
	uint64_t size;
	uint32_t pid;
	const char *kernel;
};

/* What a device has counted; more with each reading. */
struct fake_counter {
	const char *name;
	uint64_t value;
	uint64_t growth;
};

struct fake_file {
	const char *path;
	const char *text;
};

struct fake_route {
	const char *to;
	const char *source;
	const char *netdev;
};

/* What a command prints; the status is 0 for all that is known. */
struct fake_command {
	const char *line;
	const char *output;
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
	const char *path;
	const char *mac;
	bool stopped;
	unsigned int queues;
	const char *flag;
	bool flag_on;
};

/* What a test of the way to a peer finds; see struct peer_result. */
struct fake_peer {
	int done;
	const char *why;
	const char *remedy;
	unsigned int mtu;
	unsigned int port_mtu;
};

/**
 * struct fake_world - all that the program can find out or change
 * @no_rdma: no RDMA core
 * @module: rdma_rxe is loaded
 * @root: the caller has all capabilities
 * @namespaces: named ones
 * @own_namespace: the one of these that the caller is in; NULL: that of the first process
 * @own_nameless: neither
 * @objects: what programs have made
 * @counters: of every device
 * @files: all that there are
 * @pause: called when the program waits
 * @patience: how often it may wait before it is interrupted; 0 for ever
 * @peer: the only one
 * @exclusive: a namespace sees its own devices only
 * @memlock_small: the caller may lock 64 KiB
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
	const char *own_namespace;
	bool own_nameless;
	struct fake_object objects[FAKE_MAX];
	struct fake_counter counters[FAKE_MAX];
	struct fake_file files[FAKE_FILES];
	struct fake_route routes[FAKE_MAX];
	struct fake_command commands[FAKE_MAX];
	struct fake_peer peer;
	void (*pause)(void);
	unsigned int patience;
	bool exclusive;
	bool memlock_small;
	int refuse;
	const char *message;
	bool garbled;
};

extern struct fake_world world;

/* A clean directory tree with the world's files in it; files_root points there. */
void fake_files(void);
void fake_files_remove(void);

#endif
