/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Queue pair (QP), the interface of the transport: reliable connection (RC, IBTA 9.7), unreliable
 * connection (UC, 9.8.2), unreliable datagram (UD, 9.8.3), and raw Ethernet frames.
 *
 * The transport does no I/O. Its input is parsed packets and the time; its output is runs of
 * packets to send, completions, events and a deadline. It takes no lock, does not sleep, allocates
 * nothing and reads no clock.
 *
 * Context of all functions: the caller serialises all calls on one QP, and provides the memory. The
 * operations of <roce/ops.h> are called from within them.
 *
 *   posted WQEs ──roce_post──▶ requester ──roce_tx──▶ packets to send
 *   packets ──roce_rx──▶ completer (responses), responder (requests)
 *                              └──▶ ops: memory, receive WQEs, completions
 *   roce_deadline ──▶ the caller's timer ──▶ roce_timeout
 *
 * All times, @now included, are in ns of a monotonic clock that is well above 0: a time of 0 means
 * "not running".
 */
#ifndef ROCE_QP_H
#define ROCE_QP_H

#include <linux/stddef.h>
#include <linux/types.h>
#include <roce/ops.h>
#include <roce/packet.h>
#include <roce/qp_state.h>
#include <roce/wqe.h>

/* Maximum runs in a batch. */
#define ROCE_TX_RUNS	16
/* Maximum packets in a batch, which the caller may reduce. */
#define ROCE_TX_PKTS	128
/* Upper limit of the congestion window, packets: 32 MiB at a path MTU of 1024. */
#define ROCE_CC_MAX_CWND	32768u
/* Longest AckReq interval, packets. */
#define ROCE_ACKREQ_MAX_INTERVAL	64u

/**
 * struct roce_tx_quota - what a QP may send: the limits of the caller, and its backpressure
 * @cwnd_clamp: upper bound of the congestion window, packets, 1..ROCE_CC_MAX_CWND
 * @ack_interval: packets between AckReqs at most, 1..ROCE_ACKREQ_MAX_INTERVAL
 * @max_pkts: packets of the next batch, 0..ROCE_TX_PKTS
 * @responses: the responses to READs and atomics may be sent. The congestion window applies to
 *	requests alone. While scheduled responses wait, the QP still sends requests, but no ACK: the
 *	ACK of a later request would acknowledge the READ, too.
 *
 * @cwnd_clamp and @ack_interval also apply to the packets received until the next roce_tx().
 */
struct roce_tx_quota {
	u32 cwnd_clamp;
	u32 ack_interval;
	u16 max_pkts;
	bool responses;
};

/* A full batch, and no limits but those of the transport. */
#define ROCE_TX_QUOTA_MAX                                         \
	((struct roce_tx_quota){ .cwnd_clamp = ROCE_CC_MAX_CWND,  \
				 .ack_interval = ROCE_ACKREQ_MAX_INTERVAL, \
				 .max_pkts = ROCE_TX_PKTS,        \
				 .responses = true })

/**
 * struct roce_tx_batch - packets to send, in order
 * @max_pkts: limit of @npkts
 * @npkts: packets in all runs
 * @nruns: valid entries of @run
 * @run: the packets
 */
struct roce_tx_batch {
	u16 max_pkts;
	u16 npkts;
	u16 nruns;
	struct roce_tx_run run[ROCE_TX_RUNS];
};

/**
 * roce_qp_init() - initialise a QP, in state RESET
 * @qp: zeroed; the caller has set @ops, @qpn, @service, @srq, @ackreq_deferral, @sq.wqes, @sq.mask,
 *	@sq.stride and @resp.recv_wqe
 */
void roce_qp_init(struct roce_qp *qp);

/* Return the name of congestion control algorithm @i, the default for 0; NULL behind the last. */
const char *roce_cc_name(u32 i);

/**
 * roce_set_cc() - choose the congestion control algorithm
 * @qp: the QP, in state RESET; the choice outlives later transitions to RESET
 * @name: one of roce_cc_name(): "delay", the default, for networks that others use, too; "aimd",
 *	for a wire that carries little else; "fixed", @cwnd_clamp of struct roce_tx_quota
 *
 * Return: 0, or -EINVAL if there is no algorithm of that name.
 */
