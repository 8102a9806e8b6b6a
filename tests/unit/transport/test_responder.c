// SPDX-License-Identifier: GPL-2.0
/* Responder: requests, duplicates, NAKs, READ responses. */
#include "qp_fixture.h"

/* Payload of a full packet. */
#define FULL .len = FIXTURE_MTU

static void sends(void **state)
{
	static const struct row rows[] = {
		{ "one packet, acknowledged",
		  { RECV(100), RX(SEND_ONLY, 200, .len = 10, .ack = true), TX, TX },
		  "scatter(0,10) rwc 1001=10 tx ACK@200m1 tx -" },
		{ "without AckReq",
		  { RECV(100), RX(SEND_ONLY, 200, .len = 10), TX },
		  "scatter(0,10) rwc 1001=10 tx -" },
		{ "empty",
		  { RECV(0), RX(SEND_ONLY, 200, .ack = true), TX },
		  "rwc 1001=0 tx ACK@200m1" },
		{ "exactly as long as the receive WQE",
		  { RECV(7), RX(SEND_ONLY, 200, .len = 7, .se = true) },
		  "scatter(0,7) rwc 1001=7S" },
		{ "with immediate, solicited",
		  { RECV(9), RX(SEND_ONLY_IMM, 200, .len = 9, .imm = 42, .se = true) },
		  "scatter(0,9) rwc 1001=9i42S" },
		{ "with invalidate",
		  { RECV(9), RX(SEND_ONLY_INV, 200, .len = 9, .imm = 55) },
		  "scatter(0,9) inv(55) rwc 1001=9v55" },
		{ "three packets",
		  { RECV(4000), RX(SEND_FIRST, 200, FULL, .hold = true),
		    RX(SEND_MIDDLE, 201, FULL, .hold = true),
		    RX(SEND_LAST, 202, .len = 1, .ack = true), TX },
		  "scatter(0,1024) scatter(1024,1024) scatter(2048,1) rwc 1001=2049 tx ACK@202m1" },
		{ "last with immediate",
		  { RECV(4000), RX(SEND_FIRST, 200, FULL),
		    RX(SEND_LAST_IMM, 201, .len = 4, .imm = 1) },
		  "scatter(0,1024) scatter(1024,4) rwc 1001=1028i1" },
		{ "last with invalidate",
		  { RECV(4000), RX(SEND_FIRST, 200, FULL),
		    RX(SEND_LAST_INV, 201, .len = 4, .imm = 3) },
		  "scatter(0,1024) scatter(1024,4) inv(3) rwc 1001=1028v3" },
		{ "one acknowledgement for a batch",
		  { QUIET, WATCH(ACK_COALESCED), RECV(9), RECV(9), RECV(9),
		    RX(SEND_ONLY, 200, .ack = true, .hold = true),
		    RX(SEND_ONLY, 201, .ack = true, .hold = true), RX(SEND_ONLY, 202, .ack = true),
		    TX, TX },
		  "rwc 1001=0 rwc 1002=0 +coalesced rwc 1003=0 +coalesced tx ACK@202m3 tx -" },
		{ "over the PSN wrap",
		  { QUIET, MODIFY(ROCE_QP_RQ_PSN, .rq_psn = 0xfffffe), RECV(9000),
		    RX(SEND_FIRST, 0xfffffe, FULL), RX(SEND_MIDDLE, 0xffffff, FULL, .ack = true),
		    TX, RX(SEND_MIDDLE, 0, FULL, .ack = true), TX,
		    RX(SEND_LAST, 1, FULL, .ack = true), TX },
		  "tx ACK@16777215m0 tx ACK@0m0 rwc 1001=4096 tx ACK@1m1" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void writes(void **state)
{
	static const struct row rows[] = {
		{ "one packet",
		  { RX(WRITE_ONLY, 200, .va = 0x1000, .dma_len = 5, .len = 5, .ack = true), TX },
		  "key(W,0x1000,5) write(0x1000,5) tx ACK@200m1" },
		{ "empty: no key is looked at",
		  { FAULT(KEY), RX(WRITE_ONLY, 200, .va = 0x1000, .ack = true), TX },
		  "tx ACK@200m1" },
		{ "WRITE of 2 GiB, the longest message",
		  { RX(WRITE_FIRST, 200, .va = 0x1000, .dma_len = 0x80000000, FULL), STATE },
		  "key(W,0x1000,2147483648) write(0x1000,1024) RTS" },
		{ "three packets",
		  { RX(WRITE_FIRST, 200, .va = 0x1000, .dma_len = 2500, FULL),
		    RX(WRITE_MIDDLE, 201, FULL), RX(WRITE_LAST, 202, .len = 452, .ack = true), TX },
		  "key(W,0x1000,2500) write(0x1000,1024) write(0x1400,1024) write(0x1800,452) tx ACK@202m1" },
		{ "with immediate",
		  { RECV(0),
		    RX(WRITE_ONLY_IMM, 200, .va = 0x10, .dma_len = 8, .len = 8, .imm = 6,
		       .se = true, .ack = true),
		    TX },
		  "key(W,0x10,8) write(0x10,8) rwc 1001=w8i6S tx ACK@200m1" },
		{ "empty with immediate",
		  { RECV(0), RX(WRITE_ONLY_IMM, 200, .imm = 6) },
		  "rwc 1001=w0i6" },
		{ "last with immediate: all of the length is reported",
		  { RECV(0), RX(WRITE_FIRST, 200, .va = 0x1000, .dma_len = 1030, FULL),
		    RX(WRITE_LAST_IMM, 201, .len = 6, .imm = 9) },
		  "key(W,0x1000,1030) write(0x1000,1024) write(0x1400,6) rwc 1001=w1030i9" },
		{ "with immediate and no receive WQE: nothing is written until one is posted",
		  { WATCH(SENT_RNR), RX(WRITE_FIRST, 200, .va = 0x1000, .dma_len = 1030, FULL),
		    RX(WRITE_LAST_IMM, 201, .len = 6, .imm = 9, .ack = true), TX, RECV(0),
		    RX(WRITE_LAST_IMM, 201, .len = 6, .imm = 9, .ack = true), TX },
		  "key(W,0x1000,1030) write(0x1000,1024) +sent-rnr tx ACK@201!2cm0 write(0x1400,6) rwc 1001=w1030i9 tx ACK@201m1" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

/* FLUSH and ATOMIC WRITE. */
static void mpe_requests(void **state)
{
	static const struct row rows[] = {
		{ "the response to a FLUSH follows its execution",
		  { RX(FLUSH, 200, .va = 0x10, .dma_len = 5000, .n = 1, .ack = true), TX, TX },
		  "flush(1,0,0x10,5000) tx RO@200m1+0 tx -" },
		{ "of a whole region",
		  { RX(FLUSH, 200, .n = 1, .syn = ROCE_FLUSH_MR), TX },
		  "flush(1,1,0,0) tx RO@200m1+0" },
		{ "an ATOMIC WRITE",
		  { RX(ATOMIC_WRITE, 200, .va = 0x10, .dma_len = 8, .len = 8, .ack = true), TX },
		  "put(0x10) tx RO@200m1+0" },
		{ "in the order of requests, over the PSN wrap",
		  { QUIET, MODIFY(ROCE_QP_RQ_PSN, .rq_psn = 0xffffff),
		    RX(WRITE_ONLY, 0xffffff, .dma_len = 1, .len = 1, .ack = true),
		    RX(FLUSH, 0, .n = 1), RX(READ_REQUEST, 1, .dma_len = 1), TX },
		  "tx RO@0m2+0 tx RO@1m3<0+1 tx ACK@1m3" },
		{ "the response to a duplicate is replayed, without execution",
		  { WATCH(DUP_REQUEST), RX(ATOMIC_WRITE, 200, .dma_len = 8, .len = 8),
		    RX(FLUSH, 201, .n = 1), TX, RX(ATOMIC_WRITE, 200, .dma_len = 8, .len = 8),
		    RX(FLUSH, 201, .n = 1), TX },
		  "put(0) flush(1,0,0,0) tx RO@200m1+0 tx RO@201m2+0 +dup +dup tx RO@200m1+0 tx RO@201m2+0" },
		{ "one that matches no resource is dropped",
		  { WATCH(BAD_DUP), RX(FLUSH, 200, .n = 1), TX,
		    RX(READ_REQUEST, 200, .dma_len = 0), RX(FLUSH, 199, .n = 1), TX },
		  "flush(1,0,0,0) tx RO@200m1+0 +bad-dup +bad-dup tx -" },
		{ "more than there are resources for",
		  { QUIET, RES(0), RX(FLUSH, 200, .n = 1), TX, STATE },
		  "ev req-err tx ACK@200!61m0 ERR" },
		{ "a FLUSH without a type", { RX(FLUSH, 200), TX }, "ev req-err tx ACK@200!61m0" },
		{ "a FLUSH of an unknown type", { RX(FLUSH, 200, .n = 4), TX }, "ev req-err tx ACK@200!61m0" },
		{ "a FLUSH without a selectivity level",
		  { RX(FLUSH, 200, .n = 1, .syn = 2), TX },
		  "ev req-err tx ACK@200!61m0" },
		{ "a right that the QP does not grant",
		  { RX(FLUSH, 200, .n = ROCE_FLUSH_GLOBAL | ROCE_FLUSH_PERSISTENT), TX },
		  "ev access-err tx ACK@200!62m0" },
		{ "memory that it may not reach",
		  { FAULT(ATOMIC), RX(FLUSH, 200, .n = 1), TX, STATE },
		  "flush(1,0,0,0) ev access-err tx ACK@200!62m0 ERR" },
		{ "an ATOMIC WRITE that is not aligned",
		  { RX(ATOMIC_WRITE, 200, .va = 4, .dma_len = 8, .len = 8), TX },
		  "ev req-err tx ACK@200!61m0" },
		{ "of another length",
		  { RX(ATOMIC_WRITE, 200, .dma_len = 4, .len = 4), TX },
		  "ev req-err tx ACK@200!61m0" },
		{ "with no right to write",
		  { MODIFY(ROCE_QP_ACCESS, .access = ROCE_ACCESS_REMOTE_ATOMIC),
		    RX(ATOMIC_WRITE, 200, .dma_len = 8, .len = 8), TX },
		  "ev access-err tx ACK@200!62m0" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void reads(void **state)
{
	static const struct row rows[] = {
		{ "one packet",
		  { RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 5), TX, TX },
		  "key(R,0x1000,5) tx RO@200m1<0x1000+5 tx -" },
		{ "empty: no key is looked at",
		  { FAULT(KEY), RX(READ_REQUEST, 200, .va = 0x1000), TX },
		  "tx RO@200m1+0" },
		{ "two packets",
		  { QUIET, RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 2048), TX },
		  "tx RF@200m1<0x1000+1024 tx RL@201m1<0x1400+1024" },
		{ "a run in the middle",
		  { QUIET, RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 5 * 1024 + 1), TX },
		  "tx RF@200m1<0x1000+1024 tx RM@201x4<0x1400+1024 tx RL@205m1<0x2400+1" },
		{ "the request takes the PSNs of its response",
		  { QUIET, RECV(9), RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 2048),
		    RX(SEND_ONLY, 202, .ack = true), TX },
		  "rwc 1001=0 tx RF@200m1<0x1000+1024 tx RL@201m1<0x1400+1024 tx ACK@202m2" },
		{ "the response to a READ answers its AckReq",
		  { QUIET, RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 1, .ack = true), TX },
		  "tx RO@200m1<0x1000+1" },
		{ "responses paused, with the ACK behind them; requests are sent",
		  { QUIET, RECV(9), PAUSE(0), PAUSE(1), RX(READ_REQUEST, 200, .dma_len = 2048),
		    RX(SEND_ONLY, 202, .len = 3, .ack = true), TX, PAUSE(1), TO(RTS), POST(SEND),
		    TX,
		    PAUSE(0), TX },
		  "idle idle rwc 1001=3 tx - backlogged tx SO@100<0+0A backlogged tx RF@200m1<0+1024 tx RL@201m1<0x400+1024 tx ACK@202m2" },
		{ "no responses to pause: the ACK is sent",
		  { QUIET, RECV(9), PAUSE(1), RX(SEND_ONLY, 200, .len = 3, .ack = true), TX },
		  "idle rwc 1001=3 tx ACK@200m1" },
		{ "in pieces, as the batch allows",
		  { QUIET, RX(READ_REQUEST, 200, .va = 0, .dma_len = 8 * 1024), TXN(3), TXN(1),
		    TXN(9), TX },
		  "tx RF@200m1<0+1024 tx RM@201x2<0x400+1024 tx RM@203<0xc00+1024 tx RM@204x3<0x1000+1024 tx RL@207m1<0x1c00+1024 tx -" },
		{ "over the PSN wrap",
		  { QUIET, MODIFY(ROCE_QP_RQ_PSN, .rq_psn = 0xffffff), RECV(9),
		    RX(READ_REQUEST, 0xffffff, .va = 0x1000, .dma_len = 4096),
		    RX(SEND_ONLY, 3, .ack = true), TX },
		  "rwc 1001=0 tx RF@16777215m1<0x1000+1024 tx RM@0x2<0x1400+1024 tx RL@2m1<0x1c00+1024 tx ACK@3m2" },
		{ "as many as there are resources",
		  { QUIET, RX(READ_REQUEST, 200, .dma_len = 1), RX(READ_REQUEST, 201, .dma_len = 1),
		    RX(READ_REQUEST, 202, .dma_len = 1), RX(READ_REQUEST, 203, .dma_len = 1), TX },
		  "tx RO@200m1<0+1 tx RO@201m2<0+1 tx RO@202m3<0+1 tx RO@203m4<0+1" },
		{ "one more than there are resources",
		  { QUIET, RX(READ_REQUEST, 200, .dma_len = 1), RX(READ_REQUEST, 201, .dma_len = 1),
		    RX(READ_REQUEST, 202, .dma_len = 1), RX(READ_REQUEST, 203, .dma_len = 1),
		    RX(READ_REQUEST, 204, .dma_len = 1), STATE },
		  "ev req-err ERR" },
		{ "no resources at all",
		  { QUIET, RES(0), RX(READ_REQUEST, 200, .dma_len = 1), TX },
		  "ev req-err tx ACK@200!61m0" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void atomics(void **state)
{
	static const struct row rows[] = {
		{ "compare and swap",
		  { RX(COMPARE_SWAP, 200, .va = 0x1000), TX, TX },
		  "key(A,0x1000,8) atomic(0x1000) tx AA@200[1]m1 tx -" },
		{ "fetch and add",
		  { RX(FETCH_ADD, 200, .va = 0x1008), TX },
		  "key(A,0x1008,8) atomic(0x1008) tx AA@200[1]m1" },
		{ "not aligned",
		  { RX(FETCH_ADD, 200, .va = 0x1004), TX },
		  "ev req-err tx ACK@200!61m0" },
		{ "not granted by the QP",
		  { MODIFY(ROCE_QP_ACCESS, .access = ROCE_ACCESS_REMOTE_WRITE),
		    RX(FETCH_ADD, 200, .va = 0x1000), TX },
		  "ev access-err tx ACK@200!62m0" },
		{ "bad key",
		  { RX(FETCH_ADD, 200, .va = 0x1000, .rkey = 1), TX },
		  "key(A,0x1000,8) ev access-err tx ACK@200!62m0" },
		{ "memory invalidated",
		  { FAULT(ATOMIC), RX(FETCH_ADD, 200, .va = 0x1000), TX },
		  "key(A,0x1000,8) ev access-err tx ACK@200!62m0" },
		{ "no resources",
		  { QUIET, RES(0), RX(FETCH_ADD, 200, .va = 0x1000), TX },
		  "ev req-err tx ACK@200!61m0" },
		{ "a duplicate is answered from the resource, not executed",
		  { QUIET, RX(FETCH_ADD, 200, .va = 0x1000), RX(FETCH_ADD, 201, .va = 0x1000), TX,
		    RX(FETCH_ADD, 200, .va = 0x1000), TX, RX(FETCH_ADD, 201, .va = 0x1000), TX },
		  "tx AA@200[1]m1 tx AA@201[2]m2 tx AA@200[1]m1 tx AA@201[2]m2" },
		{ "a duplicate before the response is sent: one response",
		  { QUIET, RX(FETCH_ADD, 200, .va = 0x1000, .hold = true),
		    RX(FETCH_ADD, 200, .va = 0x1000), TX, TX },
		  "tx AA@200[1]m1 tx -" },
		{ "a duplicate older than all resources",
		  { QUIET, WATCH(BAD_DUP), RES(1), RX(FETCH_ADD, 200, .va = 0x1000), TX,
		    RX(FETCH_ADD, 201, .va = 0x1000), TX, RX(FETCH_ADD, 200, .va = 0x1000), TX },
		  "tx AA@200[1]m1 tx AA@201[2]m2 +bad-dup tx -" },
		{ "a resource from before the PSN wrap is not taken for a newer one",
		  { QUIET, RX(FETCH_ADD, 200, .va = 0x1000), TX, RX(READ_REQUEST, 201), TX,
		    JUMP_RQ(200), RX(FETCH_ADD, 200, .va = 0x1000), TX,
		    RX(FETCH_ADD, 200, .va = 0x1000), TX },
		  "tx AA@200[1]m1 tx RO@201m2+0 tx AA@200[2]m3 tx AA@200[2]m3" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

/* Requests that cause a fatal NAK, and the state of the QP after it. */
static void refusals(void **state)
{
	static const struct row rows[] = {
		{ "SEND longer than the receive WQE",
		  { RECV(9), RX(SEND_ONLY, 200, .len = 10), TX, STATE },
		  "rwc 1001=loc-len ev req-err tx ACK@200!61m0 ERR" },
		{ "SEND longer in its last packet",
		  { QUIET, RECV(1030), RX(SEND_FIRST, 200, FULL), RX(SEND_LAST, 201, .len = 7),
		    TX },
		  "rwc 1001=loc-len ev req-err tx ACK@201!61m0" },
		{ "receive WQE malformed",
		  { FAULT(RECV), RECV(9), RX(SEND_ONLY, 200), TX, STATE },
		  "rwc 1001=loc-op ev fatal tx ACK@200!63m0 ERR" },
		{ "receive memory not writable",
		  { FAULT(SCATTER), RECV(9), RX(SEND_ONLY, 200, .len = 1), TX, STATE },
		  "scatter(0,1) rwc 1001=loc-prot ev fatal tx ACK@200!63m0 ERR" },
		{ "SEND with invalidate of a bad key",
		  { FAULT(INV), RECV(9), RX(SEND_ONLY_INV, 200, .imm = 5), TX },
		  "inv(5) rwc 1001=loc-acc ev access-err tx ACK@200!62m0" },
		{ "first packet shorter than the path MTU",
		  { RECV(9000), RX(SEND_FIRST, 200, .len = 1020), TX },
		  "ev req-err tx ACK@200!61m0" },
		{ "first packet longer than the path MTU",
		  { RECV(9000), RX(SEND_FIRST, 200, .len = 1028), TX },
		  "ev req-err tx ACK@200!61m0" },
		{ "middle packet shorter than the path MTU",
		  { QUIET, RECV(9000), RX(SEND_FIRST, 200, FULL), RX(SEND_MIDDLE, 201, .len = 4),
		    TX },
		  "rwc 1001=rem-inv ev req-err tx ACK@201!61m0" },
		{ "only packet longer than the path MTU",
		  { RECV(9000), RX(SEND_ONLY, 200, .len = 1025), TX },
		  "ev req-err tx ACK@200!61m0" },
		{ "last packet empty",
		  { QUIET, RECV(9000), RX(SEND_FIRST, 200, FULL), RX(SEND_LAST, 201), TX },
		  "rwc 1001=rem-inv ev req-err tx ACK@201!61m0" },
		{ "middle without first",
		  { RECV(9000), RX(SEND_MIDDLE, 200, FULL), TX },
		  "ev req-err tx ACK@200!61m0" },
		{ "WRITE within a SEND",
		  { QUIET, RECV(9000), RX(SEND_FIRST, 200, FULL), RX(WRITE_ONLY, 201, .va = 0x1000),
		    TX },
		  "rwc 1001=rem-inv ev req-err tx ACK@201!61m0" },
		{ "READ within a WRITE",
		  { QUIET, RX(WRITE_FIRST, 200, .va = 0x1000, .dma_len = 2000, FULL),
		    RX(READ_REQUEST, 201, .va = 0x1000), TX },
		  "ev req-err tx ACK@201!61m0" },
		{ "WRITE not granted by the QP",
		  { MODIFY(ROCE_QP_ACCESS, .access = ROCE_ACCESS_REMOTE_READ),
		    RX(WRITE_ONLY, 200, .va = 0x1000, .dma_len = 4, .len = 4), TX },
		  "ev access-err tx ACK@200!62m0" },
		{ "WRITE with a bad key",
		  { RX(WRITE_ONLY, 200, .va = 0x1000, .dma_len = 4, .len = 4, .rkey = 1), TX },
		  "key(W,0x1000,4) ev access-err tx ACK@200!62m0" },
		{ "WRITE, memory invalidated after the first packet",
		  { QUIET, RX(WRITE_FIRST, 200, .va = 0x1000, .dma_len = 2000, FULL), FAULT(WRITE),
		    RX(WRITE_LAST, 201, .len = 976), TX, STATE },
		  "ev access-err tx ACK@201!62m0 ERR" },
		{ "WRITE with immediate, memory invalidated after the first packet",
		  { QUIET, RECV(0), RX(WRITE_FIRST, 200, .va = 0x1000, .dma_len = 2000, FULL),
		    FAULT(WRITE), RX(WRITE_LAST_IMM, 201, .len = 976), TX, STATE },
		  "rwc 1001=rem-acc ev access-err tx ACK@201!62m0 ERR" },
		{ "WRITE of more than 2 GiB",
		  { RX(WRITE_FIRST, 200, .va = 0x1000, .dma_len = 0x80000001, FULL), TX },
		  "ev req-err tx ACK@200!61m0" },
		{ "WRITE Only shorter than announced",
		  { QUIET, RX(WRITE_ONLY, 200, .va = 0x1000, .dma_len = 9, .len = 8), TX },
		  "ev req-err tx ACK@200!61m0" },
		{ "WRITE Only longer than announced",
		  { QUIET, RX(WRITE_ONLY, 200, .va = 0x1000, .dma_len = 7, .len = 8), TX },
		  "ev req-err tx ACK@200!61m0" },
		{ "WRITE First shorter than the path MTU",
		  { QUIET, RX(WRITE_FIRST, 200, .va = 0x1000, .dma_len = 2000, .len = 1000), TX },
		  "ev req-err tx ACK@200!61m0" },
		{ "WRITE First as long as the announced length",
		  { QUIET, RX(WRITE_FIRST, 200, .va = 0x1000, .dma_len = 1024, FULL), TX },
		  "ev req-err tx ACK@200!61m0" },
		{ "WRITE Middle beyond the announced length",
		  { QUIET, RX(WRITE_FIRST, 200, .va = 0x1000, .dma_len = 1500, FULL),
		    RX(WRITE_MIDDLE, 201, FULL), TX },
		  "ev req-err tx ACK@201!61m0" },
		{ "WRITE Last shorter than announced",
		  { QUIET, RX(WRITE_FIRST, 200, .va = 0x1000, .dma_len = 1500, FULL),
		    RX(WRITE_LAST, 201, .len = 475), TX },
		  "ev req-err tx ACK@201!61m0" },
		{ "WRITE Last longer than announced",
		  { QUIET, RX(WRITE_FIRST, 200, .va = 0x1000, .dma_len = 1500, FULL),
		    RX(WRITE_LAST, 201, .len = 477), TX },
		  "ev req-err tx ACK@201!61m0" },
		{ "READ not granted by the QP",
		  { MODIFY(ROCE_QP_ACCESS, .access = ROCE_ACCESS_REMOTE_WRITE),
		    RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 4), TX },
		  "ev access-err tx ACK@200!62m0" },
		{ "READ with a bad key",
		  { RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 4, .rkey = 1), TX },
		  "key(R,0x1000,4) ev access-err tx ACK@200!62m0" },
		{ "READ of more than 2 GiB",
		  { RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 0x80000001), TX },
		  "ev req-err tx ACK@200!61m0" },
		{ "READ of exactly 2 GiB",
		  { QUIET, RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 0x80000000), TXN(2) },
		  "tx RF@200m1<0x1000+1024 tx RM@201<0x1400+1024" },
		{ "the NAK acknowledges the requests before it",
		  { QUIET, RECV(9), RX(SEND_ONLY, 200, .ack = true, .hold = true),
		    RX(SEND_MIDDLE, 201, FULL, .ack = true), TX },
		  "rwc 1001=0 ev req-err tx ACK@201!61m1" },
		{ "the responses to earlier READs and atomics are sent first",
		  { QUIET, RX(READ_REQUEST, 200, .dma_len = 2000, .hold = true),
		    RX(FETCH_ADD, 202, .hold = true), RX(SEND_MIDDLE, 203, FULL), TX, TX },
		  "ev req-err tx RF@200m1<0+1024 tx RL@201m1<0x400+976 tx AA@202[1]m2 tx ACK@203!61m2 tx -" },
		{ "nothing is accepted after a refusal",
		  { QUIET, WATCH(BAD_STATE), RECV(9), RX(SEND_MIDDLE, 200, FULL),
		    RX(SEND_ONLY, 200, .ack = true), TX, TX },
		  "ev req-err +bad-state tx ACK@200!61m0 tx -" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void rnr(void **state)
{
	static const struct row rows[] = {
		{ "SEND without a receive WQE, then with one",
		  { WATCH(SENT_RNR), RX(SEND_ONLY, 200, .len = 3, .ack = true), TX, TX, RECV(9),
		    RX(SEND_ONLY, 200, .len = 3, .ack = true), TX },
		  "+sent-rnr tx ACK@200!2cm0 tx - scatter(0,3) rwc 1001=3 tx ACK@200m1" },
		{ "the timer is the QP's own",
		  { MODIFY(ROCE_QP_MIN_RNR_TIMER, .min_rnr_timer = 31), RX(SEND_ONLY, 200), TX },
		  "tx ACK@200!3fm0" },
		{ "packets behind the refused one raise nothing",
		  { RX(SEND_ONLY, 200, .hold = true), RX(SEND_ONLY, 201, .hold = true),
		    RX(SEND_ONLY, 202), TX, RX(SEND_ONLY, 203), TX },
		  "tx ACK@200!2cm0 tx -" },
		{ "retransmitted: another RNR NAK",
		  { RX(SEND_ONLY, 200), TX, RX(SEND_ONLY, 200), TX },
		  "tx ACK@200!2cm0 tx ACK@200!2cm0" },
		{ "the WQE came within the batch",
		  { QUIET, RX(SEND_ONLY, 200, .ack = true), RECV(9),
		    RX(SEND_ONLY, 200, .ack = true), TX },
		  "rwc 1001=0 tx ACK@200m1" },
		{ "behind a READ, its response goes first",
		  { QUIET, RX(READ_REQUEST, 200, .dma_len = 1), RX(SEND_ONLY, 201), TX },
		  "tx RO@200m1<0+1 tx ACK@201!2cm1" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void sequence_naks(void **state)
{
	static const struct row rows[] = {
		{ "a hole raises one NAK",
		  { QUIET, WATCH(OUT_OF_SEQ), RECV(9), RECV(9), RX(SEND_ONLY, 201), TX,
		    RX(SEND_ONLY, 202), TX, RX(SEND_ONLY, 203), TX },
		  "+out-of-seq tx ACK@200!60m0 +out-of-seq tx - +out-of-seq tx -" },
		{ "after a hole is filled, the next one raises a NAK",
		  { QUIET, RECV(9), RECV(9), RX(SEND_ONLY, 201), TX,
		    RX(SEND_ONLY, 200, .ack = true), TX, RX(SEND_ONLY, 203), TX },
		  "tx ACK@200!60m0 rwc 1001=0 tx ACK@200m1 tx ACK@201!60m1" },
		{ "filled before the NAK went out",
		  { QUIET, RECV(9), RX(SEND_ONLY, 201, .hold = true),
		    RX(SEND_ONLY, 200, .ack = true), TX },
		  "rwc 1001=0 tx ACK@200m1" },
		{ "the retransmission is lost: another NAK after the rewind",
		  { RX(SEND_ONLY, 201), TX, RX(SEND_ONLY, 202), TX, RX(SEND_ONLY, 201), TX },
		  "tx ACK@200!60m0 tx - tx ACK@200!60m0" },
		{ "over the PSN wrap",
		  { MODIFY(ROCE_QP_RQ_PSN, .rq_psn = 0xffffff), RX(SEND_ONLY, 0), TX,
		    RX(SEND_ONLY, 1), TX },
		  "tx ACK@16777215!60m0 tx -" },
		{ "the highest and the lowest PSN relative to the expected one",
		  { WATCH(DUP_REQUEST), RX(SEND_ONLY, 200 + 0x7fffff), TX,
		    RX(SEND_ONLY, 200 + 0x800000), TX },
		  "tx ACK@200!60m0 +dup tx ACK@199m0" },
		{ "earlier READ responses go before the NAK",
		  { QUIET, RX(READ_REQUEST, 200, .dma_len = 1, .hold = true), RX(SEND_ONLY, 202),
		    TX },
		  "tx RO@200m1<0+1 tx ACK@201!60m1" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void duplicates(void **state)
{
	static const struct row rows[] = {
		{ "SEND: acknowledged with the latest PSN, not executed",
		  { QUIET, WATCH(DUP_REQUEST), RECV(9), RECV(9), RX(SEND_ONLY, 200),
		    RX(SEND_ONLY, 201), RX(SEND_ONLY, 200, .ack = true), TX },
		  "rwc 1001=0 rwc 1002=0 +dup tx ACK@201m2" },
		{ "WRITE",
		  { QUIET, RX(WRITE_ONLY, 200), RX(WRITE_ONLY, 200, .ack = true), TX },
		  "tx ACK@200m1" },
		{ "over the PSN wrap",
		  { QUIET, MODIFY(ROCE_QP_RQ_PSN, .rq_psn = 0xffffff), RX(WRITE_ONLY, 0xffffff),
		    RX(WRITE_ONLY, 0), RX(WRITE_ONLY, 0xffffff, .ack = true), TX },
		  "tx ACK@0m2" },
		{ "consecutive ones: the first and those with AckReq are acknowledged",
		  { QUIET, RX(WRITE_ONLY, 200), RX(WRITE_ONLY, 201), RX(WRITE_ONLY, 202),
		    RX(WRITE_ONLY, 200), TX, RX(WRITE_ONLY, 201), TX,
		    RX(WRITE_ONLY, 202, .ack = true), TX },
		  "tx ACK@202m3 tx - tx ACK@202m3" },
		{ "the same one twice: the acknowledgement was lost",
		  { QUIET, RX(WRITE_ONLY, 200), RX(WRITE_ONLY, 200), TX, RX(WRITE_ONLY, 200), TX },
		  "tx ACK@200m1 tx ACK@200m1" },
		{ "the first of all has PSN 0",
		  { QUIET, MODIFY(ROCE_QP_RQ_PSN, .rq_psn = 0), RX(WRITE_ONLY, 0),
		    RX(WRITE_ONLY, 0), TX },
		  "tx ACK@0m1" },
		{ "a run over the PSN wrap",
		  { QUIET, MODIFY(ROCE_QP_RQ_PSN, .rq_psn = 0xffffff), RX(WRITE_ONLY, 0xffffff),
		    RX(WRITE_ONLY, 0), RX(WRITE_ONLY, 1), RX(WRITE_ONLY, 0xffffff), TX,
		    RX(WRITE_ONLY, 0), TX, RX(WRITE_ONLY, 1, .ack = true), TX },
		  "tx ACK@1m3 tx - tx ACK@1m3" },
		{ "READ: replayed with its original MSN",
		  { RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 2000), TX, RX(WRITE_ONLY, 202),
		    RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 2000), TX },
		  "key(R,0x1000,2000) tx RF@200m1<0x1000+1024 tx RL@201m1<0x1400+976 key(R,0x1000,2000) tx RF@200m1<0x1000+1024 tx RL@201m1<0x1400+976" },
		{ "READ: the rest of it",
		  { QUIET, RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 4000), TX,
		    RX(READ_REQUEST, 202, .va = 0x1800, .dma_len = 1952), TX,
		    RX(READ_REQUEST, 203, .va = 0x1c00, .dma_len = 928), TX },
		  "tx RF@200m1<0x1000+1024 tx RM@201x2<0x1400+1024 tx RL@203m1<0x1c00+928 tx RF@202m1<0x1800+1024 tx RL@203m1<0x1c00+928 tx RO@203m1<0x1c00+928" },
		{ "READ: while its responses are being sent",
		  { QUIET, RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 4096), TXN(3),
		    RX(READ_REQUEST, 201, .va = 0x1400, .dma_len = 3072), TX },
		  "tx RF@200m1<0x1000+1024 tx RM@201x2<0x1400+1024 tx RF@201m1<0x1400+1024 tx RM@202<0x1800+1024 tx RL@203m1<0x1c00+1024" },
		{ "READ: one whose responses are being sent goes on after the repeat of an earlier one",
		  { QUIET, RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 2000), TX,
		    RX(READ_REQUEST, 202, .va = 0x2000, .dma_len = 4096), TXN(2),
		    RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 2000), TX },
		  "tx RF@200m1<0x1000+1024 tx RL@201m1<0x1400+976 tx RF@202m2<0x2000+1024 tx RM@203<0x2400+1024 tx RF@200m1<0x1000+1024 tx RL@201m1<0x1400+976 tx RM@204<0x2800+1024 tx RL@205m2<0x2c00+1024" },
		{ "READ: responses that are still scheduled are not restarted",
		  { QUIET, RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 4096), TXN(1),
		    RX(READ_REQUEST, 202, .va = 0x1800, .dma_len = 2048), TX },
		  "tx RF@200m1<0x1000+1024 tx RM@201x2<0x1400+1024 tx RL@203m1<0x1c00+1024" },
		{ "READ: a part is re-requested, and then more of it",
		  { QUIET, RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 4096), TX,
		    RX(READ_REQUEST, 202, .va = 0x1800, .dma_len = 1024, .hold = true),
		    RX(READ_REQUEST, 201, .va = 0x1400, .dma_len = 3072), TX },
		  "tx RF@200m1<0x1000+1024 tx RM@201x2<0x1400+1024 tx RL@203m1<0x1c00+1024 tx RF@201m1<0x1400+1024 tx RM@202<0x1800+1024 tx RL@203m1<0x1c00+1024" },
		{ "READ: with another key",
		  { QUIET, WATCH(BAD_DUP), RX(READ_REQUEST, 200, .dma_len = 8), TX,
		    RX(READ_REQUEST, 200, .dma_len = 8, .rkey = 9), TX, STATE },
		  "tx RO@200m1<0+8 +bad-dup tx - RTS" },
		{ "READ: of another address",
		  { QUIET, WATCH(BAD_DUP), RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 8), TX,
		    RX(READ_REQUEST, 200, .va = 0x1008, .dma_len = 8), TX },
		  "tx RO@200m1<0x1000+8 +bad-dup tx -" },
		{ "READ: of more than before",
		  { QUIET, WATCH(BAD_DUP), RX(READ_REQUEST, 200, .dma_len = 8), TX,
		    RX(READ_REQUEST, 200, .dma_len = 9), TX },
		  "tx RO@200m1<0+8 +bad-dup tx -" },
		{ "duplicate READ: its key is invalid by now",
		  { QUIET, RX(READ_REQUEST, 200, .dma_len = 8), TX, FAULT(KEY),
		    RX(READ_REQUEST, 200, .dma_len = 8), TX, STATE },
		  "tx RO@200m1<0+8 tx - RTS" },
		{ "READ: the key is invalid before any response has been sent",
		  { QUIET, RX(READ_REQUEST, 200, .dma_len = 8), FAULT(KEY),
		    RX(READ_REQUEST, 200, .dma_len = 8), TX, STATE },
		  "ev access-err tx RO@200m1<0+8 tx ACK@200!62m1 ERR" },
		{ "duplicate READ: the memory is invalidated before the copy",
		  { QUIET, WATCH(BAD_DUP), RX(READ_REQUEST, 200, .dma_len = 2048), TX,
		    RX(READ_REQUEST, 201, .va = 1024, .dma_len = 1024), TX, TX_FAILED(0), STATE,
		    RX(READ_REQUEST, 202, .dma_len = 8), TX },
		  "tx RF@200m1<0+1024 tx RL@201m1<0x400+1024 tx RO@201m1<0x400+1024 +bad-dup RTS tx RO@202m2<0+8" },
		{ "duplicate READ: after a failed copy, the rest is not sent",
		  { QUIET, WATCH(BAD_DUP), RX(READ_REQUEST, 200, .dma_len = 3072), TX,
		    RX(READ_REQUEST, 200, .dma_len = 3072), TXN(1), TX_FAILED(0), TX, STATE },
		  "tx RF@200m1<0+1024 tx RM@201<0x400+1024 tx RL@202m1<0x800+1024 tx RF@200m1<0+1024 +bad-dup tx - RTS" },
		{ "READ: the copy of the last response fails",
		  { QUIET, RX(READ_REQUEST, 200, .dma_len = 8), TX, TX_FAILED(0), TX, STATE },
		  "tx RO@200m1<0+8 ev access-err tx ACK@200!62m1 ERR" },
		{ "READ: older than all resources",
		  { QUIET, WATCH(BAD_DUP), RES(1), RX(READ_REQUEST, 200, .dma_len = 8), TX,
		    RX(READ_REQUEST, 201, .dma_len = 8), TX, RX(READ_REQUEST, 200, .dma_len = 8),
		    TX },
		  "tx RO@200m1<0+8 tx RO@201m2<0+8 +bad-dup tx -" },
		{ "READ: a resource from before the PSN wrap does not match",
		  { QUIET, RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 4096), TX, JUMP_RQ(202),
		    RX(READ_REQUEST, 202, .va = 0x9000, .dma_len = 8), TX,
		    RX(READ_REQUEST, 202, .va = 0x9000, .dma_len = 8), TX },
		  "tx RF@200m1<0x1000+1024 tx RM@201x2<0x1400+1024 tx RL@203m1<0x1c00+1024 tx RO@202m2<0x9000+8 tx RO@202m2<0x9000+8" },
		{ "a duplicate READ that is complete gives up its resource for the next one",
		  { QUIET, RES(1), RX(READ_REQUEST, 200, .dma_len = 8), TX,
		    RX(READ_REQUEST, 200, .dma_len = 8, .hold = true),
		    RX(READ_REQUEST, 201, .dma_len = 9), TX, STATE },
		  "tx RO@200m1<0+8 tx RO@201m2<0+9 RTS" },
		{ "the same, with other responses scheduled",
		  { QUIET, RES(2), RX(READ_REQUEST, 200, .dma_len = 8), RX(FETCH_ADD, 201), TX,
		    RX(FETCH_ADD, 201, .hold = true),
		    RX(READ_REQUEST, 200, .dma_len = 8, .hold = true),
		    RX(READ_REQUEST, 202, .dma_len = 9), TX, STATE },
		  "tx RO@200m1<0+8 tx AA@201[1]m2 tx AA@201[1]m2 tx RO@202m3<0+9 RTS" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

/* The QP starts in INIT. */
static void states(void **state)
{
	static const struct row rows[] = {
		{ "INIT accepts and sends nothing",
		  { WATCH(BAD_STATE), RECV(9), RX(SEND_ONLY, 200, .ack = true), TX },
		  "+bad-state tx -" },
		{ "RTR accepts requests; the first one establishes the connection",
		  { QUIET, TO(RTR), RECV(9), RECV(9), RX(SEND_ONLY, 200, .ack = true),
		    RX(SEND_ONLY, 201), TX },
		  "ev comm-est rwc 1001=0 rwc 1002=0 tx ACK@201m2" },
		{ "SQD accepts requests",
		  { QUIET, TO(RTR), TO(RTS), TO(SQD), RECV(9), RX(SEND_ONLY, 200, .ack = true),
		    TX },
		  "ev drained rwc 1001=0 tx ACK@200m1" },
		{ "ERR accepts nothing; scheduled READ responses are dropped",
		  { QUIET, WATCH(BAD_STATE), TO(RTR), RX(READ_REQUEST, 200, .dma_len = 5), TO(ERR),
		    RX(SEND_ONLY, 201), TX },
		  "ev comm-est +bad-state tx -" },
		{ "packets of other services are dropped",
		  { WATCH(BAD_STATE), TO(RTR), RX(SEND_ONLY | ROCE_OP_UC, 200),
		    RX(SEND_ONLY | ROCE_OP_UD, 200) },
		  "+bad-state +bad-state" },
		{ "memory invalidated between check and copy of a READ response",
		  { QUIET, TO(RTR), TO(RTS), RX(READ_REQUEST, 200, .dma_len = 5000), TXN(2),
		    TX_FAILED(1), TX, STATE },
		  "tx RF@200m1<0+1024 tx RM@201<0x400+1024 ev access-err tx ACK@201!62m1 ERR" },
	};

	(void)state;
	fixture_run_all(rows, false);
}

static void final_acks(void **state)
{
	static const struct row rows[] = {
		{ "nothing else seems to have been lost",
		  { QUIET, RX(WRITE_ONLY, 200, .ack = true), TX, FINAL_ACK },
		  "tx ACK@200m1 tx ACK@200m1" },
		{ "an ACK is pending",
		  { QUIET, RX(WRITE_ONLY, 200, .ack = true), FINAL_ACK },
		  "tx ACK@200m1" },
		{ "a request came twice",
		  { QUIET, RX(WRITE_ONLY, 200, .ack = true), TX, RX(WRITE_ONLY, 200, .ack = true),
		    TX, FINAL_ACK },
		  "tx ACK@200m1 tx ACK@200m1 tx ACK@200m1" },
		{ "one is out of order, across the PSN wrap",
		  { QUIET, MODIFY(ROCE_QP_RQ_PSN, .rq_psn = 0xffffff),
		    RX(WRITE_ONLY, 0, .ack = true), TX, RX(WRITE_ONLY, 0xffffff),
		    RX(WRITE_ONLY, 0, .ack = true), TX, FINAL_ACK },
		  "tx ACK@16777215!60m0 tx ACK@0m2 tx ACK@0m2" },
		{ "this QP has retransmitted a request",
		  { QUIET, RX(WRITE_ONLY, 200), POST(WRITE), TX, DEADLINE, TX, FINAL_ACK },
		  "tx WO@100[0,0]<0+0A tx WO@100[0,0]<0+0A tx ACK@200m1" },
		{ "no message has arrived",
		  { QUIET, RX(WRITE_ONLY, 201), TX, FINAL_ACK },
		  "tx ACK@200!60m0 tx -" },
		{ "none: it would acknowledge a READ without its response",
		  { QUIET, RX(WRITE_ONLY, 200), RX(WRITE_ONLY, 200),
		    RX(READ_REQUEST, 201, .dma_len = 2000), FINAL_ACK },
		  "tx -" },
		{ "none: a NAK is pending",
		  { QUIET, RX(WRITE_ONLY, 200), RX(WRITE_ONLY, 202), FINAL_ACK },
		  "tx -" },
		{ "in state ERR",
		  { QUIET, RX(WRITE_ONLY, 200), RX(WRITE_ONLY, 200), TO(ERR), FINAL_ACK },
		  "tx -" },
		{ "none after RESET",
		  { QUIET, RX(WRITE_ONLY, 200), RX(WRITE_ONLY, 200), TO(RESET), TO(INIT), TO(RTR),
		    FINAL_ACK },
		  "tx -" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void resources(void **state)
{
	static const struct row rows[] = {
		{ "resources are kept in a larger array",
		  { QUIET, RX(FETCH_ADD, 200), RX(FETCH_ADD, 201), TX, RES(8), RX(FETCH_ADD, 200),
		    RX(FETCH_ADD, 201), TX },
		  "tx AA@200[1]m1 tx AA@201[2]m2 tx AA@200[1]m1 tx AA@201[2]m2" },
		{ "the latest resources are kept in a smaller array",
		  { QUIET, WATCH(BAD_DUP), RX(FETCH_ADD, 200), RX(FETCH_ADD, 201), TX, RES(1),
		    RX(FETCH_ADD, 201), TX, RX(FETCH_ADD, 200), TX },
		  "tx AA@200[1]m1 tx AA@201[2]m2 tx AA@201[2]m2 +bad-dup tx -" },
		{ "with responses still scheduled",
		  { QUIET, RX(FETCH_ADD, 200), RX(READ_REQUEST, 201, .dma_len = 2000), TXN(2),
		    RES(8), TX, TX },
		  "tx AA@200[1]m1 tx RF@201m2<0+1024 tx RL@202m2<0x400+976 tx -" },
		{ "to an array of none",
		  { QUIET, RX(FETCH_ADD, 200), RES(0), TX, RX(FETCH_ADD, 200), TX },
		  "tx - tx -" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

#define READ_OF(psn, first, pkts) \
	RX(READ_REQUEST, psn, .va = 0x1000 + ((psn) - (first)) * FIXTURE_MTU, \
	   .dma_len = (pkts)*FIXTURE_MTU)

static void read_pacing(void **state)
{
	static const struct row rows[] = {
		{ "a READ repeated once is sent at once",
		  { QUIET, READ_OF(200, 200, 16), TX, PASS(1000000), READ_OF(204, 200, 12), TX },
		  "tx RF@200m1<0x1000+1024 tx RM@201x14<0x1400+1024 tx RL@215m1<0x4c00+1024 "
		  "tx RF@204m1<0x2000+1024 tx RM@205x10<0x2400+1024 tx RL@215m1<0x4c00+1024" },
		{ "a READ repeated again is paced",
		  { QUIET, READ_OF(200, 200, 16), TX, PASS(1000000), READ_OF(204, 200, 12), TX,
		    PASS(1000000), READ_OF(206, 200, 10), TX, TX, TX, DEADLINE, TX },
		  "tx RF@200m1<0x1000+1024 tx RM@201x14<0x1400+1024 tx RL@215m1<0x4c00+1024 "
		  "tx RF@204m1<0x2000+1024 tx RM@205x10<0x2400+1024 tx RL@215m1<0x4c00+1024 "
		  "tx RF@206m1<0x2800+1024 tx RM@207<0x2c00+1024 tx - tx RM@208<0x3000+1024" },
		{ "a READ repeated in part is sent at once",
		  { QUIET, READ_OF(200, 200, 16), TX, PASS(1000000), READ_OF(204, 200, 2), TX,
		    PASS(1000000), READ_OF(206, 200, 10), TX, PASS(1000000),
		    READ_OF(208, 200, 8), TX },
		  "tx RF@200m1<0x1000+1024 tx RM@201x14<0x1400+1024 tx RL@215m1<0x4c00+1024 "
		  "tx RF@204m1<0x2000+1024 tx RL@205m1<0x2400+1024 tx RF@206m1<0x2800+1024 "
		  "tx RM@207x8<0x2c00+1024 tx RL@215m1<0x4c00+1024 tx RF@208m1<0x3000+1024 "
		  "tx RM@209x6<0x3400+1024 tx RL@215m1<0x4c00+1024" },
		{ "a READ repeated without a queue is sent at once",
		  { QUIET, READ_OF(200, 200, 16), TX, PASS(100000), READ_OF(204, 200, 12), TX,
		    PASS(100000), READ_OF(206, 200, 10), TX, PASS(100000), READ_OF(208, 200, 8),
		    TX },
		  "tx RF@200m1<0x1000+1024 tx RM@201x14<0x1400+1024 tx RL@215m1<0x4c00+1024 "
		  "tx RF@204m1<0x2000+1024 tx RM@205x10<0x2400+1024 tx RL@215m1<0x4c00+1024 "
		  "tx RF@206m1<0x2800+1024 tx RM@207x8<0x2c00+1024 tx RL@215m1<0x4c00+1024 "
		  "tx RF@208m1<0x3000+1024 tx RM@209x6<0x3400+1024 tx RL@215m1<0x4c00+1024" },
		{ "requests are sent while responses are paced",
		  { QUIET, READ_OF(200, 200, 16), TX, PASS(1000000), READ_OF(204, 200, 12), TX,
		    PASS(1000000), READ_OF(206, 200, 10), TX, POST(SEND, .len = 5), TX },
		  "tx RF@200m1<0x1000+1024 tx RM@201x14<0x1400+1024 tx RL@215m1<0x4c00+1024 "
		  "tx RF@204m1<0x2000+1024 tx RM@205x10<0x2400+1024 tx RL@215m1<0x4c00+1024 "
		  "tx RF@206m1<0x2800+1024 tx RM@207<0x2c00+1024 tx SO@100<0+5A" },
		{ "pacing ends after a second without it",
		  { QUIET, READ_OF(200, 200, 16), TX, PASS(1000000), READ_OF(204, 200, 12), TX,
		    PASS(1000000), READ_OF(206, 200, 10), TX, PASS(1000000000), TX },
		  "tx RF@200m1<0x1000+1024 tx RM@201x14<0x1400+1024 tx RL@215m1<0x4c00+1024 "
		  "tx RF@204m1<0x2000+1024 tx RM@205x10<0x2400+1024 tx RL@215m1<0x4c00+1024 "
		  "tx RF@206m1<0x2800+1024 tx RM@207x8<0x2c00+1024 tx RL@215m1<0x4c00+1024" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sends),	cmocka_unit_test(writes),
		cmocka_unit_test(mpe_requests), cmocka_unit_test(reads),
		cmocka_unit_test(atomics),	cmocka_unit_test(refusals),
		cmocka_unit_test(rnr),		cmocka_unit_test(sequence_naks),
		cmocka_unit_test(duplicates),	cmocka_unit_test(states),
		cmocka_unit_test(final_acks),	cmocka_unit_test(resources),
		cmocka_unit_test(read_pacing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
