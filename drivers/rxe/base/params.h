/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Module parameters. All of them are defined in params.c; rdma_rxe(4) describes them for users.
 *
 * Except for simd, cc, ecn, max_path_mtu and cnp_dscp, their names, types, defaults and permissions
 * are those of the patched versions of the in-kernel driver, because installations set them in
 * modprobe.d or at boot. A limit at its default does not apply and the transport chooses. Any other
 * value is an upper bound of what the transport chooses. A value written at run time applies to
 * packets sent from then on.
 */
#ifndef RXE_PARAMS_H
#define RXE_PARAMS_H

#include <linux/compiler.h>
#include <linux/types.h>

/**
 * struct rxe_params - limits of a QP
 * @cwnd_clamp: upper bound of unacknowledged packets, U32_MAX: none; the lower of max_unacked_psns
 *	and inflight_skbs_per_qp_high
 * @cwnd_limited_by_txq: @cwnd_clamp is inflight_skbs_per_qp_high, so that stalls are counted in
 *	wait_skb instead of wait_psn
 * @max_ack_interval: upper bound of packets from one AckReq to the next, U32_MAX: none
 */
struct rxe_params {
	u32 cwnd_clamp;
	bool cwnd_limited_by_txq;
	u32 max_ack_interval;
};

/**
 * rxe_params_get() - read the current limits
 * @p: result
 *
 * Context: any. Writers are not excluded: the fields may stem from different writes.
 */
void rxe_params_get(struct rxe_params *p);

/* Values of the parameter ecn. */
enum rxe_ecn {
	RXE_ECN_APP,
	RXE_ECN_ALWAYS,
	RXE_ECN_NEVER,
};

/* Return the traffic class of a connection whose application asks for @tclass (ecn). */
u8 rxe_params_ecn(u8 tclass);

/* Return the traffic class of CNPs (cnp_dscp). */
u8 rxe_params_cnp_tclass(void);

/* Return the name of the congestion control algorithm of new QPs (cc). */
const char *rxe_params_cc(void);

/* A path MTU that the route does not carry is refused (max_path_mtu). */
bool rxe_params_check_route_mtu(void);

/* Packets that a QP sends before it yields to others (max_iterations), at least 1. */
u32 rxe_params_budget(void);

/* Payload may be sent in page fragments, which segmentation offload requires (use_sg). */
bool rxe_params_use_sg(void);

/* The state of a QP is logged when it enters the error state (dump_qp_on_error). */
bool rxe_params_dump_qp(void);

/* The variables of parameters that are read for each packet, for the functions below. */
extern bool rxe_param_xmit_hard;
extern bool rxe_param_skb_hash_to_txq;

/* Packets may bypass the qdisc (xmit_hard). */
static inline bool rxe_params_xmit_hard(void)
{
	return READ_ONCE(rxe_param_xmit_hard);
}

/* The txq follows from the QPN instead of from the CPU (skb_hash_to_txq); fixed at load. */
static inline bool rxe_params_skb_hash_to_txq(void)
{
	return rxe_param_skb_hash_to_txq;
}

/*
 * Width in bits of the vector registers for ICRCs (simd): as requested until rxe_crc_init(), which
 * replaces it by the width in use: 0, 128 or 512. -1: the fastest.
 */
extern int rxe_param_simd;

#endif
