/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Destinations of datagrams (UD). An address handle refers to a destination, and so does each WQE
 * posted with that handle: a destination outlives its handle until these WQEs have been sent.
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
 * @pd: protection domain of the handle; compared only, never dereferenced
 * @num: AH number in the WQEs of a program, the key in rxe_dev.ahs; 0 if it has none
 * @flow: random, 24 bits; selects the UDP source port if there is no flow label
 * @node: in rxe_dev.dests, protected by rxe_dev.dests_lock
 * @rcu: frees it after an RCU grace period: rxe_dest_find() reads it under RCU
 * @lock: protects @path
 * @path: addresses, header fields and cached route
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
 * rxe_dest_create() - create a destination, with one reference
 * @dev: device
 * @pd: protection domain that may use it
 * @attr: RoCE address with GRH and sgid_attr
 * @gfp: GFP_KERNEL or GFP_ATOMIC
 *
 * Context: any but hard interrupt; interrupts may be off. May sleep if @gfp allows it.
 * Return: the destination, or ERR_PTR() of -ENOMEM or of an error of rxe_path_set().
 */
struct rxe_dest *rxe_dest_create(struct rxe_dev *dev, const struct ib_pd *pd,
				 const struct rdma_ah_attr *attr, gfp_t gfp);

/**
 * rxe_dest_create_from_av() - create the destination of a single WQE
 * @dev: device
 * @pd: protection domain that may use it
 * @av: address vector from user space, not trusted. Only the destination GID, the index of the
 *	source GID and the IP header fields, hop limit included, are used; the source address is
 *	that of the device's GID table.
 *
 * Context: the program's system call.
 * Return: as rxe_dest_create(), or ERR_PTR() of -EINVAL if there is no such GID, or of -EPERM if
 * the program may not use it.
 */
struct rxe_dest *rxe_dest_create_from_av(struct rxe_dev *dev, const struct ib_pd *pd,
					 const struct rxe_av *av);

/*
 * Change the address of @dest, also for WQEs already posted. Context: process or softirq,
 * interrupts on. Return: 0, or an error of rxe_path_set().
 */
int rxe_dest_set(struct rxe_dest *dest, const struct rdma_ah_attr *attr);

/**
 * rxe_dest_publish() - assign an AH number, by which the WQEs of a program refer to a destination
 * @dest: destination; its @num is set to 1..RXE_MAX_AH
 *
 * Context: process.
 * Return: 0, -ENOMEM, or -ENOSPC if all RXE_MAX_AH numbers are in use.
 */
int rxe_dest_publish(struct rxe_dest *dest);

/* Undo rxe_dest_publish(). No effect if the destination has no number. */
void rxe_dest_unpublish(struct rxe_dest *dest);

/**
 * rxe_dest_find() - look up a destination by its AH number and take a reference
 * @dev: device
 * @pd: protection domain of the QP, which has to be that of the destination
 * @num: AH number from user space, any value
 *
 * Context: any.
 * Return: the destination; NULL if there is none of that number in @pd.
 */
struct rxe_dest *rxe_dest_find(struct rxe_dev *dev, const struct ib_pd *pd, u32 num);

/* Take a reference. The caller has one already, or another guarantee that there is one. */
static inline struct rxe_dest *rxe_dest_get(struct rxe_dest *dest)
{
	refcount_inc(&dest->refs);
	return dest;
}

/* Drop a reference; @dest may be NULL. Context: any. */
void rxe_dest_put(struct rxe_dest *dest);

/**
 * rxe_dest_route() - copy the path of a destination, with a valid route
 * @dest: destination
 * @npkts: number of IPv4 identifications to reserve for the caller, from @path->ip_id on
 * @path: written; holds a reference on the route, which the caller drops by rxe_path_release()
 *
 * A copy, because several QPs may send to a destination at the same time.
 *
 * Context: bottom halves off, RCU read lock held.
 * Return: true; false if there is no route, with @path unchanged.
 */
bool rxe_dest_route(struct rxe_dest *dest, u32 npkts, struct rxe_path *path);

/*
 * Call @act with the path of each destination of @dev, its lock held. Context: process, interrupts
 * on.
 */
void rxe_dests_for_each_path(struct rxe_dev *dev,
			     void (*act)(struct rxe_path *path, const void *arg), const void *arg);

#endif