int roce_set_cc(struct roce_qp *qp, const char *name);

/**
 * roce_set_resources() - set the responder resources
 * @qp: the QP, in any state
 * @res: zeroed array of @n; NULL if @n is 0
 * @n: 0..255 READs and atomics that may be outstanding; 0 refuses them
 *
 * The newest @n resources in use are copied to @res.
 *
 * Return: the array used before, for the caller to free.
 */
struct roce_rsrc *roce_set_resources(struct roce_qp *qp, struct roce_rsrc *res, u32 n);

/**
 * roce_scheduled_responses() - count the requests with scheduled responses
 * @qp: the QP
 *
 * Return: READs, atomics, FLUSHes and ATOMIC WRITEs whose responses are scheduled.
 */
u32 roce_scheduled_responses(const struct roce_qp *qp);

/**
 * roce_modify() - change attributes and state (IBTA 11.2.5.2)
 * @qp: the QP
 * @now: time
 * @attr: the values
 * @mask: the attributes to change, ROCE_QP_*
 *
 * The caller has checked the state transition (ib_modify_qp_is_ok()). State RESET drops all WQEs
 * without completions. In state ERR, the caller flushes them with roce_flush(). The transition from
 * SQE to RTS first flushes the send WQEs that roce_flush() has not.
 */
void roce_modify(struct roce_qp *qp, u64 now, const struct roce_attr *attr,
		 u32 mask);

/* Return the send WQE of index @i, any u32, modulo the size of the ring. */
static inline struct roce_send_wqe *roce_sq_wqe(const struct roce_qp *qp, u32 i)
{
	return qp->sq.wqes + (size_t)(i & qp->sq.mask) * qp->sq.stride;
}

/* Return the number of free slots in the send queue. */
static inline u32 roce_sq_room(const struct roce_qp *qp)
{
	return qp->sq.mask + 1 - (qp->sq.prod - qp->sq.cons);
}

/**
 * roce_post() - post the WQEs in the next slots of the send queue
 * @qp: the QP, in any state from RTR on
 * @n: slots from sq.prod on that the caller has filled in; 0..roce_sq_room()
 *
 * In SQE and ERR, the WQEs are only completed, by roce_flush().
 */
void roce_post(struct roce_qp *qp, u32 n);

/**
 * roce_rx() - process received packets
 * @qp: the QP
 * @now: time
 * @pkts: packets for this QP, in order of arrival, with ICRC and P_Key checked
 * @n: number of @pkts
 *
 * On return, payloads have been copied, and out-of-order requests retained (ops->retain_pkt). At
 * most one ACK is sent for all @pkts. The caller calls roce_tx() afterwards: for the ACK, for
 * responses, and for requests that an acknowledgement has made possible.
 *
 * Return: packets processed. Fewer than @n if an operation returned -EAGAIN: the caller redelivers
 * the remaining packets, before any others, once the memory is resident.
 */
u32 roce_rx(struct roce_qp *qp, u64 now, struct roce_pkt *pkts, u32 n);

/**
 * roce_tx() - fetch packets to send
 * @qp: the QP
 * @now: time
 * @quota: what the QP may send now; the caller determines it for each call
 * @batch: filled in
 *
 * Responses precede requests. The packets in the batch count as sent: if the caller drops them,
 * they are retransmitted as after any other loss. Payload references are valid until the next call
 * on the QP.
 *
 * UC, UD and raw: a send WQE completes at the call after the batch with its last packet, when the
 * caller has copied the payload. So the caller calls roce_tx() until it returns 0.
 *
 * Return: packets in the batch; 0 if none can be sent now.
 */
u32 roce_tx(struct roce_qp *qp, u64 now, const struct roce_tx_quota *quota,
	    struct roce_tx_batch *batch);

/**
 * roce_tx_backlogged() - test for unsent requests and responses
 * @qp: the QP
 *
 * Return: true if a send WQE has packets to send, or a READ or atomic has responses to send. They
 * count even if the congestion window, a fence or the initiator depth prevents it now.
 */
