/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Management datagrams that the device itself answers: those of performance
 * management (IBTA 16.1). All others are for agents of the RDMA core.
 */
#ifndef RXE_MAD_H
#define RXE_MAD_H

#include <rdma/ib_mad.h>
#include <rdma/ib_verbs.h>

int rxe_process_mad(struct ib_device *ibdev, int flags, u32 port, const struct ib_wc *in_wc,
		    const struct ib_grh *in_grh, const struct ib_mad *in, struct ib_mad *out,
		    size_t *out_size, u16 *out_pkey_index);

#endif
