// SPDX-License-Identifier: GPL-2.0
#include "qp_bench.h"

/* Payload of a full packet. */
#define FULL .len = BENCH_MTU

static void sends(void **state)
{
	static const struct row rows[] = {
		{ "one packet, acknowledged",
		  { RECV(100), RX(SEND_ONLY, 200, .len = 10, .ack = true), TX, TX },
		  "scatter(0,10) rwc 1001=10 tx ACK@200m1 tx -" },
		{ "not asked to acknowledge",
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
	bench_run_all(rows, true);
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
		{ "with immediate and no receive WQE: nothing is written before there is one",
		  { WATCH(SENT_RNR), RX(WRITE_FIRST, 200, .va = 0x1000, .dma_len = 1030, FULL),
		    RX(WRITE_LAST_IMM, 201, .len = 6, .imm = 9, .ack = true), TX, RECV(0),
		    RX(WRITE_LAST_IMM, 201, .len = 6, .imm = 9, .ack = true), TX },
		  "key(W,0x1000,1030) write(0x1000,1024) +sent-rnr tx ACK@201!2cm0 write(0x1400,6) rwc 1001=w1030i9 tx ACK@201m1" },
	};

	(void)state;
	bench_run_all(rows, true);
}

/* FLUSH and ATOMIC WRITE. */
static void placed(void **state)
{
	static const struct row rows[] = {
		{ "a FLUSH is answered when it has been executed",
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
		{ "a duplicate is answered and not executed",
		  { WATCH(DUP_REQUEST), RX(ATOMIC_WRITE, 200, .dma_len = 8, .len = 8),
		    RX(FLUSH, 201, .n = 1), TX, RX(ATOMIC_WRITE, 200, .dma_len = 8, .len = 8),
		    RX(FLUSH, 201, .n = 1), TX },
		  "put(0) flush(1,0,0,0) tx RO@200m1+0 tx RO@201m2+0 +dup +dup tx RO@200m1+0 tx RO@201m2+0" },
		{ "one that matches no record is not answered",
		  { WATCH(BAD_DUP), RX(FLUSH, 200, .n = 1), TX,
		    RX(READ_REQUEST, 200, .dma_len = 0), RX(FLUSH, 199, .n = 1), TX },
		  "flush(1,0,0,0) tx RO@200m1+0 +bad-dup +bad-dup tx -" },
		{ "more than there are resources for",
		  { QUIET, RES(0), RX(FLUSH, 200, .n = 1), TX, STATE },
		  "ev req-err tx ACK@200!61m0 ERR" },
		{ "a FLUSH of no kind", { RX(FLUSH, 200), TX }, "ev req-err tx ACK@200!61m0" },
		{ "of another kind", { RX(FLUSH, 200, .n = 4), TX }, "ev req-err tx ACK@200!61m0" },
		{ "of no level",
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
	bench_run_all(rows, true);
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
		{ "AckReq of a READ is answered by its response",
		  { QUIET, RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 1, .ack = true), TX },
		  "tx RO@200m1<0x1000+1" },
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
	bench_run_all(rows, true);
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
		{ "memory gone",
		  { FAULT(ATOMIC), RX(FETCH_ADD, 200, .va = 0x1000), TX },
		  "key(A,0x1000,8) ev access-err tx ACK@200!62m0" },
		{ "no resources",
		  { QUIET, RES(0), RX(FETCH_ADD, 200, .va = 0x1000), TX },
		  "ev req-err tx ACK@200!61m0" },
		{ "a duplicate is answered from the record, not executed",
		  { QUIET, RX(FETCH_ADD, 200, .va = 0x1000), RX(FETCH_ADD, 201, .va = 0x1000), TX,
		    RX(FETCH_ADD, 200, .va = 0x1000), TX, RX(FETCH_ADD, 201, .va = 0x1000), TX },
		  "tx AA@200[1]m1 tx AA@201[2]m2 tx AA@200[1]m1 tx AA@201[2]m2" },
		{ "a duplicate before the answer is out makes no second answer",
		  { QUIET, RX(FETCH_ADD, 200, .va = 0x1000, .hold = true),
		    RX(FETCH_ADD, 200, .va = 0x1000), TX, TX },
		  "tx AA@200[1]m1 tx -" },
		{ "a duplicate older than all records",
		  { QUIET, WATCH(BAD_DUP), RES(1), RX(FETCH_ADD, 200, .va = 0x1000), TX,
		    RX(FETCH_ADD, 201, .va = 0x1000), TX, RX(FETCH_ADD, 200, .va = 0x1000), TX },
		  "tx AA@200[1]m1 tx AA@201[2]m2 +bad-dup tx -" },
		{ "the record of the last turn of the PSNs is not taken for a newer one",
		  { QUIET, RX(FETCH_ADD, 200, .va = 0x1000), TX, RX(READ_REQUEST, 201), TX,
		    JUMP_RQ(200), RX(FETCH_ADD, 200, .va = 0x1000), TX,
		    RX(FETCH_ADD, 200, .va = 0x1000), TX },
		  "tx AA@200[1]m1 tx RO@201m2+0 tx AA@200[2]m3 tx AA@200[2]m3" },
	};

	(void)state;
	bench_run_all(rows, true);
}

/* The request that a NAK answers, and the state of the QP thereafter. */
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
		  "ev req-err tx ACK@201!61m0" },
		{ "only packet longer than the path MTU",
		  { RECV(9000), RX(SEND_ONLY, 200, .len = 1025), TX },
		  "ev req-err tx ACK@200!61m0" },
		{ "last packet empty",
		  { QUIET, RECV(9000), RX(SEND_FIRST, 200, FULL), RX(SEND_LAST, 201), TX },
		  "ev req-err tx ACK@201!61m0" },
		{ "middle without first",
		  { RECV(9000), RX(SEND_MIDDLE, 200, FULL), TX },
		  "ev req-err tx ACK@200!61m0" },
		{ "WRITE within a SEND",
		  { QUIET, RECV(9000), RX(SEND_FIRST, 200, FULL), RX(WRITE_ONLY, 201, .va = 0x1000),
		    TX },
		  "ev req-err tx ACK@201!61m0" },
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
		{ "WRITE, memory gone later",
		  { QUIET, RX(WRITE_FIRST, 200, .va = 0x1000, .dma_len = 2000, FULL), FAULT(WRITE),
		    RX(WRITE_LAST, 201, .len = 976), TX, STATE },
		  "ev access-err tx ACK@201!62m0 ERR" },
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
		{ "WRITE First that fills what is announced",
		  { QUIET, RX(WRITE_FIRST, 200, .va = 0x1000, .dma_len = 1024, FULL), TX },
		  "ev req-err tx ACK@200!61m0" },
		{ "WRITE Middle beyond what is announced",
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
		{ "what was asked for before the refusal is acknowledged by it",
		  { QUIET, RECV(9), RX(SEND_ONLY, 200, .ack = true, .hold = true),
		    RX(SEND_MIDDLE, 201, FULL, .ack = true), TX },
		  "rwc 1001=0 ev req-err tx ACK@201!61m1" },
		{ "READs and atomics accepted before are answered first",
		  { QUIET, RX(READ_REQUEST, 200, .dma_len = 2000, .hold = true),
		    RX(FETCH_ADD, 202, .hold = true), RX(SEND_MIDDLE, 203, FULL), TX, TX },
		  "ev req-err tx RF@200m1<0+1024 tx RL@201m1<0x400+976 tx AA@202[1]m2 tx ACK@203!61m2 tx -" },
		{ "nothing is accepted after a refusal",
		  { QUIET, WATCH(BAD_STATE), RECV(9), RX(SEND_MIDDLE, 200, FULL),
		    RX(SEND_ONLY, 200, .ack = true), TX, TX },
		  "ev req-err +bad-state tx ACK@200!61m0 tx -" },
	};

	(void)state;
	bench_run_all(rows, true);
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
		{ "asked again, refused again",
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
	bench_run_all(rows, true);
}

static void gaps(void **state)
{
	static const struct row rows[] = {
		{ "a gap raises one NAK",
		  { QUIET, WATCH(OUT_OF_SEQ), RECV(9), RECV(9), RX(SEND_ONLY, 201), TX,
		    RX(SEND_ONLY, 202), TX, RX(SEND_ONLY, 203), TX },
		  "+out-of-seq tx ACK@200!60m0 +out-of-seq tx - +out-of-seq tx -" },
		{ "filled, it is over; the next one raises a NAK again",
		  { QUIET, RECV(9), RECV(9), RX(SEND_ONLY, 201), TX,
		    RX(SEND_ONLY, 200, .ack = true), TX, RX(SEND_ONLY, 203), TX },
		  "tx ACK@200!60m0 rwc 1001=0 tx ACK@200m1 tx ACK@201!60m1" },
		{ "filled before the NAK went out",
		  { QUIET, RECV(9), RX(SEND_ONLY, 201, .hold = true),
		    RX(SEND_ONLY, 200, .ack = true), TX },
		  "rwc 1001=0 tx ACK@200m1" },
		{ "the packet sent again was lost again: the requester went back, so another NAK",
		  { RX(SEND_ONLY, 201), TX, RX(SEND_ONLY, 202), TX, RX(SEND_ONLY, 201), TX },
		  "tx ACK@200!60m0 tx - tx ACK@200!60m0" },
		{ "over the PSN wrap",
		  { MODIFY(ROCE_QP_RQ_PSN, .rq_psn = 0xffffff), RX(SEND_ONLY, 0), TX,
		    RX(SEND_ONLY, 1), TX },
		  "tx ACK@16777215!60m0 tx -" },
		{ "the furthest packet ahead, and the furthest behind",
		  { WATCH(DUP_REQUEST), RX(SEND_ONLY, 200 + 0x7fffff), TX,
		    RX(SEND_ONLY, 200 + 0x800000), TX },
		  "tx ACK@200!60m0 +dup tx ACK@199m0" },
		{ "earlier READ responses go before the NAK",
		  { QUIET, RX(READ_REQUEST, 200, .dma_len = 1, .hold = true), RX(SEND_ONLY, 202),
		    TX },
		  "tx RO@200m1<0+1 tx ACK@201!60m1" },
	};

	(void)state;
	bench_run_all(rows, true);
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
		{ "READ: read again with the MSN it had",
		  { RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 2000), TX, RX(WRITE_ONLY, 202),
		    RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 2000), TX },
		  "key(R,0x1000,2000) tx RF@200m1<0x1000+1024 tx RL@201m1<0x1400+976 key(R,0x1000,2000) tx RF@200m1<0x1000+1024 tx RL@201m1<0x1400+976" },
		{ "READ: the rest of it",
		  { QUIET, RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 4000), TX,
		    RX(READ_REQUEST, 202, .va = 0x1800, .dma_len = 1952), TX,
		    RX(READ_REQUEST, 203, .va = 0x1c00, .dma_len = 928), TX },
		  "tx RF@200m1<0x1000+1024 tx RM@201x2<0x1400+1024 tx RL@203m1<0x1c00+928 tx RF@202m1<0x1800+1024 tx RL@203m1<0x1c00+928 tx RO@203m1<0x1c00+928" },
		{ "READ: while its first answer is going out",
		  { QUIET, RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 4096), TXN(3),
		    RX(READ_REQUEST, 201, .va = 0x1400, .dma_len = 3072), TX },
		  "tx RF@200m1<0x1000+1024 tx RM@201x2<0x1400+1024 tx RF@201m1<0x1400+1024 tx RM@202<0x1800+1024 tx RL@203m1<0x1c00+1024" },
		{ "READ: what is on its way already is not begun again",
		  { QUIET, RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 4096), TXN(1),
		    RX(READ_REQUEST, 202, .va = 0x1800, .dma_len = 2048), TX },
		  "tx RF@200m1<0x1000+1024 tx RM@201x2<0x1400+1024 tx RL@203m1<0x1c00+1024" },
		{ "READ: a part asked for again, and then more of it",
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
		{ "READ: the memory is gone by now",
		  { QUIET, RX(READ_REQUEST, 200, .dma_len = 8), TX, FAULT(KEY),
		    RX(READ_REQUEST, 200, .dma_len = 8), TX, STATE },
		  "tx RO@200m1<0+8 ev access-err tx ACK@200!62m1 ERR" },
		{ "READ: older than all records",
		  { QUIET, WATCH(BAD_DUP), RES(1), RX(READ_REQUEST, 200, .dma_len = 8), TX,
		    RX(READ_REQUEST, 201, .dma_len = 8), TX, RX(READ_REQUEST, 200, .dma_len = 8),
		    TX },
		  "tx RO@200m1<0+8 tx RO@201m2<0+8 +bad-dup tx -" },
		{ "READ: the record of the last turn of the PSNs does not stand in the way",
		  { QUIET, RX(READ_REQUEST, 200, .va = 0x1000, .dma_len = 4096), TX, JUMP_RQ(202),
		    RX(READ_REQUEST, 202, .va = 0x9000, .dma_len = 8), TX,
		    RX(READ_REQUEST, 202, .va = 0x9000, .dma_len = 8), TX },
		  "tx RF@200m1<0x1000+1024 tx RM@201x2<0x1400+1024 tx RL@203m1<0x1c00+1024 tx RO@202m2<0x9000+8 tx RO@202m2<0x9000+8" },
		{ "a READ that the requester is done with does not keep its slot from the next one",
		  { QUIET, RES(1), RX(READ_REQUEST, 200, .dma_len = 8), TX,
		    RX(READ_REQUEST, 200, .dma_len = 8, .hold = true),
		    RX(READ_REQUEST, 201, .dma_len = 9), TX, STATE },
		  "tx RO@200m1<0+8 tx RO@201m2<0+9 RTS" },
		{ "the same, with others waiting to be answered",
		  { QUIET, RES(2), RX(READ_REQUEST, 200, .dma_len = 8), RX(FETCH_ADD, 201), TX,
		    RX(FETCH_ADD, 201, .hold = true),
		    RX(READ_REQUEST, 200, .dma_len = 8, .hold = true),
		    RX(READ_REQUEST, 202, .dma_len = 9), TX, STATE },
		  "tx RO@200m1<0+8 tx AA@201[1]m2 tx AA@201[1]m2 tx RO@202m3<0+9 RTS" },
	};

	(void)state;
	bench_run_all(rows, true);
}

