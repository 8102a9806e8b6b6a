/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A queue pair of the transport: reliable connection (IBTA 9.7), unreliable
 * connection (9.8.2) and unreliable datagram (9.8.3).
 *
 * The core does no I/O. Parsed packets and the time go in; runs of packets to
 * send, completions, events and a deadline come out. It takes no lock, sleeps
 * nowhere, allocates nothing and reads no clock: the caller serialises all calls
 * on one QP, provides the memory, and says what time it is.
 *
 *   posted WQEs ──roce_post──▶ requester ──roce_tx──▶ packets to send
 *   packets ──roce_rx──▶ completer (responses), responder (requests)
 *                              └──▶ ops: memory, receive WQEs, completions
 *   roce_deadline ──▶ the caller's timer ──▶ roce_timeout
 *
 * Time is in nanoseconds of any monotonic clock that does not start near zero.
 */
#ifndef ROCE_QP_H
#define ROCE_QP_H

#include <linux/stddef.h>
#include <linux/types.h>
#include <roce/ops.h>
#include <roce/packet.h>
#include <roce/qp_state.h>
#include <roce/wqe.h>

/* Runs in a batch, and packets if the caller wants as many as possible. */
#define ROCE_TX_RUNS	16
#define ROCE_TX_PKTS	128

/**
 * struct roce_tx_batch - packets to send, in order
 * @max_pkts: caller's limit on @npkts
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
 * roce_qp_init() - a QP in state RESET
 * @qp: zeroed; the caller has set @ops, @qpn, @service, @srq, @moderate_acks, @sq.wqes, @sq.mask,
 *      @sq.stride and @resp.recv_wqe
 */
void roce_qp_init(struct roce_qp *qp);

/**
 * roce_set_limits() - upper bounds of what the requester chooses by itself
 * @qp: the QP, in any state
 * @window: PSNs that may be unacknowledged, at least 1
 * @ack_interval: packets between AckReqs, at least 1
 *
 * They hold for what is sent from now on, and survive a reset.
 */
void roce_set_limits(struct roce_qp *qp, u32 window, u32 ack_interval);

/**
 * roce_pause_responses() - may READs and atomics be answered for the moment?
 * @qp: the QP
 * @hold: false: they may
 *
 * The window is the requester's, and does not bound what others ask for here. What comes behind
 * such a request is not acknowledged before it has been answered.
 */
static inline void roce_pause_responses(struct roce_qp *qp, bool hold)
{
	qp->responses_paused = hold;
}

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
 * roce_scheduled_responses() - count the requests that wait for their responses
 * @qp: the QP
 *
 * Return: READs, atomics, FLUSHes and ATOMIC WRITEs whose responses are scheduled.
 */
u32 roce_scheduled_responses(const struct roce_qp *qp);

/**
 * roce_modify() - change attributes and state
 * @qp: the QP
 * @now: time
 * @attr: the values
 * @mask: which of them: ROCE_QP_*
 *
 * The caller has checked the transition against the table of the specification
 * (IBTA 11.2.5.2, ib_modify_qp_is_ok()). Going to RESET forgets all work
 * without completions; going to ERR leaves the flushing to roce_flush(). From SQE
 * to RTS, send WQEs that are still to be flushed are.
 */
void roce_modify(struct roce_qp *qp, u64 now, const struct roce_attr *attr,
		 u32 mask);

/* The send WQE of index @i; any u32, taken modulo the ring. */
static inline struct roce_send_wqe *roce_sq_wqe(const struct roce_qp *qp, u32 i)
{
	return qp->sq.wqes + (size_t)(i & qp->sq.mask) * qp->sq.stride;
}

/* Free slots in the send queue. */
static inline u32 roce_sq_room(const struct roce_qp *qp)
{
	return qp->sq.mask + 1 - (qp->sq.prod - qp->sq.cons);
}

/**
 * roce_post() - the next @n slots from sq.prod on hold new WQEs
 * @qp: the QP
 * @n: at most roce_sq_room()
 *
 * They may be posted in any state from RTR on; in SQE and ERR they wait for
 * roce_flush().
 */
void roce_post(struct roce_qp *qp, u32 n);

