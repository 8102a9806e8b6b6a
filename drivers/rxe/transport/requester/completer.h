/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ROCE_COMPLETER_H
#define ROCE_COMPLETER_H

#include <roce/qp.h>

/* Take one response packet. */
void roce_comp_rx(struct roce_qp *qp, u64 now, const struct roce_pkt *pkt);

#endif
