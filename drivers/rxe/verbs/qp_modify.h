/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Attributes of queue pairs, their state among them.
 */
#ifndef RXE_QP_ATTR_H
#define RXE_QP_ATTR_H

#include <rdma/ib_verbs.h>

/**
 * rxe_modify_qp() - change attributes and state
 * @ibqp: the QP
 * @attr: the values
 * @mask: which of them, enum ib_qp_attr_mask
 * @udata: not used
 *
 * Context: process; takes a mutex.
 * Return: 0; -EINVAL: a value out of range, or attributes or a transition that
 *	the state does not allow; -EOPNOTSUPP: an attribute that is not supported;
 *	-ENOMEM, -ENODEV. Nothing has changed then.
 */
int rxe_modify_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask, struct ib_udata *udata);

int rxe_query_qp(struct ib_qp *ibqp, struct ib_qp_attr *attr, int mask,
		 struct ib_qp_init_attr *init);

#endif