/**
 * roce_rx() - take received packets
 * @qp: the QP
 * @now: time
 * @pkts: in order of arrival, all for this QP, ICRC and P_Key checked
 * @n: how many
 *
 * Payload is copied, or the packet held, before the call returns. At most one ACK will be sent for
 * all of them; it, and whatever else they made possible, is fetched by roce_tx().
 *
 * Return: packets taken. Fewer than @n if an op returned -EAGAIN: the rest is to be handed in
 * again, before any other packet, when the memory is there.
 */
u32 roce_rx(struct roce_qp *qp, u64 now, struct roce_pkt *pkts, u32 n);

/**
 * roce_tx() - fetch packets to send
 * @qp: the QP
 * @now: time
 * @batch: @max_pkts set, the rest is filled in
 *
 * Responses come before requests. What is in the batch counts as sent: if the
 * caller drops it, that is a loss like any other. The payload references are
 * valid until the next call on the QP.
 *
 * UC and UD: the send WQEs whose last packets were in a batch complete at the next
 * call, as their payload has been copied then. The caller goes on until it gets 0.
 *
 * Return: packets in the batch; 0 when there is nothing to send now.
 */
u32 roce_tx(struct roce_qp *qp, u64 now, struct roce_tx_batch *batch);

/**
 * roce_tx_backlogged() - would there be something to send, if nothing limited it?
 * @qp: the QP
 *
 * Return: true if requests have not been sent yet, or READs and atomics not answered; also if it
 * is for their own reasons that they cannot be.
 */
bool roce_tx_backlogged(const struct roce_qp *qp);

/**
 * roce_tx_idle() - is it certain that roce_tx() would do nothing?
 * @qp: the QP
 *
 * A few comparisons, which save a caller that has posted what waits for more, fetched a batch, or
 * handed in an acknowledgement, most of the calls that return 0.
 *
 * Return: true if so; false of UC and UD, whose send WQEs complete at the next call.
 */
bool roce_tx_idle(struct roce_qp *qp);

/**
 * roce_tx_failed() - the payload of a run could not be read
 * @qp: the QP
 * @now: time
 * @run: a run of the batch fetched last
 *
 * The memory went away between the check and the copy. Fails the send WQE with
 * a local protection error, or NAKs the READ with a remote access error. Runs
 * before it have been copied.
 */
void roce_tx_failed(struct roce_qp *qp, u64 now, const struct roce_tx_run *run);

/**
 * roce_delack_pending() - does an acknowledgement wait for a request to go with?
 * @qp: the QP
 *
 * Then it is due at roce_deadline(), or earlier, and its peer may be waiting for it.
 */
static inline bool roce_delack_pending(const struct roce_qp *qp)
{
	return qp->resp.ack.delack_expires != ROCE_NEVER;
}

/**
 * roce_deadline() - when roce_timeout() is due
 * @qp: the QP
 *
 * Return: time, or ROCE_NEVER. May move either way with every other call.
 */
u64 roce_deadline(const struct roce_qp *qp);

/**
 * roce_timeout() - the deadline may have passed
 * @qp: the QP
 * @now: time; nothing happens if it is before the deadline
 */
void roce_timeout(struct roce_qp *qp, u64 now);

/**
 * roce_final_ack() - fetch what is to be sent before the QP is gone
 * @qp: the QP, in any state
 * @batch: filled in
 *
 * The last acknowledgement may have been lost, or is yet to be sent, and once the
 * QP is gone nobody can repeat it: the peer would fail a request that was carried
 * out. So it is repeated beforehand. A peer that has it already ignores it (IBTA
 * 9.7.5.1, ghost acknowledgements). The caller may send the packet more than once,
 * in buffers that are not lost together.
 *
 * Return: packets in the batch, 0 or 1.
 */
u32 roce_final_ack(const struct roce_qp *qp, struct roce_tx_batch *batch);

/**
 * roce_flush() - complete WQEs with flush errors
 * @qp: in state ERR: both queues; in SQE, where an error of a UC or UD send brings
 *	it (IBTA 10.3.1.6): the send queue; in another state nothing happens
 * @budget: completions at most
 *
 * With @qp->srq, a receive WQE is flushed only if a message has begun to use it.
 * ROCE_EVENT_LAST_WQE is raised once when it has been, or if there is none.
 *
 * Return: true if there may be more to flush.
 */
bool roce_flush(struct roce_qp *qp, u32 budget);

/* The RNR NAK timer of code 0..31 in nanoseconds (IBTA table 45). */
u64 roce_rnr_ns(u8 code);

#endif
