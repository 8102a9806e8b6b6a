/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The RDMA device of one network interface.
 */
#ifndef RXE_DEVICE_H
#define RXE_DEVICE_H

#include <linux/netdevice.h>
#include <linux/rhashtable-types.h>
#include <linux/spinlock.h>
#include <linux/xarray.h>
#include <rdma/ib_verbs.h>

#include "base/counters.h"
#include "base/id_alloc.h"

struct rxe_tx_sched;

/* Capabilities; also what ib_query_device() reports. */
#define RXE_MAX_QP	  (1 << 20)
#define RXE_MAX_QP_WR	  (1 << 16)
#define RXE_MAX_SGE	  32
#define RXE_MAX_INLINE	  512
#define RXE_MAX_CQE	  ((1 << 19) - 1)
#define RXE_MAX_MR	  (1 << 20)
#define RXE_MAX_MW	  (1 << 20)
#define RXE_MAX_FRMR_PAGES 512
#define RXE_MAX_SRQ	  (1 << 20)
#define RXE_MAX_SRQ_WR	  (1 << 16)
#define RXE_MAX_CQ	  (1 << 20)
#define RXE_MAX_PD	  (1 << 20)
#define RXE_MAX_AH	  (1 << 20)
#define RXE_MAX_MCAST_GRP 8192
#define RXE_MAX_RD_ATOMIC 128
#define RXE_GID_TABLE_LEN 1024

/**
 * struct rxe_dev - one RDMA device
 * @ibdev: the RDMA core's part
 * @ndev: the network interface; NULL before it is attached and once the device
 *	is being released. Read under RCU.
 * @ndev_tracker: goes with the reference held on @ndev
 * @link_node: in the list of links (link.c)
 * @net: namespace whose packets the device receives, NULL for none; a reference
 *	is not needed, since its end waits for the device to leave
 * @net_node: in the list of the network namespace's devices (ip/pernet.h)
 * @eps: endpoints by QPN; allocating; entries are freed after an RCU grace period
 * @qpns: order in which QPNs are given out
 * @mems: memory by key >> RXE_KEY_BITS; like @eps
 * @mem_ids: order in which these indices are given out
 * @ahs: destinations by the number that a user knows; likewise
 * @next_ah: where the search for a free number begins; starts at random
 * @tx_sched: transmit scheduler (tx/sched.h)
 * @retained_bytes: bytes of packets that endpoints keep (pkt.h)
 * @dests: all destinations, under @dests_lock
 * @dests_lock: taken with interrupts off; not when sending
 * @groups: multicast groups by GID; written under RTNL, read under RCU
 * @counters: per CPU
 * @counter_sets: those of QPs that have been bound to a counter, by its number
 * @mtu: largest RoCE path MTU that @ndev carries, bytes; 0 if none
 * @port_state: as the consumers know it
 * @hw_icrc: the adapter computes and checks ICRCs (icrc_offload.h)
 *
 * @link_node, @net, @mtu, @port_state and @hw_icrc are written by link.c under its lock.
 */
struct rxe_dev {
	struct ib_device ibdev;
	struct net_device __rcu *ndev;
	netdevice_tracker ndev_tracker;
	struct list_head link_node;
	struct net *net;
	struct list_head net_node;
	struct xarray eps;
	struct rxe_ids qpns;
	struct xarray mems;
	struct rxe_ids mem_ids;
	struct xarray ahs;
	u32 next_ah;
	struct rxe_tx_sched *tx_sched;
	atomic_long_t retained_bytes;
	struct list_head dests;
	spinlock_t dests_lock;
	struct rhashtable groups;
	struct rxe_counters __percpu *counters;
	struct xarray counter_sets;
	u32 mtu;
	enum ib_port_state port_state;
	bool hw_icrc;
};

static inline struct rxe_dev *to_rxe_dev(struct ib_device *ibdev)
{
	return container_of(ibdev, struct rxe_dev, ibdev);
}

/**
 * struct rxe_ucontext - a user's context; nothing of our own in it
 */
struct rxe_ucontext {
	struct ib_ucontext ibuc;
};

#endif
