/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The RDMA device of one network interface.
 */
#ifndef RXE_DEVICE_H
#define RXE_DEVICE_H

#include <linux/netdevice.h>
#include <linux/xarray.h>
#include <rdma/ib_verbs.h>

#include "counters.h"

/* Capabilities; also what ib_query_device() reports. */
#define RXE_MAX_QP		(1 << 20)
#define RXE_MAX_QP_WR		(1 << 16)
#define RXE_MAX_SGE		32
#define RXE_MAX_INLINE		512
#define RXE_MAX_CQE		((1 << 19) - 1)
#define RXE_MAX_MR		(1 << 20)
#define RXE_MAX_RD_ATOMIC	128
#define RXE_GID_TABLE_LEN	1024

/**
 * struct rxe_dev - one RDMA device
 * @ibdev: the RDMA core's part
 * @ndev: the network interface; NULL once it is going away. Written under RTNL,
 *	read under RCU.
 * @ndev_tracker: goes with the reference held on @ndev
 * @net_node: in the list of the network namespace's devices (sock.h)
 * @eps: endpoints by QPN; allocating; entries are freed after an RCU grace period
 * @next_qpn: where the search for a free QPN begins; starts at random
 * @mems: memory regions by key >> 8; likewise
 * @counters: per CPU
 * @mtu: largest RoCE path MTU that @ndev carries, bytes
 * @raw_gid: the EUI-64 of the interface's MAC address
 */
struct rxe_dev {
	struct ib_device ibdev;
	struct net_device __rcu *ndev;
	netdevice_tracker ndev_tracker;
	struct list_head net_node;
	struct xarray eps;
	u32 next_qpn;
	struct xarray mems;
	struct rxe_counters __percpu *counters;
	u32 mtu;
	union ib_gid raw_gid;
};

static inline struct rxe_dev *to_rxe_dev(struct ib_device *ibdev)
{
	return container_of(ibdev, struct rxe_dev, ibdev);
}

/**
 * rxe_dev_create() - make and register the RDMA device of @ndev
 * @name: name, may hold a "%d"
 * @ndev: the interface; a reference is taken
 *
 * Context: process, RTNL not held by this function's callers beyond what
 *	rdma_link_ops.newlink allows.
 * Return: 0 or -errno.
 */
int rxe_dev_create(const char *name, struct net_device *ndev);

/* Path MTU in bytes that fits an interface MTU of @mtu, 0 if even 256 does not. */
u32 rxe_mtu_from_netdev(u32 mtu);

#endif
