/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace events (tracepoints) of QPs, system "rdma_rxe": packets, states, losses, timers.
 *
 * A disabled event costs one no-op instruction. Devices are recorded by name, because a trace may
 * be read after the device is gone. Context of all: the endpoint's lock held.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM rdma_rxe

#if !defined(RXE_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define RXE_TRACE_H

#include <linux/tracepoint.h>
#include <roce/info.h>
#include <roce/opcode.h>
#include <roce/qp.h>

#include "base/device.h"
#include "qp/ep.h"

/* clang-format off */

/* Bytes for the longest name of the opcode table (roce/opcode.h), with its NUL. */
#define RXE_TRACE_OPCODE_LEN 40

/* Values of the enums in the print formats, for programs that read binary traces. */
TRACE_DEFINE_ENUM(ROCE_RESET);
TRACE_DEFINE_ENUM(ROCE_INIT);
TRACE_DEFINE_ENUM(ROCE_RTR);
TRACE_DEFINE_ENUM(ROCE_RTS);
TRACE_DEFINE_ENUM(ROCE_SQD);
TRACE_DEFINE_ENUM(ROCE_SQE);
TRACE_DEFINE_ENUM(ROCE_ERR);
#define RXE_TRACE_DEFINE_LOSS(id, name, count, text) TRACE_DEFINE_ENUM(ROCE_COUNT_##count);
RXE_COUNTER_TABLE(RXE_COUNTER_SKIP, RXE_COUNTER_SKIP, RXE_TRACE_DEFINE_LOSS)
TRACE_DEFINE_ENUM(ROCE_COUNTS);

#define rxe_show_state(state)                                                                \
	__print_symbolic(state, { ROCE_RESET, "RESET" }, { ROCE_INIT, "INIT" },              \
			 { ROCE_RTR, "RTR" }, { ROCE_RTS, "RTS" }, { ROCE_SQD, "SQD" },      \
			 { ROCE_SQE, "SQE" }, { ROCE_ERR, "ERR" })

/* The entry ROCE_COUNTS matches no event; it ends the list, as the macro's rows end in a comma. */
#define RXE_TRACE_LOSS_TEXT(id, name, count, text) { ROCE_COUNT_##count, text },
#define rxe_show_loss(what)                                                                  \
	__print_symbolic(what,                                                               \
			 RXE_COUNTER_TABLE(RXE_COUNTER_SKIP, RXE_COUNTER_SKIP,               \
					   RXE_TRACE_LOSS_TEXT) { ROCE_COUNTS, "none" })

/* Bit mask of the ROCE_COUNT_* that indicate loss or recovery; the others are regular traffic. */
#define RXE_TRACE_LOSS_BIT(id, name, count, text) | BIT(ROCE_COUNT_##count)
#define RXE_TRACE_LOSSES                                                                     \
	(0 RXE_COUNTER_TABLE(RXE_COUNTER_SKIP, RXE_COUNTER_SKIP, RXE_TRACE_LOSS_BIT))

DECLARE_EVENT_CLASS(rxe_packet,
	TP_PROTO(const struct rxe_ep *ep, u8 opcode, u32 dest_qpn, u32 psn, bool ack_req, u32 len),
	TP_ARGS(ep, opcode, dest_qpn, psn, ack_req, len),
	TP_STRUCT__entry(
		__array(char, dev, IB_DEVICE_NAME_MAX)
		__field(u32, qpn)
		__field(u32, dest_qpn)
		__field(u32, psn)
		__field(u32, len)
		__array(char, opcode, RXE_TRACE_OPCODE_LEN)
		__field(bool, ack_req)
	),
	TP_fast_assign(
		strscpy(__entry->dev, dev_name(&ep->flow.dev->ibdev.dev), IB_DEVICE_NAME_MAX);
		__entry->qpn = ep->transport.qpn;
		__entry->dest_qpn = dest_qpn;
		__entry->psn = psn;
		__entry->len = len;
		strscpy(__entry->opcode, roce_opcode(opcode)->name, RXE_TRACE_OPCODE_LEN);
		__entry->ack_req = ack_req;
	),
	TP_printk("dev=%s qpn=%u dest_qpn=%u opcode='%s' psn=%u ack_req=%u payload=%u",
		  __entry->dev, __entry->qpn, __entry->dest_qpn, __entry->opcode, __entry->psn,
		  __entry->ack_req, __entry->len)
);