bool roce_tx_backlogged(const struct roce_qp *qp);

/**
 * roce_tx_paced() - test for packets that wait for the pacing timer
 * @qp: the QP
 *
 * Return: true if roce_deadline() may be that of the pacing timer, which must not fire late.
 */
static inline bool roce_tx_paced(const struct roce_qp *qp)
{
	return (qp->req.cc.paced && qp->sq.next != qp->sq.prod) ||
	       (qp->resp.pacing.waiting && qp->resp.first_scheduled);
}

/**
 * roce_tx_idle() - test whether roce_tx() can be omitted
 * @qp: the QP
 *
 * Cheaper than a roce_tx() that returns 0, for callers that have posted corked WQEs (cork.h),
 * fetched a batch, or delivered an ACK.
 *
 * Return: true if roce_tx() would do nothing. False if it may do something; always false for UC, UD
 * and raw, where it completes send WQEs.
 */
bool roce_tx_idle(struct roce_qp *qp);

/**
 * roce_tx_failed() - report that the payload of a run cannot be read
 * @qp: the QP
 * @now: time
 * @run: a run of the last batch; the payloads of the runs before it have been copied
 *
 * The memory was deregistered or invalidated after its keys were checked. Fails the send WQE with a
 * local protection error, or refuses the READ with a NAK, remote access error.
 */
void roce_tx_failed(struct roce_qp *qp, u64 now, const struct roce_tx_run *run);

/**
 * roce_tx_dropped() - report that this host has dropped packets of the last batches
 * @qp: the QP
 * @now: time
 *
 * A queue of the own interface is full, which is a sign of congestion that need not wait for the
 * peer to miss the packets. They are retransmitted as after any other loss.
 */
void roce_tx_dropped(struct roce_qp *qp, u64 now);

/**
 * roce_delack_pending() - test for a delayed ACK
 * @qp: the QP
 *
 * Return: true if an ACK is delayed until a request is sent, or its timer expires. The peer may be
 * waiting for it.
 */
static inline bool roce_delack_pending(const struct roce_qp *qp)
{
	return qp->resp.ack.delack_expires != ROCE_NEVER;
}

/**
 * roce_deadline() - get the expiry of the QP's earliest timer
 * @qp: the QP
 *
 * Return: when roce_timeout() is due, ns; ROCE_NEVER if no timer runs. Any other call on the QP may
 * make it earlier or later.
 */
u64 roce_deadline(const struct roce_qp *qp);

/**
 * roce_timeout() - process expired timers
 * @qp: the QP
 * @now: time; before roce_deadline(), the call has no effect
 *
 * The caller calls roce_tx() afterwards.
 */
void roce_timeout(struct roce_qp *qp, u64 now);

/**
 * roce_final_ack() - fetch a repetition of the last ACK, before the QP is destroyed
 * @qp: the QP, in any state
 * @batch: filled in
 *
 * The last ACK may have been lost, or not been sent yet, and a destroyed QP cannot repeat it: the
 * peer would fail a request that was executed. A peer that has received the ACK ignores the
 * repetition, as a ghost ACK (IBTA 9.7.5.1). The caller may send the packet several times, in
 * separate skbs, so that one drop does not lose all copies.
 *
 * Return: packets in the batch, 0 or 1.
 */
u32 roce_final_ack(const struct roce_qp *qp, struct roce_tx_batch *batch);

/**
 * roce_flush() - complete WQEs with flush errors
 * @qp: the QP. In ERR, both queues are flushed; in SQE, the state of a UC or UD QP after a failed
 *	send (IBTA 10.3.1.6), the send queue is; in other states the call has no effect.
 * @budget: maximum number of completions
 *
 * With @qp->srq, a receive WQE is flushed only if a message of this QP has begun to use it.
 * ROCE_EVENT_LAST_WQE is raised, once, when nothing is left to flush.
 *
 * Return: true if the budget was used up: WQEs may be left.
 */
bool roce_flush(struct roce_qp *qp, u32 budget);

/* Return the duration of the RNR NAK timer of @code, 0..31, in ns (IBTA table 45). */
u64 roce_rnr_ns(u8 code);

#endif
