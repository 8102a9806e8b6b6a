/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ROCE_COMPLETER_H
#define ROCE_COMPLETER_H

#include <roce/qp.h>

/* Handle a response packet. Return: false if it must be redelivered: memory is not resident. */
bool roce_comp_rx(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt);

#endif
