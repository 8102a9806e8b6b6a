/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Multicast groups of UD QPs. The device's interface joins the IP multicast group (IGMP, MLD) while
 * at least one QP is attached, so that routers, snooping switches and the interface's address
 * filter pass its packets.
 */
#ifndef RXE_MCAST_H
#define RXE_MCAST_H

#include <linux/rhashtable-types.h>
#include <rdma/ib_verbs.h>

struct rxe_dev;
struct rxe_ep;

/* Maximum of QPs attached to a group. Each received packet is delivered once to each of them. */
#define RXE_MAX_MCAST_QPS 64

/**
 * struct rxe_group - a multicast group of a device
 * @node: in rxe_dev.groups
 * @rcu: frees the group after an RCU grace period: the receive path reads it under RCU
 * @gid: IP multicast address; IPv4 as a v4-mapped IPv6 address
 * @joined: the interface has joined the IP multicast group for this one
 * @members: number of QPs attached, at most RXE_MAX_MCAST_QPS
 * @eps: endpoints attached, NULL in free slots; read under RCU
 * @attached: number of times that the endpoint of the same index is attached
 *
 * Written under RTNL, which the IP stack's join and leave functions require.
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

/* Create the hash table of groups. Context: process. Return: 0 or -ENOMEM. */
int rxe_mcast_init(struct rxe_dev *dev);

/* Destroy the table, which has to be empty. Context: process. */
void rxe_mcast_exit(struct rxe_dev *dev);

/**
 * rxe_attach_mcast() - attach a QP to a multicast group
 * @ibqp: a UD QP. A QP that is attached several times gets one copy of a packet and has to be
 *	detached as often: programs may attach a QP with several LIDs, which ib_core counts
 *	separately
 * @gid: IP multicast address; IPv4 as a v4-mapped IPv6 address
 * @lid: not used by RoCE
 *
 * Context: process; takes RTNL.
 * Return: 0; -EINVAL if @gid is not a multicast address; -ENOSPC if the device has
 * RXE_MAX_MCAST_GRP groups or the group RXE_MAX_MCAST_QPS QPs; -ENODEV if the interface is being
 * removed or has no IP of that version; -ENOMEM.
 */
int rxe_attach_mcast(struct ib_qp *ibqp, union ib_gid *gid, u16 lid);

/* Undo one rxe_attach_mcast(). Context: as above. Return: 0; -EINVAL if not attached. */
int rxe_detach_mcast(struct ib_qp *ibqp, union ib_gid *gid, u16 lid);

/*
 * Note that the interface leaves its namespace, where the IP stack drops its memberships.
 * Context: RTNL held.
 */
void rxe_mcast_left(struct rxe_dev *dev);

/* Join all groups after the interface has moved to another namespace. Context: RTNL held. */
void rxe_mcast_rejoin(struct rxe_dev *dev);

/*
 * Join or forget the groups after a change of the interface's MTU. Below 1280 bytes the IP stack
 * disables IPv6 and drops its memberships; below 68 bytes also those of IPv4. Context: RTNL held.
 */
void rxe_mcast_mtu_changed(struct rxe_dev *dev);

/**
 * rxe_mcast_find() - look up the group of a multicast address
 * @dev: device
 * @gid: IP multicast address; IPv4 as a v4-mapped IPv6 address
 *
 * Context: RCU read lock held; it keeps the group alive.
 * Return: the group; NULL if no QP of @dev is attached to it.
 */
struct rxe_group *rxe_mcast_find(struct rxe_dev *dev, const union ib_gid *gid);

#endif
