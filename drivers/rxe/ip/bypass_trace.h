/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace event rxe_bypass: why a fast path is off. A disabled event costs one no-op instruction.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM rdma_rxe

#if !defined(RXE_BYPASS_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define RXE_BYPASS_TRACE_H

#include <linux/netdevice.h>
#include <linux/tracepoint.h>

#include "ip/bypass.h"

/* clang-format off */

TRACE_DEFINE_ENUM(RXE_BYPASS_TX_DIRECT);
TRACE_DEFINE_ENUM(RXE_BYPASS_TX_VETH);
TRACE_DEFINE_ENUM(RXE_BYPASS_GRO_BYPASS);
TRACE_DEFINE_ENUM(RXE_BYPASS_GRO_JOIN);

/* RXE_VETO_TEXTS is in ip/bypass.h. */
#undef RXE_VETO_TEXT
#undef RXE_VETO_TEXT_END
#define RXE_VETO_TEXT(name, text) TRACE_DEFINE_ENUM(RXE_VETO_##name);
#define RXE_VETO_TEXT_END(name, text) TRACE_DEFINE_ENUM(RXE_VETO_##name);
RXE_VETO_TEXTS

#undef RXE_VETO_TEXT
#undef RXE_VETO_TEXT_END
#define RXE_VETO_TEXT(name, text) { RXE_VETO_##name, text },
#define RXE_VETO_TEXT_END(name, text) { RXE_VETO_##name, text }

/* Called after the conditions of a fast path have been tested, and records if one has failed. */
TRACE_EVENT_CONDITION(rxe_bypass,
	TP_PROTO(enum rxe_bypass_veto veto, const struct net_device *ndev,
		 enum rxe_bypass_path path),
	TP_ARGS(veto, ndev, path),
	TP_CONDITION(veto != RXE_BYPASS_OK),
	TP_STRUCT__entry(
		__array(char, ndev, IFNAMSIZ)
		__field(u32, veto)
		__field(u32, path)
	),
	TP_fast_assign(
		strscpy(__entry->ndev, ndev->name, IFNAMSIZ);
		__entry->veto = veto;
		__entry->path = path;
	),
	TP_printk("netdev=%s path='%s' veto='%s'", __entry->ndev,
		  __print_symbolic(__entry->path, { RXE_BYPASS_TX_DIRECT, "tx direct" },
				   { RXE_BYPASS_TX_VETH, "tx veth" }, { RXE_BYPASS_GRO_BYPASS, "rx bypass" },
				   { RXE_BYPASS_GRO_JOIN, "rx gro" }),
		  __print_symbolic(__entry->veto, RXE_VETO_TEXTS))
);

/* clang-format on */

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE bypass_trace
#include <trace/define_trace.h>
