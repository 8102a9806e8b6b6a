/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RDMA device (struct rxe_dev, ib_device) of one network interface, and its capabilities.
 */
#ifndef RXE_DEVICE_H
#define RXE_DEVICE_H

#include <linux/in6.h>
#include <linux/netdevice.h>
#include <linux/rhashtable-types.h>
#include <linux/spinlock.h>
#include <linux/time64.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <rdma/ib_verbs.h>

#include "base/counters.h"
#include "base/id_alloc.h"

struct rxe_tx_sched;

/* Capabilities that ibv_query_device() reports: objects or entries, RXE_MAX_INLINE in bytes. */
#define RXE_MAX_QP	  (1 << 20)
#define RXE_MAX_QP_WR	  (1 << 20)
#define RXE_MAX_SGE	  32
#define RXE_MAX_INLINE	  512
#define RXE_MAX_CQE	  ((1 << 19) - 1)
#define RXE_MAX_MR	  (1 << 20)
#define RXE_MAX_MW	  (1 << 20)
#define RXE_MAX_FRMR_PAGES (1 << 15)
#define RXE_MAX_SRQ	  (1 << 20)
#define RXE_MAX_SRQ_WR	  (1 << 20)
#define RXE_MAX_CQ	  (1 << 20)
#define RXE_MAX_PD	  (1 << 20)
#define RXE_MAX_AH	  (1 << 20)
#define RXE_MAX_MCAST_GRP 8192
#define RXE_MAX_RD_ATOMIC 128
#define RXE_GID_TABLE_LEN 1024

/* Peers in struct rxe_pmtu. */
#define RXE_PMTU_PEERS 16

/**
 * struct rxe_misaddressed - the last packet whose addresses were not those of its connection
 * @lock: protects the other fields
 * @saddr: source address, or an IPv4-mapped one; unspecified if there was none
 * @qpn: destination QP number
 * @seconds: when it arrived, ktime_get_seconds()
 */
struct rxe_misaddressed {
	spinlock_t lock;
	struct in6_addr saddr;
	u32 qpn;
	time64_t seconds;
};

/**
 * struct rxe_pmtu - the last peers to which packets were too big for the route or a link
 * @lock: protects the other fields
 * @peer: address (or an IPv4-mapped one; unspecified in unused entries), MTU of the route or link
 * @next: counts the entries written
 * @last: entry of the last packet
 * @seconds: when that was, ktime_get_seconds()
 */
struct rxe_pmtu {
	spinlock_t lock;
	struct {
		struct in6_addr daddr;
		u32 mtu;
	} peer[RXE_PMTU_PEERS];
	u32 next;
	u32 last;
	time64_t seconds;
};

/**
 * struct rxe_dev - RDMA device of one network interface
 * @ibdev: the device of ib_core
 * @ndev: network interface, with a reference; read under RCU. NULL before rxe_link_attach() and
 *	after rxe_link_detach()
 * @ndev_tracker: tracker of the reference to @ndev
 * @link_node: in rxe_links (verbs/link.c)
 * @net: network namespace of @ndev; NULL while @ndev moves from one to another. Without a
 *	reference: the exit of the namespace waits until the device has left it
 * @nets: memberships in namespaces, @net among them (ip/pernet.h)
 * @eps: endpoints by QPN; freed after an RCU grace period
 * @qpns: allocator of QPNs
 * @mems: MRs and MWs by key >> RXE_KEY_BITS; freed after an RCU grace period
 * @mem_ids: allocator of the indices of @mems
 * @ahs: destinations of user address handles by AH number; freed after an RCU grace period
 * @next_ah: AH number from which the next allocation searches; random at first
 * @tx_sched: transmit scheduler (tx/sched.h)
 * @retained_bytes: bytes of received packets that endpoints retain (ip/pkt.h)
 * @dests: all destinations (ip/dest.h); protected by @dests_lock
 * @dests_lock: taken with interrupts off; also on the transmit path, by the last reference to a
 *	destination (rxe_dest_put())
 * @groups: multicast groups by GID; written under RTNL, read under RCU
 * @counters: counters of the QPs without a set of their own
 * @counter_sets: counter sets of bound QPs, by rdma_counter.id (verbs/qp_counter.c)
 * @no_gso: IPv4 addresses of peers that get one packet a buffer (tx/gso_watch.h); 0: none. Read
 *	and written without a lock
 * @no_gso_next: counts the entries written to @no_gso
 * @misaddressed: last packet counted as drop_address
 * @pmtu: peers to which packets were too big (ip/pmtu.h)
 * @mtu: largest RoCE path MTU that fits into the MTU of @ndev, bytes; 0: none
 * @old_ifindex: index of @ndev in the namespace that it leaves
 * @port_state: last state reported to consumers
 * @gids_handler: notices changes of the GID table (verbs/gids.c)
 * @gids_scan: adds missing GIDs
 * @removed: ib_core unregisters the device: user QPs are in ERR and stay there (verbs/removal.c)
 * @hw_icrc: the adapter computes and verifies ICRCs (ip/icrc_offload.h)
 * @xmit_veto: enum rxe_bypass_veto: why packets last passed through the network stack, by @ndev or
 *	an interface above it; never reset
 *
 * @link_node, @net, @nets, @mtu, @old_ifindex, @port_state and @hw_icrc are written under
 * rxe_links_lock.
 */
struct rxe_dev {
	struct ib_device ibdev;
	struct net_device __rcu *ndev;
	netdevice_tracker ndev_tracker;
	struct list_head link_node;
	struct net *net;
	struct list_head nets;
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
	__be32 no_gso[16];
	atomic_t no_gso_next;
	struct rxe_misaddressed misaddressed;
	struct rxe_pmtu pmtu;
	u32 mtu;
	int old_ifindex;
	enum ib_port_state port_state;
	struct ib_event_handler gids_handler;
	struct delayed_work gids_scan;
	bool removed;
	bool hw_icrc;
	u8 xmit_veto;
};

static inline struct rxe_dev *to_rxe_dev(struct ib_device *ibdev)
{
	return container_of(ibdev, struct rxe_dev, ibdev);
}

/**
 * struct rxe_ucontext - context of a process that has opened the device
 * @ibuc: the context of ib_core; the driver adds nothing
 */
struct rxe_ucontext {
	struct ib_ucontext ibuc;
};

#endif
