/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What "rdma resource show -dd" tells of objects beyond what the RDMA core knows.
 */
#ifndef RXE_RESTRACK_H
#define RXE_RESTRACK_H

#include <rdma/ib_verbs.h>

/*
 * Add the driver's own attributes of an object to @msg. Context: process; the
 * caller keeps the object. Return: 0, or -EMSGSIZE when @msg is full.
 */
int rxe_fill_res_qp(struct sk_buff *msg, struct ib_qp *ibqp);
int rxe_fill_res_cq(struct sk_buff *msg, struct ib_cq *ibcq);
int rxe_fill_res_mr(struct sk_buff *msg, struct ib_mr *ibmr);
int rxe_fill_res_srq(struct sk_buff *msg, struct ib_srq *ibsrq);

#endif
