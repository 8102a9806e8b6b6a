/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Completer of RC: processes responses, and completes send WQEs (IBTA 9.7.5.1, 9.7.6).
 */
#ifndef ROCE_COMPLETER_H
#define ROCE_COMPLETER_H

#include <roce/qp.h>

/**
 * roce_comp_rx() - process a response packet
 * @qp: an RC QP
 * @now: time, ns
 * @pkt: the packet
 *
 * Return: false if the packet must be redelivered, as its memory is not resident.
 */
bool roce_comp_rx(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt);

#endif
