/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Address handles (AH), as verbs objects. Each refers to a destination (dest.h), which the transmit
 * path uses.
 */
#ifndef RXE_AH_H
#define RXE_AH_H

#include <rdma/ib_verbs.h>

struct rxe_dest;

/**
 * struct rxe_ah - an address handle
 * @ibah: ib_core's part
 * @dest: destination, with a reference
 * @attr: attributes for ib_query_ah(); grh.sgid_attr is NULL
 */
struct rxe_ah {
	struct ib_ah ibah;
	struct rxe_dest *dest;
	struct rdma_ah_attr attr;
};

static inline struct rxe_ah *to_rxe_ah(struct ib_ah *ibah)
{
	return container_of(ibah, struct rxe_ah, ibah);
}

/*
 * Operations of struct ib_device_ops. Context: rxe_create_ah() may sleep if @init->flags has
 * RDMA_CREATE_AH_SLEEPABLE; the others do not sleep. Return: 0 or -errno.
 */
int rxe_create_ah(struct ib_ah *ibah, struct rdma_ah_init_attr *init, struct ib_udata *udata);
int rxe_modify_ah(struct ib_ah *ibah, struct rdma_ah_attr *attr);
int rxe_query_ah(struct ib_ah *ibah, struct rdma_ah_attr *attr);

/*
 * Does not wait: each posted WQE holds a reference on the destination, and is still sent. Context:
 * does not sleep. Return: 0.
 */
int rxe_destroy_ah(struct ib_ah *ibah, u32 flags);

#endif
