/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Responder of the unreliable services, UC (IBTA 9.8.2) and UD (IBTA 9.8.3).
 */
#ifndef ROCE_RESPONDER_UNRELIABLE_H
#define ROCE_RESPONDER_UNRELIABLE_H

#include <roce/qp.h>

/*
 * Both return false if the packet must be redelivered, as its memory is not resident.
 */

/* Execute or drop a request packet for a UC QP. */
bool roce_uc_rx(struct roce_qp *qp, const struct roce_pkt *pkt);

/* Store or drop a datagram for a UD QP. */
bool roce_ud_rx(struct roce_qp *qp, const struct roce_pkt *pkt);

#endif