/* A packet built for the network stack; the opcode is that of the BTH. */
DEFINE_EVENT(rxe_packet, rxe_tx,
	TP_PROTO(const struct rxe_ep *ep, u8 opcode, u32 dest_qpn, u32 psn, bool ack_req, u32 len),
	TP_ARGS(ep, opcode, dest_qpn, psn, ack_req, len));

/* A received packet that has passed the checks of addresses, P_Key and ICRC. */
DEFINE_EVENT(rxe_packet, rxe_rx,
	TP_PROTO(const struct rxe_ep *ep, u8 opcode, u32 dest_qpn, u32 psn, bool ack_req, u32 len),
	TP_ARGS(ep, opcode, dest_qpn, psn, ack_req, len));

/* Called after each operation that may change the state; recorded only if the state differs. */
TRACE_EVENT_CONDITION(rxe_qp_state,
	TP_PROTO(const struct rxe_ep *ep, u8 old),
	TP_ARGS(ep, old),
	TP_CONDITION(ep->transport.state != old),
	TP_STRUCT__entry(
		__array(char, dev, IB_DEVICE_NAME_MAX)
		__field(u32, qpn)
		__field(u8, old)
		__field(u8, state)
	),
	TP_fast_assign(
		strscpy(__entry->dev, dev_name(&ep->flow.dev->ibdev.dev), IB_DEVICE_NAME_MAX);
		__entry->qpn = ep->transport.qpn;
		__entry->old = old;
		__entry->state = ep->transport.state;
	),
	TP_printk("dev=%s qpn=%u %s -> %s", __entry->dev, __entry->qpn,
		  rxe_show_state(__entry->old), rxe_show_state(__entry->state))
);

/* Loss detected, or recovery started; @what: enum roce_count (roce/ops.h). */
TRACE_EVENT_CONDITION(rxe_loss,
	TP_PROTO(const struct rxe_ep *ep, u32 what),
	TP_ARGS(ep, what),
	TP_CONDITION(BIT(what) & RXE_TRACE_LOSSES),
	TP_STRUCT__entry(
		__array(char, dev, IB_DEVICE_NAME_MAX)
		__field(u32, qpn)
		__field(u32, what)
		__field(u32, una)
		__field(u32, psn)
		__field(u32, expected)
		__field(u64, rto)
		__field(u8, retries)
		__field(u8, rnr_retries)
	),
	TP_fast_assign(
		struct roce_qp_info info;

		roce_qp_get_info(&ep->transport, &info);
		strscpy(__entry->dev, dev_name(&ep->flow.dev->ibdev.dev), IB_DEVICE_NAME_MAX);
		__entry->qpn = ep->transport.qpn;
		__entry->what = what;
		__entry->una = info.una;
		__entry->psn = info.max;
		__entry->expected = info.epsn;
		__entry->rto = info.rto;
		__entry->retries = info.retries_left;
		__entry->rnr_retries = info.rnr_retries_left;
	),
	TP_printk("dev=%s qpn=%u %s: unacknowledged=%u..%u expected=%u rto=%lluns retries=%u rnr_retries=%u",
		  __entry->dev, __entry->qpn, rxe_show_loss(__entry->what), __entry->una,
		  __entry->psn, __entry->expected, __entry->rto, __entry->retries,
		  __entry->rnr_retries)
);

/* The timer of a QP fires. Before its deadline it is an early fire, which only arms it again. */
TRACE_EVENT(rxe_timer,
	TP_PROTO(const struct rxe_ep *ep, u64 now),
	TP_ARGS(ep, now),
	TP_STRUCT__entry(
		__array(char, dev, IB_DEVICE_NAME_MAX)
		__field(u32, qpn)
		__field(u8, state)
		__field(u64, now)
		__field(u64, deadline)
	),
	TP_fast_assign(
		strscpy(__entry->dev, dev_name(&ep->flow.dev->ibdev.dev), IB_DEVICE_NAME_MAX);
		__entry->qpn = ep->transport.qpn;
		__entry->state = ep->transport.state;
		__entry->now = now;
		__entry->deadline = roce_deadline(&ep->transport);
	),
	TP_printk("dev=%s qpn=%u state=%s %s", __entry->dev, __entry->qpn,
		  rxe_show_state(__entry->state),
		  __entry->deadline == ROCE_NEVER ? "nothing awaited" :
		  __entry->now < __entry->deadline ? "early fire" : "due")
);

/* clang-format on */

/* Trace each packet of a batch. Called only while the event is enabled. */
void rxe_trace_tx(const struct rxe_ep *ep, const struct roce_tx_batch *batch);
void rxe_trace_rx(const struct rxe_ep *ep, const struct roce_pkt *pkts, u32 n);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
