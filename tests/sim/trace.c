// SPDX-License-Identifier: GPL-2.0
/* Trace of a simulation: names of states and counts, one line per event. */
#include <stdio.h>
#include <linux/kernel.h>
#include <roce/opcode.h>
#include <roce/wire.h>

#include "sim.h"
#include "trace.h"

static const char *const states[] = { "RESET", "INIT", "RTR", "RTS", "SQD", "SQE", "ERR" };

static const char *const statuses[] = {
	"success",
	"local length",
	"local QP operation",
	"local EEC operation",
	"local protection",
	"flushed",
	"MW bind",
	"bad response",
	"local access",
	"remote invalid request",
	"remote access",
	"remote operation",
	"retries exceeded",
	"RNR retries exceeded",
};

static const char *const events[] = {
	"communication established", "SQ drained", "QP fatal", "request error", "access error",
	"last WQE reached",
};

static const char *const counts[] = {
	[ROCE_COUNT_DUP_REQUEST] = "duplicate requests",
	[ROCE_COUNT_OUT_OF_SEQ] = "requests out of sequence",
	[ROCE_COUNT_RCVD_RNR] = "RNR NAKs received",
	[ROCE_COUNT_SENT_RNR] = "RNR NAKs sent",
	[ROCE_COUNT_RCVD_SEQ_NAK] = "sequence NAKs received",
	[ROCE_COUNT_RETRY_EXC] = "retries exceeded",
	[ROCE_COUNT_RNR_RETRY_EXC] = "RNR retries exceeded",
	[ROCE_COUNT_REWIND] = "rewinds",
	[ROCE_COUNT_TIMEOUT] = "rewinds by timeout",
	[ROCE_COUNT_TAIL_DUP] = "last packets sent twice",
	[ROCE_COUNT_GHOST_ACK] = "ghost ACKs",
	[ROCE_COUNT_SENDS] = "SENDs completed",
	[ROCE_COUNT_RECVS] = "receives completed",
	[ROCE_COUNT_BAD_STATE] = "packets in a bad state",
	[ROCE_COUNT_BAD_DUP] = "duplicates without a record",
	[ROCE_COUNT_ACK_COALESCED] = "ACKs coalesced",
	[ROCE_COUNT_NO_RECV] = "dropped, no receive",
	[ROCE_COUNT_BAD_REQUEST] = "dropped, bad request",
	[ROCE_COUNT_BAD_QKEY] = "dropped, Q_Key",
	[ROCE_COUNT_WAIT_PSN] = "window full",
	[ROCE_COUNT_WAIT_FENCE] = "waiting for a fence",
	[ROCE_COUNT_WAIT_DEPTH] = "waiting for the initiator depth",
	[ROCE_COUNT_CE] = "packets marked CE",
	[ROCE_COUNT_SENT_CNP] = "CNPs sent",
	[ROCE_COUNT_CNP_HANDLED] = "CNPs handled",
	[ROCE_COUNT_CNP_IGNORED] = "CNPs ignored",
};

/* Each has a name: new ones are added at the end. */
_Static_assert(ARRAY_SIZE(counts) == ROCE_COUNTS, "a count has no name");

const char *trace_state(u8 state)
{
	return state < ARRAY_SIZE(states) ? states[state] : "?";
}

const char *trace_status(u8 status)
{
	return status < ARRAY_SIZE(statuses) ? statuses[status] : "?";
}

const char *trace_count_name(u32 what)
{
	return what < ARRAY_SIZE(counts) ? counts[what] : "?";
}

static bool begin(const struct host *h)
{
	if (h->sim->verbose)
		printf("%12.3f us  host %u  ", h->sim->now / 1000.0, h->id);
	return h->sim->verbose;
}

static void print_aeth(const struct roce_pkt *pkt)
{
	switch (pkt->syndrome & ROCE_AETH_KIND) {
	case ROCE_AETH_ACK:
		break;
	case ROCE_AETH_RNR_NAK:
		printf(" RNR NAK timer %u", pkt->syndrome & ROCE_AETH_VALUE);
		break;
	default:
		printf(" NAK %#x", pkt->syndrome);
	}
	printf(" msn %u", pkt->msn);
}

void trace_sent(const struct host *h, const struct frame *f)
{
	struct roce_pkt pkt;

	if (!begin(h))
		return;
	if (roce_parse(f->bytes + f->bth, f->len - f->bth, f->len - f->bth, ROCE_ICRC_LEN, &pkt)) {
		printf("sends a malformed packet");
		return;
	}
	printf("-> %u  psn %06x  %s, %u bytes%s", f->dst, pkt.psn, pkt.op->name, pkt.payload_len,
	       pkt.ack_req ? ", AckReq" : "");
	if (pkt.op->flags & ROCE_HAS_RETH)
		printf(" va %llx len %u", pkt.va, pkt.dma_len);
	if (pkt.op->flags & ROCE_HAS_AETH)
		print_aeth(&pkt);
}

void trace_fate(const struct host *h, u32 fate)
{
	if (!h->sim->verbose)
		return;
	printf("%s%s%s%s\n", fate & LINK_LOST ? "  LOST" : "",
	       fate & LINK_DUPLICATED ? "  DUPLICATED" : "",
	       fate & LINK_CORRUPTED ? "  CORRUPTED" : "",
	       fate & LINK_REORDERED ? "  REORDERED" : "");
}

void trace_bad_icrc(const struct host *h)
{
	if (begin(h))
		printf("drops a packet with a bad ICRC\n");
}

void trace_complete(const struct host *h, const struct roce_wc *wc)
{
	if (begin(h))
		printf("completes %s %llu: %s, %u bytes\n", wc->is_recv ? "receive" : "send",
		       wc->wr_id, trace_status(wc->status), wc->byte_len);
}

void trace_event(const struct host *h, enum roce_event event)
{
	if (begin(h))
		printf("event: %s\n", events[event]);
}

void trace_count(const struct host *h, enum roce_count what, u32 n)
{
	if (begin(h))
		printf("counts %u %s\n", n, trace_count_name(what));
}

void trace_post(const struct host *h, const struct roce_send_wqe *wqe)
{
	if (begin(h))
		printf("posts send %llu: opcode %u flags %#x, %u bytes\n", wqe->wr_id, wqe->opcode,
		       wqe->flags, wqe->length);
}

void trace_recv(const struct host *h, u64 wr_id, u32 length)
{
	if (begin(h))
		printf("posts receive %llu: %u bytes\n", wr_id, length);
}

void trace_modify(const struct host *h, u8 state)
{
	if (begin(h))
		printf("goes to %s\n", trace_state(state));
}
