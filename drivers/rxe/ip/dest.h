/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where datagrams go. A destination is what an address handle stands for, and it
 * outlives the handle for as long as a posted WQE needs it.
 */
#ifndef RXE_DEST_H
#define RXE_DEST_H

#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <rdma/ib_verbs.h>
#include <rdma/rdma_user_rxe.h>

#include "ip/path.h"

struct rxe_dev;

/**
 * struct rxe_dest - a destination
 * @refs: one for the address handle, one for each WQE posted with it and not sent yet
 * @dev: device
 * @pd: protection domain of the handle; compared, never followed
 * @num: how a user's WQEs name it, a key of rxe_dev.ahs; 0: they do not
 * @flow: random; selects the UDP source port where there is no flow label
 * @node: in rxe_dev.dests
 * @rcu: frees it when no lookup can hold it any more
 * @lock: protects @path
 * @path: where packets go
 */
struct rxe_dest {
	refcount_t refs;
	struct rxe_dev *dev;
	const struct ib_pd *pd;
	u32 num;
	u32 flow;
	struct list_head node;
	struct rcu_head rcu;
	spinlock_t lock;
	struct rxe_path path;
};

/**
 * rxe_dest_create() - a destination, with one reference
 * @dev: device
 * @pd: protection domain that may use it
 * @attr: RoCE address with GRH and sgid_attr
 * @gfp: GFP_KERNEL or GFP_ATOMIC
 *
 * Return: the destination, or ERR_PTR() of -ENOMEM or what rxe_path_set() returns.
 */
struct rxe_dest *rxe_dest_create(struct rxe_dev *dev, const struct ib_pd *pd,
				 const struct rdma_ah_attr *attr, gfp_t gfp);

/**
 * rxe_dest_create_from_av() - a destination of a single WQE
 * @dev: device
 * @pd: protection domain that may use it
 * @av: as a user gave it. Only the destination, the index of a source GID and the
 *	fields of the IP header are taken from it; the source address is the
 *	device's own, by that index.
 *
 * Context: any but hard interrupt.
 * Return: as rxe_dest_create(), or ERR_PTR(-EINVAL) if there is no such GID.
 */
struct rxe_dest *rxe_dest_create_from_av(struct rxe_dev *dev, const struct ib_pd *pd,
					 const struct rxe_av *av);

/* Change where packets go: those of WQEs already posted as well. */
int rxe_dest_set(struct rxe_dest *dest, const struct rdma_ah_attr *attr);

/**
 * rxe_dest_publish() - give the destination a number for a user's WQEs
 * @dest: destination
 *
 * Context: process.
 * Return: 0, -ENOMEM, or -ENOSPC when there are RXE_MAX_AH of them.
 */
int rxe_dest_publish(struct rxe_dest *dest);

/* Undo rxe_dest_publish(); nothing happens if there is no number. */
void rxe_dest_unpublish(struct rxe_dest *dest);

/**
 * rxe_dest_find() - the destination of a number
 * @dev: device
 * @pd: protection domain of the QP, which must be the destination's
 * @num: as a user gave it
 *
 * Return: the destination, with a reference for the caller; NULL: none, or not theirs.
 */
struct rxe_dest *rxe_dest_find(struct rxe_dev *dev, const struct ib_pd *pd, u32 num);

static inline struct rxe_dest *rxe_dest_get(struct rxe_dest *dest)
{
	refcount_inc(&dest->refs);
	return dest;
}

/* Context: any. @dest may be NULL. */
void rxe_dest_put(struct rxe_dest *dest);

/**
 * rxe_dest_route() - where to send packets now
 * @dest: destination
 * @npkts: packets for which identifications are set aside
 * @path: result, a copy, whose route is held; to be given back by rxe_path_release()
 *
 * Several QPs may send to a destination at a time.
 *
 * Context: bottom halves off, RCU read lock held.
 * Return: true; false: there is no route, and nothing to give back.
 */
bool rxe_dest_route(struct rxe_dest *dest, u32 npkts, struct rxe_path *path);

/* Drop the cached routes of all of a device's destinations. */
void rxe_dests_drop_routes(struct rxe_dev *dev);

#endif
