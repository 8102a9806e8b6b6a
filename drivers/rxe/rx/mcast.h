/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Multicast groups: which QPs get the datagrams sent to one. The IP stack of the
 * device's interface is a member for as long as there is one of them, so that
 * routers, snooping switches and the host's own filters know.
 */
#ifndef RXE_MCAST_H
#define RXE_MCAST_H

#include <linux/rhashtable-types.h>
#include <rdma/ib_verbs.h>

struct rxe_dev;
struct rxe_ep;

/* QPs attached to a group: the copies made of a packet. */
#define RXE_MAX_MCAST_QPS 64

/**
 * struct rxe_group - a multicast group of a device
 * @node: in rxe_dev.groups
 * @rcu: frees it when no packet can be looking at it any more
 * @gid: the group's address, IPv4 ones mapped
 * @joined: the interface's IP stack is a member on our behalf
 * @members: how many QPs are attached
 * @eps: their endpoints, in any order; read under RCU
 * @attached: how often each is attached
 *
 * Written under RTNL, which joining and leaving take in any case.
 */
struct rxe_group {
	struct rhash_head node;
	struct rcu_head rcu;
	union ib_gid gid;
	bool joined;
	u32 members;
	struct rxe_ep __rcu *eps[RXE_MAX_MCAST_QPS];
	u32 attached[RXE_MAX_MCAST_QPS];
};

int rxe_mcast_init(struct rxe_dev *dev);
void rxe_mcast_exit(struct rxe_dev *dev);

/**
 * rxe_attach_mcast() - have a QP receive what is sent to a group
 * @ibqp: a UD QP. Attached several times it gets one copy, and has to be detached as often: the
 *	RDMA core counts, and programs may attach one with several LIDs
 * @gid: the group
 * @lid: not used by RoCE
 *
 * Context: process; takes RTNL.
 * Return: 0; -EINVAL: not a multicast address; -ENOSPC: RXE_MAX_MCAST_GRP groups,
 *	or RXE_MAX_MCAST_QPS QPs of this one; -ENODEV: the interface is leaving, or
 *	has no IP of that version; -ENOMEM.
 */
int rxe_attach_mcast(struct ib_qp *ibqp, union ib_gid *gid, u16 lid);

/* Undoes it once. -EINVAL if the QP is not attached. */
int rxe_detach_mcast(struct ib_qp *ibqp, union ib_gid *gid, u16 lid);

/* The interface leaves its namespace, and with it the groups. Context: RTNL held. */
void rxe_mcast_left(struct rxe_dev *dev);

/* The interface is in a namespace again. Context: RTNL held. */
void rxe_mcast_rejoin(struct rxe_dev *dev);

/*
 * The interface's MTU is another. With less than 1280 bytes, the IP stack gives up IPv6 and all of
 * its memberships there, and with less than 68 IPv4 as well. Context: RTNL held.
 */
void rxe_mcast_mtu_changed(struct rxe_dev *dev);

/**
 * rxe_mcast_find() - the group of an address
 * Context: RCU read lock held, which is what keeps the result alive.
 * Return: the group, or NULL.
 */
struct rxe_group *rxe_mcast_find(struct rxe_dev *dev, const union ib_gid *gid);

#endif
