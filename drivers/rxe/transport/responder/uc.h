/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ROCE_UC_H
#define ROCE_UC_H

#include <roce/qp.h>

/* Take one packet for a QP of an unreliable connection. */
void roce_uc_rx(struct roce_qp *qp, const struct roce_pkt *pkt);

#endif