/* From INIT: rows go through the states themselves. */
static void states(void **state)
{
	static const struct row rows[] = {
		{ "INIT takes nothing and sends nothing",
		  { WATCH(BAD_STATE), RECV(9), RX(SEND_ONLY, 200, .ack = true), TX },
		  "+bad-state tx -" },
		{ "RTR takes requests; the first one establishes the communication",
		  { QUIET, TO(RTR), RECV(9), RECV(9), RX(SEND_ONLY, 200, .ack = true),
		    RX(SEND_ONLY, 201), TX },
		  "ev comm-est rwc 1001=0 rwc 1002=0 tx ACK@201m2" },
		{ "SQD takes requests",
		  { QUIET, TO(RTR), TO(RTS), TO(SQD), RECV(9), RX(SEND_ONLY, 200, .ack = true),
		    TX },
		  "ev drained rwc 1001=0 tx ACK@200m1" },
		{ "ERR takes nothing; what READs still owe is dropped",
		  { QUIET, WATCH(BAD_STATE), TO(RTR), RX(READ_REQUEST, 200, .dma_len = 5), TO(ERR),
		    RX(SEND_ONLY, 201), TX },
		  "ev comm-est +bad-state tx -" },
		{ "other services are not ours",
		  { WATCH(BAD_STATE), TO(RTR), RX(SEND_ONLY | ROCE_OP_UC, 200),
		    RX(SEND_ONLY | ROCE_OP_UD, 200) },
		  "+bad-state +bad-state" },
		{ "memory gone between check and sending of a READ response",
		  { QUIET, TO(RTR), TO(RTS), RX(READ_REQUEST, 200, .dma_len = 5000), TXN(2),
		    TX_FAILED(1), TX, STATE },
		  "tx RF@200m1<0+1024 tx RM@201<0x400+1024 ev access-err tx ACK@201!62m1 ERR" },
	};

	(void)state;
	bench_run_all(rows, false);
}

