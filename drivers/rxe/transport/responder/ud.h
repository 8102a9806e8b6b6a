/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ROCE_UD_H
#define ROCE_UD_H

#include <roce/qp.h>

/* Take one packet for a QP of unreliable datagrams. */
void roce_ud_rx(struct roce_qp *qp, const struct roce_pkt *pkt);

#endif
