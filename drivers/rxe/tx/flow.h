/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Transmit flow: the fields of an endpoint that the transmit path uses.
 */
#ifndef RXE_TX_FLOW_H
#define RXE_TX_FLOW_H

#include <linux/compiler.h>
#include <linux/types.h>

#include "base/counters.h"
#include "ip/path.h"
#include "tx/gso_watch.h"
#include "tx/order.h"

struct rxe_dev;
struct rxe_mem_cache;

/**
 * struct rxe_tx_flow - an endpoint as a sender of packets
 * @dev: device
 * @counters: the device's counters, or those of the rdma counter that the QP is bound to; read with
 *	READ_ONCE(), freed after an RCU grace period
 * @path: path of all packets, except for a UD QP; protected by the endpoint's lock
 * @mem_cache: the endpoint's cache of a memory reference; protected by the endpoint's lock
 * @una: oldest unacknowledged PSN of requests, when the batch was made; protected by the lock
 * @hash: flow hash, 32 bits, a function of the QPN: it keeps the packets of a QP in order and
 *	distributes QPs over transmit queues
 * @service: ROCE_OP_RC, ROCE_OP_UC, ROCE_OP_UD or ROCE_RAW, as in struct roce_qp, which only qp/
 *	and verbs/ use
 * @order: CPU that the endpoint is bound to; belongs to the context that sends
 * @user: the QP belongs to a program: a posting thread holds no lock that completion handlers take
 * @gso_watch: watched GSO buffers of requests and of READ responses; protected by the lock
 *
 * Fields without a lock never change once the endpoint has a QPN.
 */
struct rxe_tx_flow {
	struct rxe_dev *dev;
	struct rxe_counters __percpu *counters;
	struct rxe_path path;
	struct rxe_mem_cache *mem_cache;
	struct rxe_tx_order order;
	u32 una;
	u32 hash;
	u8 service;
	bool user;
	struct rxe_gso_watch gso_watch[2];
};

/* Add @n to counter @what. Context: bottom halves off, RCU read lock held. */
static inline void rxe_tx_count(const struct rxe_tx_flow *flow, enum rxe_counter what, u64 n)
{
	rxe_counters_add_bh(READ_ONCE(flow->counters), what, n);
}

#endif