static void farewells(void **state)
{
	static const struct row rows[] = {
		{ "nothing has been lost",
		  { QUIET, RX(WRITE_ONLY, 200, .ack = true), TX, FAREWELL },
		  "tx ACK@200m1 tx -" },
		{ "a request came twice",
		  { QUIET, RX(WRITE_ONLY, 200, .ack = true), TX, RX(WRITE_ONLY, 200, .ack = true),
		    TX, FAREWELL },
		  "tx ACK@200m1 tx ACK@200m1 tx ACK@200m1" },
		{ "one came early, over the PSN wrap",
		  { QUIET, MODIFY(ROCE_QP_RQ_PSN, .rq_psn = 0xffffff),
		    RX(WRITE_ONLY, 0, .ack = true), TX, RX(WRITE_ONLY, 0xffffff),
		    RX(WRITE_ONLY, 0, .ack = true), TX, FAREWELL },
		  "tx ACK@16777215!60m0 tx ACK@0m2 tx ACK@0m2" },
		{ "a request of this side had to be sent again",
		  { QUIET, RX(WRITE_ONLY, 200), POST(WRITE), TX, DEADLINE, TX, FAREWELL },
		  "tx WO@100[0,0]<0+0A tx WO@100[0,0]<0+0A tx ACK@200m1" },
		{ "no message has arrived",
		  { QUIET, RX(WRITE_ONLY, 201), TX, FAREWELL },
		  "tx ACK@200!60m0 tx -" },
		{ "an ACK would speak for a READ that is not answered",
		  { QUIET, RX(WRITE_ONLY, 200), RX(WRITE_ONLY, 200),
		    RX(READ_REQUEST, 201, .dma_len = 2000), FAREWELL },
		  "tx -" },
		{ "what is missing has not been told of yet",
		  { QUIET, RX(WRITE_ONLY, 200), RX(WRITE_ONLY, 202), FAREWELL },
		  "tx -" },
		{ "in state ERR",
		  { QUIET, RX(WRITE_ONLY, 200), RX(WRITE_ONLY, 200), TO(ERR), FAREWELL },
		  "tx -" },
		{ "a QP used again knows nothing of its former peer",
		  { QUIET, RX(WRITE_ONLY, 200), RX(WRITE_ONLY, 200), TO(RESET), TO(INIT), TO(RTR),
		    FAREWELL },
		  "tx -" },
	};

	(void)state;
	bench_run_all(rows, true);
}

