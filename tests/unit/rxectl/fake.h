/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fake kernel made of tables, which replaces the files of sys/ that call the kernel, util/clock.c,
 * and the path test of perf/. RDMA netlink requests get replies as messages; the rest is replaced
 * function by function.
 */
#ifndef FAKE_H
#define FAKE_H

#include <stdbool.h>
#include <stdint.h>

#define FAKE_MAX 8
#define FAKE_FILES 320

/**
 * struct fake_dev - an RDMA device
 * @driver: enum rdma_driver_id; -1 if the kernel cannot report it
 * @parent: has the sysfs attribute "parent"
 * @ns: namespace of its netdev; NULL is the caller's
 * @gid: the only entry of the GID table, at index 7, by libibverbs; NULL: the files have the table
 * @vanishes: is listed, but requests about it fail with -ENODEV
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
	const char *gid;
	bool vanishes;
	bool unlisted;
};

/**
 * struct fake_object - a QP, MR, CQ or PD
 * @device: device index
 * @kind: "qp", "mr", "cq", "pd"
 * @id: QPN, MRN, CQN, PDN
 * @peer: QPN of a QP's peer
 * @size: CQEs, or length of an MR
 * @pid: owning process; 0 for the kernel
 * @kernel: name of the owning kernel module, without a pid
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

/* A counter of every device; grows with each read. */
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

/* Output of a command that host_run() knows; its status is 0. */
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
	bool no_carrier;
	unsigned int queues;
	const char *flag;
	bool flag_on;
};

/* Result of a path test; see struct peer_result. */
struct fake_peer {
	int done;
	const char *why;
	const char *remedy;
	unsigned int mtu;
	unsigned int port_mtu;
};

/**
 * struct fake_world - state of the system that the program reads and changes
 * @no_rdma: ib_core is not available
 * @module: rdma_rxe is loaded
 * @root: the caller has all capabilities
 * @namespaces: named network namespaces
 * @own_namespace: the caller's namespace, one of these; NULL for that of process 1
 * @own_nameless: the caller's namespace is neither
 * @objects: verbs objects
 * @counters: counters of every device
 * @files: all existing files
 * @pause: called when the program waits
 * @patience: number of waits before a signal interrupts the program; 0 for no limit
 * @peer: result of the only path test
 * @exclusive: a namespace sees only its own devices
 * @memlock_small: RLIMIT_MEMLOCK is 64 KiB
 * @ipc_lock: the caller has CAP_IPC_LOCK
 * @not_installed: modprobe finds no module
 * @refuse: -errno that NEWLINK and DELLINK return without an effect
 * @message: extack message sent with @refuse
 * @garbled: replies contain a single attribute of a wrong length
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
	struct fake_command commands[2 * FAKE_MAX];
	struct fake_peer peer;
	void (*pause)(void);
	unsigned int patience;
	bool exclusive;
	bool memlock_small;
	bool ipc_lock;
	bool not_installed;
	int refuse;
	const char *message;
	bool garbled;
};

extern struct fake_world world;

/* Create an empty directory tree with the files of the world, and point files_root to it. */
void fake_files(void);
void fake_files_remove(void);

#endif
