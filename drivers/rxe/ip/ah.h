/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Address handles as verbs objects; what sending works on is the destination
 * (dest.h).
 */
#ifndef RXE_AH_H
#define RXE_AH_H

#include <rdma/ib_verbs.h>

struct rxe_dest;

/**
 * struct rxe_ah - an address handle
 * @ibah: the RDMA core's part
 * @dest: the destination
 * @attr: for queries; holds no reference to its GID
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

/* For users and kernel consumers. Context: atomic, unless the attributes say sleepable. */
int rxe_create_ah(struct ib_ah *ibah, struct rdma_ah_init_attr *init, struct ib_udata *udata);
int rxe_modify_ah(struct ib_ah *ibah, struct rdma_ah_attr *attr);
int rxe_query_ah(struct ib_ah *ibah, struct rdma_ah_attr *attr);

/* Waits for nobody: WQEs that have been posted are still sent. Context: as for creation. */
int rxe_destroy_ah(struct ib_ah *ibah, u32 flags);

#endif