static void resources(void **state)
{
	static const struct row rows[] = {
		{ "records survive the move to a larger array",
		  { QUIET, RX(FETCH_ADD, 200), RX(FETCH_ADD, 201), TX, RES(8), RX(FETCH_ADD, 200),
		    RX(FETCH_ADD, 201), TX },
		  "tx AA@200[1]m1 tx AA@201[2]m2 tx AA@200[1]m1 tx AA@201[2]m2" },
		{ "the latest ones to a smaller one",
		  { QUIET, WATCH(BAD_DUP), RX(FETCH_ADD, 200), RX(FETCH_ADD, 201), TX, RES(1),
		    RX(FETCH_ADD, 201), TX, RX(FETCH_ADD, 200), TX },
		  "tx AA@200[1]m1 tx AA@201[2]m2 tx AA@201[2]m2 +bad-dup tx -" },
		{ "with answers still to be sent",
		  { QUIET, RX(FETCH_ADD, 200), RX(READ_REQUEST, 201, .dma_len = 2000), TXN(2),
		    RES(8), TX, TX },
		  "tx AA@200[1]m1 tx RF@201m2<0+1024 tx RL@202m2<0x400+976 tx -" },
		{ "to nothing",
		  { QUIET, RX(FETCH_ADD, 200), RES(0), TX, RX(FETCH_ADD, 200), TX },
		  "tx - tx -" },
	};

	(void)state;
	bench_run_all(rows, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sends),  cmocka_unit_test(writes),    cmocka_unit_test(placed),
		cmocka_unit_test(reads),  cmocka_unit_test(atomics),   cmocka_unit_test(refusals),
		cmocka_unit_test(rnr),	  cmocka_unit_test(gaps),      cmocka_unit_test(duplicates),
		cmocka_unit_test(states), cmocka_unit_test(farewells), cmocka_unit_test(resources),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
