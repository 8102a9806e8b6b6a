// SPDX-License-Identifier: GPL-2.0
/* Requester: packets, window, loss recovery, timers. */
#include "qp_fixture.h"

#define K *1024u

static void messages(void **state)
{
	static const struct row rows[] = {
		{ "nothing posted", { TX }, "tx -" },
		{ "SEND", { POST(SEND, .len = 10), TX, TX }, "tx SO@100<0+10A tx -" },
		{ "empty SEND", { POST(SEND), TX }, "tx SO@100<0+0A" },
		{ "SEND of exactly one packet",
		  { POST(SEND, .len = 1 K), TX },
		  "tx SO@100<0+1024A" },
		{ "SEND, solicited",
		  { POST(SEND, .len = 2, .flags = ROCE_WR_SOLICITED), TX },
		  "tx SO@100<0+2SA" },
		{ "SEND with immediate",
		  { POST(SEND_IMM, .len = 2, .imm = 7), TX },
		  "tx SOi@100[7]<0+2A" },
		{ "SEND with invalidate",
		  { POST(SEND_INV, .len = 2, .rkey = 9), TX },
		  "tx SOv@100[9]<0+2A" },
		{ "SEND of two packets",
		  { POST(SEND, .len = 1 K + 1), TX },
		  "tx SF@100<0+1024 tx SL@101<1024+1A" },
		{ "SEND of many packets; only the last one solicits",
		  { POST(SEND_IMM, .len = 5 K, .imm = 3, .flags = ROCE_WR_SOLICITED), TX },
		  "tx SF@100<0+1024 tx SM@101x3<1024+1024 tx SLi@104[3]<4096+1024SA" },
		{ "SEND with invalidate of two packets",
		  { POST(SEND_INV, .len = 2 K, .rkey = 9), TX },
		  "tx SF@100<0+1024 tx SLv@101[9]<1024+1024A" },
		{ "WRITE", { POST(WRITE, .len = 3, .va = 0x1000), TX }, "tx WO@100[0x1000,3]<0+3A" },
		{ "empty WRITE", { POST(WRITE, .va = 0x1000), TX }, "tx WO@100[0x1000,0]<0+0A" },
		{ "WRITE does not solicit",
		  { POST(WRITE, .len = 3, .va = 0x1000, .flags = ROCE_WR_SOLICITED), TX },
		  "tx WO@100[0x1000,3]<0+3A" },
		{ "WRITE with immediate",
		  { POST(WRITE_IMM, .len = 3, .va = 8, .imm = 6, .flags = ROCE_WR_SOLICITED), TX },
		  "tx WOi@100[0x8,3][6]<0+3SA" },
		{ "WRITE of many packets",
		  { POST(WRITE, .len = 4 K + 1, .va = 0x1000), TX },
		  "tx WF@100[0x1000,4097]<0+1024 tx WM@101x3<1024+1024 tx WL@104<4096+1A" },
		{ "WRITE with immediate of two packets",
		  { POST(WRITE_IMM, .len = 1 K + 1, .va = 8, .imm = 1), TX },
		  "tx WF@100[0x8,1025]<0+1024 tx WLi@101[1]<1024+1A" },
		{ "READ takes the PSNs of its response",
		  { POST(READ, .len = 2 K + 1, .va = 0x1000), POST(SEND), TX },
		  "sges(1) tx R@100[0x1000,2049] tx SO@103<0+0A" },
		{ "empty READ takes one",
		  { POST(READ, .va = 0x1000), POST(SEND), TX },
		  "sges(1) tx R@100[0x1000,0] tx SO@101<0+0A" },
		{ "atomics",
		  { POST(COMPARE_SWAP, .len = 8, .va = 0x1000, .compare = 5, .swap_add = 6),
		    POST(FETCH_ADD, .len = 8, .va = 0x1008, .swap_add = 1), TX },
		  "sges(1) sges(1) tx CS@100[0x1000,5,6] tx FA@101[0x1008,0,1]A" },
		{ "inline data has no SGEs to check",
		  { FAULT(SGES), POST(SEND, .len = 9, .flags = ROCE_WR_INLINE), TX },
		  "tx SO@100<0+9A" },
		{ "several messages, one AckReq at the end",
		  { POST(SEND, .len = 1), POST(WRITE, .len = 2 K), POST(SEND, .len = 2), TX },
		  "tx SO@100<0+1 tx WF@101[0,2048]<0+1024 tx WL@102<1024+1024 tx SO@103<0+2A" },
		{ "several WQEs in one post",
		  { POST(SEND, .hold = true), POST(READ, .len = 1, .hold = true), POST(SEND), TX,
		    ACK(100), RX(READ_RESP_ONLY, 101, .len = 1), ACK(102) },
		  "sges(1) tx SO@100<0+0 tx R@101[0,1] tx SO@102<0+0A wc 1=ok scatter(0,1) wc 2=ok,1 wc 3=ok" },
		{ "over the PSN wrap",
		  { MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xfffffe), POST(SEND, .len = 5 K), POST(SEND),
		    TX },
		  "tx SF@16777214<0+1024 tx SM@16777215x3<1024+1024 tx SL@2<4096+1024 tx SO@3<0+0A" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void batches(void **state)
{
	static const struct row rows[] = {
		{ "as many packets as the caller wants",
		  { POST(SEND, .len = 6 K), TXN(1), TXN(2), TXN(1), TXN(5), TX },
		  "tx SF@100<0+1024 tx SM@101x2<1024+1024 tx SM@103<3072+1024 tx SM@104<4096+1024 tx SL@105<5120+1024A tx -" },
		{ "as many runs as a batch has",
		  { POST(SEND, .len = 3 K), POST(SEND, .len = 3 K), POST(SEND, .len = 3 K),
		    POST(SEND, .len = 3 K), POST(SEND, .len = 3 K), POST(SEND, .len = 3 K), TX,
		    TX },
		  "tx SF@100<0+1024 tx SM@101<1024+1024 tx SL@102<2048+1024 tx SF@103<0+1024 tx SM@104<1024+1024 tx SL@105<2048+1024 tx SF@106<0+1024 tx SM@107<1024+1024 tx SL@108<2048+1024 tx SF@109<0+1024 tx SM@110<1024+1024 tx SL@111<2048+1024 tx SF@112<0+1024 tx SM@113<1024+1024 tx SL@114<2048+1024 tx SF@115<0+1024 tx SM@116<1024+1024 tx SL@117<2048+1024A" },
		{ "no room", { POST(SEND), TXN(0), TX }, "tx - tx SO@100<0+0A" },
		{ "AckReq in every interval",
		  { ACK_INTERVAL(4), POST(SEND, .len = 10 K), TX },
		  "tx SF@100<0+1024 tx SM@101x3<1024+1024A tx SM@104x4<4096+1024A tx SM@108<8192+1024 tx SL@109<9216+1024A" },
		{ "the interval shrinks to the number of packets sent in it",
		  { POST(SEND, .len = 6 K), TXN(2), ACK_INTERVAL(2), TX },
		  "tx SF@100<0+1024 tx SM@101<1024+1024 tx SM@102<2048+1024A tx SM@103x2<3072+1024A tx SL@105<5120+1024A" },
		{ "the window",
		  { WINDOW(3), POST(SEND, .len = 5 K), TX, ACK(100), TX, ACK(102), TX, ACK(104) },
		  "tx SF@100<0+1024 tx SM@101x2<1024+1024A tx SM@103<3072+1024A tx SL@104<4096+1024A wc 1=ok" },
		{ "the window, over the PSN wrap",
		  { MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xfffffe), WINDOW(3), POST(SEND, .len = 5 K),
		    TX, ACK(0xffffff), TX, ACK(2) },
		  "tx SF@16777214<0+1024 tx SM@16777215x2<1024+1024A tx SM@1<3072+1024 tx SL@2<4096+1024A wc 1=ok" },
		{ "a READ takes no window, nor does it take that of the packets behind it",
		  { QUIET, WINDOW(1), POST(READ, .len = 1 K), POST(SEND), POST(SEND), TX },
		  "tx R@100[0,1024] tx SO@101<0+0A" },
		{ "in slow start its responses do: a window until the RTT is known, then two",
		  { QUIET, WINDOW(3), POST(READ, .len = 100 K), POST(SEND), TX, PASS(10000),
		    RX(READ_RESP_FIRST, 100, .len = 1 K), TX },
		  "tx R@100[0,3072]A tx R@103[0xc00,3072]A" },
		{ "the same over the PSN wrap",
		  { QUIET, MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xffffff), WINDOW(2),
		    POST(READ, .len = 2 K), POST(SEND), POST(SEND), POST(SEND), TX },
		  "tx R@16777215[0,2048] tx SO@1<0+0 tx SO@2<0+0A" },
		{ "on a congested path it does",
		  { QUIET, WINDOW(3), CONGESTED, POST(READ, .len = 100 K), POST(SEND), TX },
		  "tx R@100[0,1024] tx R@101[0x400,1024] tx R@102[0x800,1024] tx R@103[0xc00,1024]A" },
		{ "the packet before a READ that must wait has AckReq",
		  { QUIET, MODIFY(ROCE_QP_MAX_RD_ATOMIC, .max_rd_atomic = 1), WINDOW(2), CONGESTED,
		    POST(SEND), POST(READ, .len = 4 K), TX, ACK(100), TX },
		  "tx SO@100<0+0A wc 1=ok tx R@101[0,4096]A" },
		{ "a full batch, and no room for the next piece of a READ: nothing follows",
		  { QUIET, MODIFY(ROCE_QP_MAX_RD_ATOMIC, .max_rd_atomic = 1), WINDOW(64), CONGESTED,
		    POST(READ, .len = 129 K), TXN(1), TXN(1) },
		  "tx R@100[0,131072]A tx -" },
		{ "a small depth, before the first sign of congestion: the whole READ at once",
		  { QUIET, MODIFY(ROCE_QP_MAX_RD_ATOMIC, .max_rd_atomic = 1),
		    POST(READ, .len = 129 K), TXN(1), TXN(1) },
		  "tx R@100[0,132096]A tx -" },
		{ "a congested path: bursts at the pacing rate",
		  { QUIET, POST(SEND), SENT, PASS(10000), ACK(100), CONGESTED,
		    POST(SEND, .len = 100 K), TX, TX, PASS(999), TX, PASS(1), TX },
		  "wc 1=ok tx SF@101<0+1024 tx SM@102x32<1024+1024A tx - tx SM@134x32<33792+1024A tx -" },
		{ "the same over the PSN wrap, behind a signaled message",
		  { QUIET,
		    MODIFY(ROCE_QP_SQ_PSN | ROCE_QP_MAX_RD_ATOMIC, .sq_psn = 0xffffff,
			   .max_rd_atomic = 2),
		    WINDOW(64), CONGESTED, POST(SEND), POST(READ, .len = 129 K), TXN(2), TXN(1) },
		  "tx SO@16777215<0+0 tx R@0[0,65536]A tx -" },
		{ "a full batch, and room for the next piece",
		  { QUIET, MODIFY(ROCE_QP_MAX_RD_ATOMIC, .max_rd_atomic = 2),
		    POST(READ, .len = 129 K), TXN(1), TXN(1) },
		  "tx R@100[0,131072] tx R@228[0x20000,1024]A" },
		{ "responses go before requests",
		  { QUIET, RECV(0), POST(SEND), RX(SEND_ONLY, 200, .ack = true),
		    RX(READ_REQUEST, 201, .dma_len = 4), TX },
		  "rwc 1001=0 tx RO@201m2<0+4 tx ACK@201m2 tx SO@100<0+0A" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

/* Initiator depth, fences, and errors that fail in order. */
static void order(void **state)
{
	static const struct row rows[] = {
		{ "initiator depth",
		  { QUIET, MODIFY(ROCE_QP_MAX_RD_ATOMIC, .max_rd_atomic = 2), POST(READ, .len = 1),
		    POST(FETCH_ADD, .len = 8), POST(READ, .len = 2), POST(SEND), TX,
		    RX(READ_RESP_ONLY, 100, .len = 1), TX },
		  "tx R@100[0,1] tx FA@101[0,0,0]A wc 1=ok,1 tx R@102[0,2] tx SO@103<0+0A" },
		{ "READs are forbidden",
		  { MODIFY(ROCE_QP_MAX_RD_ATOMIC, .max_rd_atomic = 0), POST(READ, .len = 1), TX,
		    STATE },
		  "wc 1=loc-op,1 tx - ERR" },
		{ "fence: behind a READ",
		  { QUIET, POST(READ, .len = 1), POST(SEND, .flags = ROCE_WR_FENCE), TX, TX,
		    RX(READ_RESP_ONLY, 100, .len = 1), TX },
		  "tx R@100[0,1]A tx - wc 1=ok,1 tx SO@101<0+0A" },
		{ "fence: behind an atomic",
		  { QUIET, POST(FETCH_ADD, .len = 8), POST(READ, .len = 1, .flags = ROCE_WR_FENCE),
		    TX, RX(ATOMIC_ACKNOWLEDGE, 100), TX },
		  "tx FA@100[0,0,0]A wc 1=ok,8 tx R@101[0,1]A" },
		{ "waits are counted: a fence",
		  { QUIET, WATCH(WAIT_FENCE), POST(READ, .len = 1),
		    POST(SEND, .flags = ROCE_WR_FENCE), TX },
		  "+wait-fence tx R@100[0,1]A" },
		{ "waits are counted: the initiator depth",
		  { QUIET, WATCH(WAIT_DEPTH), MODIFY(ROCE_QP_MAX_RD_ATOMIC, .max_rd_atomic = 1),
		    POST(READ, .len = 1), POST(READ, .len = 1), TX },
		  "+wait-depth tx R@100[0,1]A" },
		{ "the window",
		  { WATCH(WAIT_PSN), WINDOW(1), POST(SEND, .len = 2 K), TX, ACK(100), TX },
		  "+wait-psn tx SF@100<0+1024A tx SL@101<1024+1024A" },
		{ "waits are counted: none, with an empty queue",
		  { WATCH(WAIT_PSN), WINDOW(2), POST(SEND, .len = 2 K), TX, TX },
		  "tx SF@100<0+1024 tx SL@101<1024+1024A tx -" },
		{ "fence: not behind a SEND",
		  { POST(SEND), POST(SEND, .flags = ROCE_WR_FENCE), TX },
		  "tx SO@100<0+0 tx SO@101<0+0A" },
		{ "an error found at posting fails in order",
		  { POST(SEND), POST(SEND, .status = ROCE_LOC_QP_OP_ERR), POST(SEND), TX, ACK(100),
		    TX, STATE, FLUSH(9) },
		  "tx SO@100<0+0A wc 1=ok wc 2=loc-op tx - ERR wc 3=flush flushed" },
		{ "bad SGEs",
		  { POST(SEND), TX, FAULT(SGES), POST(SEND, .len = 1), TX, TX, ACK(100), TX },
		  "tx SO@100<0+0A tx - tx - wc 1=ok wc 2=loc-prot tx -" },
		{ "bad SGEs, first in the queue",
		  { FAULT(SGES), POST(WRITE, .len = 1), TX, STATE },
		  "wc 1=loc-prot tx - ERR" },
		{ "an unsignaled SEND completes in silence, but not if it fails",
		  { POST(SEND, .flags = ROCE_WR_SIGNALED), POST(SEND, .flags = ROCE_WR_SIGNALED),
		    TX, ACK(100), NAK(101, ROCE_NAK_REM_OP) },
		  "tx SO@100<0+0 tx SO@101<0+0A wc 2=rem-op" },
		{ "local operations",
		  { POST(REG_MR), POST(SEND), POST(BIND_MW), TX, ACK(100), POST(LOCAL_INV), TX },
		  "local(1) wc 1=ok local(3) tx SO@100<0+0A wc 2=ok wc 3=ok local(4) wc 4=ok tx -" },
		{ "LOCAL_INV waits until nothing can need the key",
		  { POST(SEND), POST(LOCAL_INV), POST(SEND), TX, TX, ACK(100), TX },
		  "tx SO@100<0+0A tx - wc 1=ok local(2) wc 2=ok tx SO@101<0+0A" },
		{ "a local operation fails in order, and is not executed again",
		  { POST(SEND), FAULT(LOCAL), POST(BIND_MW), TX, TX, ACK(100), TX, STATE },
		  "local(2) tx SO@100<0+0A tx - wc 1=ok wc 2=bind tx - ERR" },
		{ "a rewind does not execute local operations again",
		  { POST(SEND), POST(REG_MR), POST(SEND), TX, NAK(100, ROCE_NAK_PSN_SEQ), TX,
		    ACK(101) },
		  "local(2) tx SO@100<0+0 tx SO@101<0+0A tx SO@100<0+0 tx SO@101<0+0A wc 1=ok wc 2=ok wc 3=ok" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void step_rewind_backoff(struct fixture *f, const struct step *s)
{
	fixture_say(f, "backoff %u", f->qp.req.loss.rewind_backoff);
}

static void step_peer_buffers(struct fixture *f, const struct step *s)
{
	fixture_say(f, f->qp.req.loss.peer_buffers ? "buffers" : "unknown");
}
#define LOG_BUFFERS                      \
	{                                \
		.run = step_peer_buffers \
	}
#define BACKOFF                     \
	{                           \
		.run = step_rewind_backoff \
	}
/* A message, after an RTT of 10 us; and a NAK of its first packet. */
#define OVER_WRAP                                                                                 \
	MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xfffffe), POST(SEND), SENT, PASS(10000), ACK(0xfffffe), \
		POST(SEND, .len = 2 K), SENT
#define MISSED NAK(0xffffff, ROCE_NAK_PSN_SEQ)
#define AGAIN "tx SF@16777215<0+1024 tx SL@0<1024+1024A "

/* Go-back-N. */
static void rewinds(void **state)
{
	static const struct row rows[] = {
		{ "into the middle of a SEND",
		  { POST(SEND, .len = 5 K), TX, NAK(102, ROCE_NAK_PSN_SEQ), TX, ACK(104) },
		  "tx SF@100<0+1024 tx SM@101x3<1024+1024 tx SL@104<4096+1024A tx SM@102x2<2048+1024 tx SL@104<4096+1024A wc 1=ok" },
		{ "to the last packet",
		  { POST(WRITE, .len = 2 K), TX, NAK(101, ROCE_NAK_PSN_SEQ), TX },
		  "tx WF@100[0,2048]<0+1024 tx WL@101<1024+1024A tx WL@101<1024+1024A" },
		{ "over messages, and on to new ones",
		  { POST(SEND), POST(SEND), POST(SEND), TX, POST(SEND), NAK(101, ROCE_NAK_PSN_SEQ),
		    TX },
		  "tx SO@100<0+0 tx SO@101<0+0 tx SO@102<0+0A wc 1=ok tx SO@101<0+0 tx SO@102<0+0 tx SO@103<0+0A tx SO@103<0+0A|" },
		{ "over the PSN wrap",
		  { MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xffffff), POST(SEND, .len = 3 K), POST(SEND),
		    TX, NAK(0, ROCE_NAK_PSN_SEQ), TX, ACK(2) },
		  "tx SF@16777215<0+1024 tx SM@0<1024+1024 tx SL@1<2048+1024 tx SO@2<0+0A tx SM@0<1024+1024 tx SL@1<2048+1024 tx SO@2<0+0A wc 1=ok wc 2=ok" },
		{ "into a READ: only the rest is re-requested",
		  { QUIET, POST(READ, .len = 4 K + 1, .va = 0x1000), TX,
		    RX(READ_RESP_FIRST, 100, .len = 1 K), RX(READ_RESP_MIDDLE, 101, .len = 1 K),
		    DEADLINES(9), TX, RX(READ_RESP_FIRST, 102, .len = 1 K),
		    RX(READ_RESP_MIDDLE, 103, .len = 1 K), RX(READ_RESP_LAST, 104, .len = 1) },
		  "tx R@100[0x1000,4097]A tx R@102[0x1800,1024]A wc 1=ok,4097" },
		{ "without progress: the interval doubles, across the PSN wrap",
		  { QUIET, OVER_WRAP, MISSED, TX, PASS(10000), MISSED, TX, PASS(19999), MISSED, TX,
		    PASS(1), TX, PASS(39999), MISSED, TX, PASS(1), TX },
		  "wc 1=ok " AGAIN AGAIN "tx - tx SF@16777215<0+1024A tx - "
		  "tx SF@16777215<0+1024A" },
		{ "progress decrements the backoff, and an ACK of all packets clears it",
		  { QUIET, OVER_WRAP, MISSED, TX, PASS(10000), MISSED, TX, BACKOFF, ACK(0xffffff),
		    BACKOFF, NAK(0, ROCE_NAK_PSN_SEQ), TX, PASS(10000), NAK(0, ROCE_NAK_PSN_SEQ),
		    TX, BACKOFF, ACK(0), BACKOFF },
		  "wc 1=ok " AGAIN AGAIN "backoff 1 backoff 0 tx SL@0<1024+1024A tx SL@0<1024+1024A "
		  "backoff 1 wc 2=ok backoff 0" },
		{ "no NAK: no backoff",
		  { QUIET, OVER_WRAP, MISSED, TX, PASS(500 * MS), TX, PASS(500 * MS), TX, BACKOFF },
		  "wc 1=ok " AGAIN "tx SF@16777215<0+1024A tx SF@16777215<0+1024A backoff 0" },
		{ "an ACK beyond snd.nxt during retransmission",
		  { POST(SEND), POST(SEND), POST(SEND), TX, NAK(100, ROCE_NAK_PSN_SEQ), TXN(1),
		    ACK(101), TX, ACK(102) },
		  "tx SO@100<0+0 tx SO@101<0+0 tx SO@102<0+0A tx SO@100<0+0 wc 1=ok wc 2=ok tx SO@102<0+0A wc 3=ok" },
		{ "an ACK of all packets ends retransmission",
		  { POST(SEND), POST(SEND), TX, NAK(100, ROCE_NAK_PSN_SEQ), ACK(101), TX },
		  "tx SO@100<0+0 tx SO@101<0+0A wc 1=ok wc 2=ok tx -" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

/* Measures an RTT of 10 us, so that the fifth deadline is a timeout. */
#define SHORT_TRIP_AT(psn) POST(SEND), SENT, PASS(10000), ACK(psn)
#define SHORT_TRIP	   SHORT_TRIP_AT(100)

/* Fast retransmit: a sequence NAK causes few packets to be retransmitted. */
static void fast_retransmit(void **state)
{
#define LONG	      QUIET, POST(SEND, .len = 20 K), SENT
#define FROM_SIXTH    NAK(105, ROCE_NAK_PSN_SEQ), TX
	static const struct row rows[] = {
		{ "the missing packet and the next one",
		  { LONG, FROM_SIXTH, TX, ACK(119), DEADLINE },
		  "tx SM@105x2<5120+1024A tx - wc 1=ok never" },
		{ "after the ACK, new messages can be sent",
		  { LONG, FROM_SIXTH, POST(SEND, .len = 3 K), TX, ACK(119), TX },
		  "tx SM@105x2<5120+1024A tx - wc 1=ok tx SF@120<0+1024 tx SM@121<1024+1024 "
		  "tx SL@122<2048+1024A tx SL@122<2048+1024A|" },
		{ "the peer buffered nothing: go-back-N, and at once at the next loss",
		  { LONG, FROM_SIXTH, ACK(106), TX, ACK(119), POST(SEND, .len = 20 K), SENT,
		    NAK(121, ROCE_NAK_PSN_SEQ), TX },
		  "tx SM@105x2<5120+1024A tx SM@107x12<7168+1024 tx SL@119<19456+1024A wc 1=ok "
		  "tx SM@121x18<1024+1024 tx SL@139<19456+1024A" },
		{ "another hole behind the first: go-back-N from there",
		  { LONG, FROM_SIXTH, ACK(108), TX },
		  "tx SM@105x2<5120+1024A tx SM@109x10<9216+1024 tx SL@119<19456+1024A" },
		{ "no response: a probe with the same packets, then a timeout with a window of one",
		  { WATCH(TIMEOUT), LONG, FROM_SIXTH, DEADLINE, TX, DEADLINES(5), TX },
		  "tx SM@105x2<5120+1024A tx SM@105x2<5120+1024A +timeout tx SM@105<5120+1024A" },
		{ "an ACK of more than two packets shows no burst of losses",
		  { LONG, FROM_SIXTH, LOG_WINDOW, ACK(108), LOG_WINDOW },
		  "tx SM@105x2<5120+1024A window 2 window 256" },
		{ "one of two packets does: the window is a quarter smaller",
		  { LONG, FROM_SIXTH, LOG_WINDOW, ACK(106), LOG_WINDOW },
		  "tx SM@105x2<5120+1024A window 2 window 192" },
		{ "from the middle of the PSNs, in two batches",
		  { QUIET, MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0x3fffff), POST(SEND, .len = 4 K), SENT,
		    NAK(0x3fffff, ROCE_NAK_PSN_SEQ), TXN(2), ACK(0x400002) },
		  "tx SF@4194303<0+1024 tx SM@4194304<1024+1024 wc 1=ok" },
		{ "few packets in flight are all retransmitted",
		  { QUIET, POST(SEND, .len = 9 K), SENT, NAK(101, ROCE_NAK_PSN_SEQ), TX },
		  "tx SM@101x7<1024+1024 tx SL@108<8192+1024A" },
		{ "over the PSN wrap",
		  { MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xfffffe), LONG,
		    NAK(0xffffff, ROCE_NAK_PSN_SEQ),
		    TX, ACK(17), DEADLINE },
		  "tx SM@16777215x2<1024+1024A wc 1=ok never" },
		{ "over the PSN wrap, another hole",
		  { MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xfffff8), LONG,
		    NAK(0xfffff9, ROCE_NAK_PSN_SEQ),
		    TX, ACK(0), TX, ACK(11), DEADLINE },
		  "tx SM@16777209x2<1024+1024A tx SM@1x10<9216+1024 tx SL@11<19456+1024A wc 1=ok never" },
		{ "a lost READ counts in the window with its response",
		  { QUIET, POST(SEND, .len = 9 K), POST(READ, .len = 9 K), POST(SEND), SENT,
		    NAK(108, ROCE_NAK_PSN_SEQ), TX, RX(READ_RESP_FIRST, 109, .len = 1 K), TX },
		  "tx SL@108<8192+1024 tx R@109[0,9216]A wc 1=ok tx SO@118<0+0A" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

/* Whether the peer is known to keep requests that arrive out of order. */
static void buffering_peers(void **state)
{
#define MESSAGE_LOST                                  \
	SHORT_TRIP, QUIET, POST(SEND, .len = 20 K), SENT, PASS(10000), \
		NAK(106, ROCE_NAK_PSN_SEQ), SENT
	static const struct row rows[] = {
		{ "it acknowledges more than the two packets that were retransmitted",
		  { MESSAGE_LOST, LOG_BUFFERS, PASS(7500), ACK(108), LOG_BUFFERS },
		  "wc 1=ok unknown buffers" },
		{ "an ACK of the two says nothing",
		  { MESSAGE_LOST, PASS(7500), ACK(107), LOG_BUFFERS },
		  "wc 1=ok unknown" },
		{ "nor does one within 3/4 of the minimum RTT",
		  { MESSAGE_LOST, PASS(7499), ACK(108), LOG_BUFFERS },
		  "wc 1=ok unknown" },
		{ "nor one after a second NAK",
		  { MESSAGE_LOST, PASS(7500), NAK(106, ROCE_NAK_PSN_SEQ), ACK(108), LOG_BUFFERS },
		  "wc 1=ok unknown" },
		{ "nor one during go-back-N",
		  { MESSAGE_LOST, ACK(107), NAK(108, ROCE_NAK_PSN_SEQ), TXN(1), PASS(10000),
		    ACK(112), LOG_BUFFERS },
		  "wc 1=ok tx SM@108<7168+1024 unknown" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

#define FOUR	   POST(SEND), POST(SEND), POST(SEND), POST(SEND)

static void timers(void **state)
{
	static const struct row rows[] = {
		{ "nothing in flight, no deadline",
		  { DEADLINE, POST(SEND), DEADLINE },
		  "never never" },
		{ "acknowledged, no deadline",
		  { POST(SEND), TX, ACK(100), DEADLINE },
		  "tx SO@100<0+0A wc 1=ok never" },
		{ "without an ACK, the last packet is retransmitted at the deadline",
		  { WATCH(TIMEOUT), POST(SEND, .len = 1), POST(SEND, .len = 3 K), TX, DEADLINE, TX,
		    ACK(103) },
		  "tx SO@100<0+1 tx SF@101<0+1024 tx SM@102<1024+1024 tx SL@103<2048+1024A "
		  "tx SL@103<2048+1024A wc 1=ok wc 2=ok" },
		{ "one response of a READ is re-requested, and nothing after it",
		  { SHORT_TRIP, QUIET, POST(READ, .len = 3 K), TX, DEADLINE, POST(SEND), TX },
		  "wc 1=ok tx R@101[0,3072]A tx R@101[0,1024] tx SO@104<0+0A" },
		{ "if it arrives, but none behind it, the rest is re-requested 100 us later",
		  { SHORT_TRIP, QUIET, POST(READ, .len = 3 K), TX, DEADLINE, TX,
		    RX(READ_RESP_ONLY, 101, .len = 1 K), PASS(100000 - 1), TX, PASS(1), TX },
		  "wc 1=ok tx R@101[0,3072]A tx R@101[0,1024]A tx - tx R@102[0x400,2048]A" },
		{ "if others arrive behind it, one response is re-requested later",
		  { SHORT_TRIP, QUIET, POST(READ, .len = 3 K), TX, DEADLINE, TX,
		    RX(READ_RESP_FIRST, 101, .len = 1 K), RX(READ_RESP_MIDDLE, 102, .len = 1 K),
		    DEADLINE, TX },
		  "wc 1=ok tx R@101[0,3072]A tx R@101[0,1024]A tx R@103[0x800,1024]A" },
		{ "if nothing arrives, the same response is re-requested again",
		  { SHORT_TRIP, QUIET, POST(READ, .len = 3 K), TX, DEADLINE, TX, DEADLINE, TX },
		  "wc 1=ok tx R@101[0,3072]A tx R@101[0,1024]A tx R@101[0,1024]A" },
		{ "before the first RTT sample, a probe requests one response",
		  { QUIET, POST(READ, .len = 3 K), TX, DEADLINE, POST(SEND), TX },
		  "tx R@100[0,3072]A tx R@100[0,1024] tx SO@103<0+0A" },
		{ "before the first RTT sample, a timeout requests one response, over the PSN wrap",
		  { QUIET, MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xfffffe), WATCH(TIMEOUT),
		    POST(READ, .len = 5 K), SENT, DEADLINES(6), TX },
		  "+timeout tx R@16777214[0,1024]A" },
		{ "after the first response of a READ, the second is re-requested",
		  { QUIET, POST(READ, .len = 3 K), TX, RX(READ_RESP_FIRST, 100, .len = 1 K),
		    DEADLINE, TX },
		  "tx R@100[0,3072]A tx R@101[0x400,1024]A" },
		{ "of several READs, one response of the first is re-requested, and then the last READ",
		  { SHORT_TRIP, QUIET, POST(READ, .len = 3 K), POST(READ, .len = 2 K), TX, DEADLINE,
		    TX, RX(READ_RESP_ONLY, 101, .len = 1 K), DEADLINE, TX },
		  "wc 1=ok tx R@101[0,3072] tx R@104[0,2048]A tx R@101[0,1024]A "
		  "tx R@104[0,2048]A" },
		{ "of a READ and a SEND, the SEND is retransmitted",
		  { SHORT_TRIP, QUIET, POST(READ, .len = 3 K), POST(SEND), TX, DEADLINE, TX },
		  "wc 1=ok tx R@101[0,3072] tx SO@104<0+0A tx SO@104<0+0A" },
		{ "before the first RTT sample, one response of the first READ",
		  { QUIET, POST(READ, .len = 3 K), POST(READ, .len = 2 K), TX, DEADLINE, TX },
		  "tx R@100[0,3072] tx R@103[0,2048]A tx R@100[0,1024]A" },
		{ "of a READ in chunks, one response and the last chunk, over the PSN wrap",
		  { MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xffff7f), SHORT_TRIP_AT(0xffff7f), QUIET,
		    POST(READ, .len = 131 K), TX, DEADLINE, TX,
		    RX(READ_RESP_ONLY, 0xffff80, .len = 1 K), DEADLINE, TX },
		  "wc 1=ok tx R@16777088[0,131072] tx R@0[0x20000,3072]A tx R@16777088[0,1024]A "
		  "tx R@0[0x20000,3072]A" },
		{ "a response before the probe cancels it",
		  { QUIET, POST(READ, .len = 3 K), TX, DEADLINE,
		    RX(READ_RESP_FIRST, 100, .len = 1 K), TX,
		    RX(READ_RESP_MIDDLE, 101, .len = 1 K), RX(READ_RESP_LAST, 102, .len = 1 K),
		    DEADLINE },
		  "tx R@100[0,3072]A tx - wc 1=ok,3072 never" },
		{ "unsent packets follow the probe",
		  { QUIET, POST(SEND), TX, POST(SEND, .len = 3 K), TXN(1), DEADLINE, TXN(2) },
		  "tx SO@100<0+0A tx SF@101<0+1024 tx SF@101<0+1024 tx SM@102<1024+1024" },
		{ "five probes at doubling intervals, then a timeout retransmits the first packet",
		  { WATCH(TIMEOUT), POST(SEND), POST(SEND), TX, DEADLINES(6), TX },
		  "tx SO@100<0+0 tx SO@101<0+0A +timeout tx SO@100<0+0A" },
		{ "slow start after a timeout",
		  { WATCH(TIMEOUT), POST(SEND), POST(SEND), POST(SEND), POST(SEND), TX,
		    DEADLINES(6), TX, ACK(100), TX },
		  "tx SO@100<0+0 tx SO@101<0+0 tx SO@102<0+0 tx SO@103<0+0A +timeout "
		  "tx SO@100<0+0A wc 1=ok tx SO@101<0+0 tx SO@102<0+0A" },
		{ "not before the deadline",
		  { POST(SEND), TX, PASS(MS - 1), TX, PASS(1), TX },
		  "tx SO@100<0+0A tx - tx SO@100<0+0A" },
		{ "a measured round trip shortens it, but to no less than 100 us",
		  { POST(SEND), TX, PASS(10000), ACK(100), POST(SEND), TX, PASS(100000 - 1), TX,
		    PASS(1), TX },
		  "tx SO@100<0+0A wc 1=ok tx SO@101<0+0A tx - tx SO@101<0+0A" },
		{ "retransmitted packets give no RTT sample",
		  { POST(SEND), TX, NAK(100, ROCE_NAK_PSN_SEQ), TX, PASS(1000), ACK(100),
		    POST(SEND), TX, PASS(MS - 1), TX },
		  "tx SO@100<0+0A tx SO@100<0+0A wc 1=ok tx SO@101<0+0A tx SO@101<0+0A| tx -" },
		/* (retry_cnt + 1) times 250 ms, between 4.096 us << 14 and four times that */
		{ "retry_cnt 7 is seven",
		  { WATCH(RETRY_EXC), POST(SEND), TX, EXHAUST(999), STATE },
		  "tx SO@100<0+0A +retry-exc wc 1=retry after 2000000 us ERR" },
		{ "retry_cnt 0 is none",
		  { MODIFY(ROCE_QP_RETRY_CNT, .retry_cnt = 0), POST(SEND), POST(SEND), TX,
		    EXHAUST(999), FLUSH(9) },
		  "tx SO@100<0+0 tx SO@101<0+0A wc 1=retry after 250000 us wc 2=flush flushed" },
		{ "a timeout longer than 250 ms is used as it is",
		  { MODIFY(ROCE_QP_RETRY_CNT | ROCE_QP_TIMEOUT, .retry_cnt = 1, .timeout = 18),
		    POST(SEND), TX, EXHAUST(999) },
		  "tx SO@100<0+0A wc 1=retry after 2147483 us" },
		{ "retry_cnt 3 at the shortest timeout",
		  { MODIFY(ROCE_QP_RETRY_CNT | ROCE_QP_TIMEOUT, .retry_cnt = 3, .timeout = 1),
		    POST(SEND), TX, EXHAUST(999) },
		  "tx SO@100<0+0A wc 1=retry after 131 us" },
		{ "timeout 0 is for ever",
		  { MODIFY(ROCE_QP_TIMEOUT, .timeout = 0), POST(SEND), TX, EXHAUST(80), STATE,
		    ACK(100) },
		  "tx SO@100<0+0A after 10381000 us RTS wc 1=ok" },
		{ "progress gives all retries back",
		  { MODIFY(ROCE_QP_RETRY_CNT, .retry_cnt = 1), POST(SEND), POST(SEND), TX,
		    EXHAUST(11), ACK(100), EXHAUST(999) },
		  "tx SO@100<0+0 tx SO@101<0+0A after 81000 us wc 1=ok wc 2=retry after 500000 us" },
		{ "an ACK within half an RTT of a timeout: the timeout was spurious, no more retransmissions",
		  { SHORT_TRIP, WATCH(TIMEOUT), FOUR, SENT, DEADLINES(5), TX, PASS(4999), ACK(102),
		    POST(SEND), TX, ACK(105), DEADLINE },
		  "wc 1=ok +timeout tx SO@101<0+0A wc 2=ok wc 3=ok tx SO@105<0+0A wc 4=ok wc 5=ok "
		  "wc 6=ok never" },
		{ "an ACK beyond the retransmitted packet in slow start: the rest is not retransmitted",
		  { SHORT_TRIP, WATCH(TIMEOUT), FOUR, SENT, DEADLINES(5), TX, PASS(5000), ACK(102),
		    POST(SEND), TX },
		  "wc 1=ok +timeout tx SO@101<0+0A wc 2=ok wc 3=ok tx SO@103<0+0 tx SO@104<0+0 "
		  "tx SO@105<0+0A" },
		{ "after slow start: the timeout was spurious, nothing is retransmitted",
		  { SHORT_TRIP, SLOW_START_ENDED, WATCH(TIMEOUT), FOUR, SENT, LOG_WINDOW,
		    DEADLINES(5), TX, PASS(1 * MS), ACK(102), POST(SEND), TX, LOG_WINDOW },
		  "wc 1=ok window 256 +timeout tx SO@101<0+0A wc 2=ok wc 3=ok tx SO@105<0+0A "
		  "window 4" },
		{ "an ACK of the retransmitted packet alone: the rest is retransmitted",
		  { SHORT_TRIP, SLOW_START_ENDED, WATCH(TIMEOUT), FOUR, SENT, DEADLINES(5), TX,
		    PASS(1 * MS), ACK(101), TX },
		  "wc 1=ok +timeout tx SO@101<0+0A wc 2=ok tx SO@102<0+0 tx SO@103<0+0A" },
		{ "several spurious timeouts in a row: slow start from the packets acknowledged",
		  { SHORT_TRIP, SLOW_START_ENDED, WATCH(TIMEOUT), FOUR, SENT, LOG_WINDOW,
		    DEADLINES(5), TX, DEADLINES(9), TX, LOG_WINDOW, ACK(104), LOG_WINDOW },
		  "wc 1=ok window 256 +timeout tx SO@101<0+0A +timeout tx SO@101<0+0A window 1 wc 2=ok "
		  "wc 3=ok wc 4=ok wc 5=ok window 8" },
		{ "READ: a response that was not re-requested shows that the timeout was spurious",
		  { SHORT_TRIP, SLOW_START_ENDED, QUIET, WATCH(TIMEOUT), POST(READ, .len = 4 K),
		    SENT, LOG_WINDOW, DEADLINES(5), TX, LOG_WINDOW, PASS(1 * MS),
		    RX(READ_RESP_FIRST, 101, .len = 1 K), TX,
		    RX(READ_RESP_MIDDLE, 102, .len = 1 K), TX, POST(READ, .len = 2 K), TX },
		  "wc 1=ok window 256 +timeout tx R@101[0,1024]A window 1 tx - tx - "
		  "tx R@105[0,2048]A" },
		{ "READ: if none arrives, the rest is re-requested 100 us later",
		  { SHORT_TRIP, SLOW_START_ENDED, QUIET, WATCH(TIMEOUT), POST(READ, .len = 4 K),
		    SENT, DEADLINES(5), TX, PASS(1 * MS), RX(READ_RESP_ONLY, 101, .len = 1 K),
		    PASS(100000 - 1), TX, PASS(1), TX },
		  "wc 1=ok +timeout tx R@101[0,1024]A tx - tx R@102[0x400,3072]A" },
		{ "READ: not if responses are missing",
		  { SHORT_TRIP, SLOW_START_ENDED, QUIET, WATCH(TIMEOUT), POST(READ, .len = 4 K),
		    SENT, DEADLINES(5), TX, PASS(1 * MS), RX(READ_RESP_MIDDLE, 103, .len = 1 K),
		    RX(READ_RESP_ONLY, 101, .len = 1 K), TX },
		  "wc 1=ok +timeout tx R@101[0,1024]A tx R@102[0x400,3072]A" },
		{ "not after a NAK: packets were lost",
		  { SHORT_TRIP, SLOW_START_ENDED, WATCH(TIMEOUT), FOUR, SENT,
		    NAK(101, ROCE_NAK_PSN_SEQ), TX, DEADLINES(5), TX, PASS(1 * MS), ACK(102), TX },
		  "wc 1=ok tx SO@101<0+0 tx SO@102<0+0 tx SO@103<0+0 tx SO@104<0+0A +timeout "
		  "tx SO@101<0+0A wc 2=ok wc 3=ok tx SO@103<0+0 tx SO@104<0+0A" },
		{ "nor on a path that has shown congestion",
		  { SHORT_TRIP, SLOW_START_ENDED, CONGESTED, WATCH(TIMEOUT), FOUR, SENT,
		    DEADLINES(5), TX, PASS(1 * MS), ACK(102), TX },
		  "wc 1=ok +timeout tx SO@101<0+0A wc 2=ok wc 3=ok tx SO@103<0+0 tx SO@104<0+0A" },
		{ "the response to a retransmission measures the RTT from there",
		  { SHORT_TRIP, POST(SEND), SENT, DEADLINES(5), TX, PASS(10000), ACK(101),
		    POST(SEND), SENT, EXHAUST(1) },
		  "wc 1=ok tx SO@101<0+0A wc 2=ok after 100 us" },
		{ "after a spurious timeout the window is as large as before",
		  { SHORT_TRIP, FOUR, SENT, LOG_WINDOW, DEADLINES(5), TX, LOG_WINDOW, PASS(4999),
		    ACK(102), LOG_WINDOW },
		  "wc 1=ok window 256 tx SO@101<0+0A window 1 wc 2=ok wc 3=ok window 256" },
		{ "a spurious timeout within a message, over the PSN wrap",
		  { MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xfffffe), POST(SEND), SENT, PASS(10000),
		    ACK(0xfffffe), WATCH(TIMEOUT), POST(SEND, .len = 4 K), SENT, DEADLINES(5), TX,
		    ACK(0), POST(SEND), TX, NAK(1, ROCE_NAK_PSN_SEQ), TX },
		  "wc 1=ok +timeout tx SF@16777215<0+1024A tx SO@3<0+0A tx SM@1<2048+1024 "
		  "tx SL@2<3072+1024 tx SO@3<0+0A" },
		{ "an atomic is timed as well",
		  { QUIET, POST(FETCH_ADD, .len = 8), TX, DEADLINE, TX },
		  "tx FA@100[0,0,0]A tx FA@100[0,0,0]A" },
		{ "no deadline in ERR",
		  { POST(SEND), TX, TO(ERR), DEADLINE, PASS(9999 * MS), TX },
		  "tx SO@100<0+0A never tx -" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

/* A request of the peer arrives after @NS. */
#define HEARD(NS, PSN) PASS(NS), RECV(0), RX(SEND_ONLY, PSN)

static void peer_requests(void **state)
{
	static const struct row rows[] = {
		{ "a request of the peer 1.5 RTT after the last packet triggers a probe",
		  { QUIET, SHORT_TRIP, POST(SEND), TX, HEARD(15000, 200), TX },
		  "wc 1=ok tx SO@101<0+0A rwc 1001=0 tx SO@101<0+0A" },
		{ "not before 1.5 RTT",
		  { QUIET, SHORT_TRIP, POST(SEND), TX, HEARD(14999, 200), TX },
		  "wc 1=ok tx SO@101<0+0A rwc 1001=0 tx -" },
		{ "once",
		  { QUIET, SHORT_TRIP, POST(SEND), TX, HEARD(15000, 200), TX, HEARD(15000, 201),
		    TX },
		  "wc 1=ok tx SO@101<0+0A rwc 1001=0 tx SO@101<0+0A rwc 1002=0 tx -" },
		{ "an ACK of the probe ends recovery, over the PSN wrap",
		  { QUIET, MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xfffffe), POST(SEND), SENT,
		    PASS(10000), ACK(0xfffffe), POST(SEND), POST(SEND), TX, HEARD(15000, 200), TX,
		    ACK(0), DEADLINE },
		  "wc 1=ok tx SO@16777215<0+0 tx SO@0<0+0A rwc 1001=0 tx SO@0<0+0A wc 2=ok "
		  "wc 3=ok never" },
		{ "a NAK of the probe triggers a retransmission",
		  { QUIET, SHORT_TRIP, POST(SEND), POST(SEND), TX, HEARD(15000, 200), TX,
		    NAK(101, ROCE_NAK_PSN_SEQ), TX },
		  "wc 1=ok tx SO@101<0+0 tx SO@102<0+0A rwc 1001=0 tx SO@102<0+0A tx SO@101<0+0 "
		  "tx SO@102<0+0A" },
		{ "nothing has been sent",
		  { QUIET, SHORT_TRIP, HEARD(15000, 200), TX },
		  "wc 1=ok rwc 1001=0 tx -" },
		{ "no round trip has been measured",
		  { QUIET, POST(SEND), TX, HEARD(900000, 200), TX },
		  "tx SO@100<0+0A rwc 1001=0 tx -" },
		{ "a READ is not probed early",
		  { QUIET, SHORT_TRIP, POST(READ, .len = 1 K), TX, HEARD(15000, 200), TX },
		  "wc 1=ok tx R@101[0,1024]A rwc 1001=0 tx -" },
		{ "not while the RNR timer is active",
		  { QUIET, SHORT_TRIP, POST(SEND), TX, RNR(101, 14), HEARD(15000, 200), TX },
		  "wc 1=ok tx SO@101<0+0A rwc 1001=0 tx -" },
		{ "not after a retransmission, which is a probe itself",
		  { QUIET, SHORT_TRIP, POST(SEND), TX, NAK(101, ROCE_NAK_PSN_SEQ),
		    HEARD(15000, 200), TX, PASS(85000), TX },
		  "wc 1=ok tx SO@101<0+0A rwc 1001=0 tx SO@101<0+0A tx SO@101<0+0A" },
		{ "a response is no request",
		  { QUIET, SHORT_TRIP, POST(SEND), TX, PASS(15000), ACK(100), TX },
		  "wc 1=ok tx SO@101<0+0A tx -" },
		{ "in SQD, a WQE in flight is probed",
		  { QUIET, SHORT_TRIP, POST(SEND), TX, TO(SQD), HEARD(15000, 200), TX },
		  "wc 1=ok tx SO@101<0+0A rwc 1001=0 tx SO@101<0+0A" },
		{ "not in ERR",
		  { QUIET, SHORT_TRIP, POST(SEND), TX, TO(ERR), FLUSH(9), PASS(15000),
		    RX(SEND_ONLY, 200), TX },
		  "wc 1=ok tx SO@101<0+0A wc 2=flush flushed tx -" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

/* Unsignaled; and the same sent at once. */
#define UNSEEN	    POST(SEND, .flags = ROCE_WR_SIGNALED)
#define UNSEEN_SENT UNSEEN, TX

/* Unsignaled messages, each acknowledged at once. */
static void step_unseen_acked(struct fixture *f, const struct step *s)
{
	static const struct step post = UNSEEN, sent = SENT;
	u32 i;

	for (i = 0; i < s->n; i++) {
		struct step ack = ACK(f->qp.req.snd.max);

		post.run(f, &post);
		sent.run(f, &sent);
		ack.run(f, &ack);
	}
}

#define UNSEEN_ACKED_TIMES(times)                   \
	{                                           \
		.run = step_unseen_acked, .n = (times) \
	}

static void deferred_ackreqs(void **state)
{
	static const struct row rows[] = {
		{ "unsignaled SENDs: one AckReq per quarter of the send queue",
		  { DEFER, UNSEEN_SENT, UNSEEN_SENT, UNSEEN_SENT, UNSEEN_SENT, UNSEEN_SENT,
		    ACK(103), DEADLINE },
		  "tx SO@100<0+0 tx SO@101<0+0 tx SO@102<0+0 tx SO@103<0+0A tx SO@104<0+0" },
		{ "a probe has AckReq, even if the packet has had it before",
		  { DEFER, UNSEEN_SENT, UNSEEN_SENT, UNSEEN_SENT, UNSEEN_SENT, DEADLINES(1),
		    TX },
		  "tx SO@100<0+0 tx SO@101<0+0 tx SO@102<0+0 tx SO@103<0+0A tx SO@103<0+0A" },
		{ "without AckReq deferral: AckReq in each packet", { UNSEEN_SENT, UNSEEN_SENT }, "tx SO@100<0+0A tx SO@101<0+0A" },
		{ "a signaled SEND has AckReq, over the PSN wrap",
		  { DEFER, MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xffffff), UNSEEN_SENT, UNSEEN_SENT,
		    POST(SEND), TX, ACK(1), DEADLINE },
		  "tx SO@16777215<0+0 tx SO@0<0+0 tx SO@1<0+0A wc 3=ok never" },
		{ "a signaled SEND that is not the last of its batch",
		  { DEFER, POST(SEND), UNSEEN_SENT, ACK(101), DEADLINE },
		  "tx SO@100<0+0 tx SO@101<0+0A wc 1=ok never" },
		{ "half of a small window is not exceeded",
		  { DEFER, WINDOW(4), UNSEEN_SENT, UNSEEN_SENT, UNSEEN_SENT },
		  "tx SO@100<0+0 tx SO@101<0+0A tx SO@102<0+0" },
		{ "no more messages: a probe has AckReq, counts as no timeout, and the next packet has AckReq",
		  { DEFER, QUIET, WATCH(TIMEOUT), UNSEEN_SENT, UNSEEN_SENT, DEADLINES(1), TX,
		    ACK(101), UNSEEN_SENT, DEADLINE },
		  "tx SO@100<0+0 tx SO@101<0+0 tx SO@101<0+0A tx SO@102<0+0A" },
		{ "32 AckReqs after such a probe, they are deferred again",
		  { DEFER, QUIET, UNSEEN_SENT, DEADLINES(1), SENT, ACK(100),
		    UNSEEN_ACKED_TIMES(30), UNSEEN_SENT, ACK(131), UNSEEN_SENT },
		  "tx SO@100<0+0 tx SO@131<0+0A tx SO@132<0+0" },
		{ "a signaled message that was acknowledged unasked wants no ACK any more",
		  { DEFER, POST(SEND), POST(SEND, .len = 2 K, .flags = ROCE_WR_SIGNALED), TXN(2),
		    ACK(101), TX },
		  "tx SO@100<0+0 tx SF@101<0+1024 wc 1=ok tx SL@102<1024+1024" },
		{ "each message postpones the probe",
		  { DEFER, UNSEEN_SENT, PASS(900000), UNSEEN_SENT, PASS(900000), UNSEEN_SENT,
		    DEADLINE, TX },
		  "tx SO@100<0+0 tx SO@101<0+0 tx SO@102<0+0 tx SO@102<0+0A" },
		{ "also when an ACK has covered some of them",
		  { DEFER, POST(SEND), TX, UNSEEN_SENT, UNSEEN_SENT, ACK(101), PASS(900000),
		    UNSEEN_SENT, PASS(900000), TX, PASS(100000), TX },
		  "tx SO@100<0+0A tx SO@101<0+0 tx SO@102<0+0 wc 1=ok tx SO@103<0+0 tx - tx SO@103<0+0A" },
		{ "such an ACK begins the time to the probe again",
		  { DEFER, POST(SEND), TX, UNSEEN_SENT, UNSEEN_SENT, PASS(400000), ACK(101),
		    EXHAUST(1) },
		  "tx SO@100<0+0A tx SO@101<0+0 tx SO@102<0+0 wc 1=ok after 1200 us" },
		{ "the probe comes after 1 ms, however short the RTT is",
		  { DEFER, SHORT_TRIP, UNSEEN_SENT, PASS(999999), TX, PASS(1), TX },
		  "wc 1=ok tx SO@101<0+0 tx - tx SO@101<0+0A" },
		{ "a probe for a late ACK does not end deferral",
		  { DEFER, SHORT_TRIP, POST(SEND), TX, UNSEEN_SENT, PASS(100000), TX, ACK(102),
		    UNSEEN_SENT },
		  "wc 1=ok tx SO@101<0+0A tx SO@102<0+0 tx SO@102<0+0A wc 2=ok tx SO@103<0+0" },
		{ "later messages do not postpone the probe of a packet with AckReq",
		  { DEFER, POST(SEND), TX, PASS(900000), UNSEEN_SENT, PASS(100000), TX },
		  "tx SO@100<0+0A tx SO@101<0+0 tx SO@101<0+0A" },
		{ "a LOCAL_INV behind them: AckReq at once",
		  { DEFER, UNSEEN_SENT, POST(LOCAL_INV), TX, PASS(0), TX, ACK(100), TX },
		  "tx SO@100<0+0 tx - tx SO@100<0+0A local(2) wc 2=ok tx -" },
		{ "SQD: AckReq at once",
		  { DEFER, UNSEEN_SENT, TO(SQD), PASS(0), TX, ACK(100) },
		  "tx SO@100<0+0 tx SO@100<0+0A ev drained" },
		{ "a retransmission has AckReq",
		  { DEFER, QUIET, UNSEEN_SENT, UNSEEN_SENT, NAK(100, ROCE_NAK_PSN_SEQ), TX },
		  "tx SO@100<0+0 tx SO@101<0+0 tx SO@100<0+0 tx SO@101<0+0A" },
		{ "and the AckReq interval begins again with it",
		  { DEFER, QUIET, ACK_INTERVAL(3), UNSEEN_SENT, UNSEEN_SENT,
		    NAK(100, ROCE_NAK_PSN_SEQ), TX },
		  "tx SO@100<0+0 tx SO@101<0+0 tx SO@100<0+0 tx SO@101<0+0A" },
		{ "packets without AckReq give no RTT sample",
		  { DEFER, UNSEEN_SENT, PASS(500000), POST(SEND), TX, PASS(10000), ACK(101),
		    POST(SEND), TX, PASS(100000), TX },
		  "tx SO@100<0+0 tx SO@101<0+0A wc 2=ok tx SO@102<0+0A tx SO@102<0+0A" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

/* The number of packets in flight at which small messages are corked. */
#define SIXTEEN POST(SEND, .len = 16 K), SENT

/* Unsignaled messages: without AckReq while they fill less than a quarter of the send queue. */
static void step_unwatched_sent(struct fixture *f, const struct step *s)
{
	static const struct step post = UNSEEN, sent = SENT;
	u32 i;

	for (i = 0; i < s->n; i++) {
		post.run(f, &post);
		sent.run(f, &sent);
	}
}

#define UNSEEN_SENT_TIMES(times)                      \
	{                                             \
		.run = step_unwatched_sent, .n = (times) \
	}

static void corked_messages(void **state)
{
	static const struct row rows[] = {
		{ "small messages behind 16 packets are sent on an ACK",
		  { DEFER, SIXTEEN, UNSEEN_SENT, UNSEEN_SENT, ACK(115), TX },
		  "tx - tx - wc 1=ok tx SO@116<0+0 tx SO@117<0+0" },
		{ "or when 32 have been corked, over the PSN wrap",
		  { DEFER, DEEP, MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xffffe0), SIXTEEN,
		    UNSEEN_SENT_TIMES(30), UNSEEN_SENT, UNSEEN_SENT, TX, TX },
		  "tx - tx SO@16777200<0+0 tx SO@16777201<0+0 tx SO@16777202<0+0 "
		  "tx SO@16777203<0+0 tx SO@16777204<0+0 tx SO@16777205<0+0 "
		  "tx SO@16777206<0+0 tx SO@16777207<0+0 tx SO@16777208<0+0 "
		  "tx SO@16777209<0+0 tx SO@16777210<0+0 tx SO@16777211<0+0 "
		  "tx SO@16777212<0+0 tx SO@16777213<0+0 tx SO@16777214<0+0 "
		  "tx SO@16777215<0+0A tx SO@0<0+0 tx SO@1<0+0 tx SO@2<0+0 tx SO@3<0+0 "
		  "tx SO@4<0+0 tx SO@5<0+0 tx SO@6<0+0 tx SO@7<0+0 tx SO@8<0+0 tx SO@9<0+0 "
		  "tx SO@10<0+0 tx SO@11<0+0 tx SO@12<0+0 tx SO@13<0+0 tx SO@14<0+0 "
		  "tx SO@15<0+0 tx -" },
		{ "the last of 16 that were sent on an ACK has AckReq",
		  { DEFER, DEEP, SIXTEEN, UNSEEN_SENT_TIMES(16), ACK(115), TX },
		  "wc 1=ok tx SO@116<0+0 tx SO@117<0+0 tx SO@118<0+0 tx SO@119<0+0 tx SO@120<0+0 tx SO@121<0+0 tx SO@122<0+0 tx SO@123<0+0 tx SO@124<0+0 tx SO@125<0+0 tx SO@126<0+0 tx SO@127<0+0 tx SO@128<0+0 tx SO@129<0+0 tx SO@130<0+0 tx SO@131<0+0A" },
		{ "not that of 15",
		  { DEFER, DEEP, SIXTEEN, UNSEEN_SENT_TIMES(15), ACK(115), TX },
		  "wc 1=ok tx SO@116<0+0 tx SO@117<0+0 tx SO@118<0+0 tx SO@119<0+0 tx SO@120<0+0 tx SO@121<0+0 tx SO@122<0+0 tx SO@123<0+0 tx SO@124<0+0 tx SO@125<0+0 tx SO@126<0+0 tx SO@127<0+0 tx SO@128<0+0 tx SO@129<0+0 tx SO@130<0+0" },
		{ "or behind them comes a signaled one",
		  { DEFER, SIXTEEN, UNSEEN_SENT, POST(SEND), TX },
		  "tx - tx SO@116<0+0 tx SO@117<0+0A" },
		{ "or a solicited one",
		  { DEFER, SIXTEEN, UNSEEN_SENT,
		    POST(SEND, .flags = ROCE_WR_SIGNALED | ROCE_WR_SOLICITED), TX },
		  "tx - tx SO@116<0+0 tx SO@117<0+0S" },
		{ "or a long one",
		  { DEFER, SIXTEEN, UNSEEN_SENT,
		    POST(SEND, .len = 1025, .flags = ROCE_WR_SIGNALED), TX },
		  "tx - tx SO@116<0+0 tx SF@117<0+1024 tx SL@118<1024+1" },
		{ "or a READ",
		  { DEFER, QUIET, SIXTEEN, UNSEEN_SENT, POST(READ, .flags = ROCE_WR_SIGNALED),
		    TX },
		  "tx - tx SO@116<0+0 tx R@117[0,0]" },
		{ "or a local operation",
		  { DEFER, SIXTEEN, UNSEEN_SENT,
		    POST(LOCAL_INV, .flags = ROCE_WR_SIGNALED), TX },
		  "tx - tx SO@116<0+0A" },
		{ "not corked behind 15 packets",
		  { DEFER, POST(SEND, .len = 15 K), SENT, UNSEEN_SENT },
		  "tx SO@115<0+0" },
		{ "not corked without AckReq deferral", { SIXTEEN, UNSEEN_SENT }, "tx SO@116<0+0A" },
		{ "not corked during loss recovery",
		  { DEFER, POST(SEND, .len = 17 K), SENT, NAK(100, ROCE_NAK_PSN_SEQ), SENT,
		    ACK(100), SENT, UNSEEN_SENT },
		  "tx SO@117<0+0" },
		{ "after a lost ACK, sent behind the probe",
		  { DEFER, QUIET, SIXTEEN, UNSEEN_SENT, DEADLINES(1), TX, ACK(116) },
		  "tx - tx SL@115<15360+1024 tx SO@116<0+0A wc 1=ok" },
		{ "released by an ACK, they have AckReq to clock the next release, over the PSN wrap",
		  { DEFER, DEEP, MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xffffe0), SIXTEEN,
		    UNSEEN_SENT_TIMES(32), SENT, UNSEEN_SENT, UNSEEN_SENT, ACK(0xffffff), TX,
		    UNSEEN_SENT, ACK(17), TX, UNSEEN_SENT },
		  "tx - tx - wc 1=ok tx SO@16<0+0 tx SO@17<0+0A tx - tx SO@18<0+0 tx SO@19<0+0" },
		{ "all corked messages are sent, even if it takes several batches",
		  { DEFER, DEEP, SIXTEEN, UNSEEN_SENT_TIMES(32), SENT, UNSEEN_SENT_TIMES(17),
		    ACK(131), SENT, TX },
		  "wc 1=ok tx SO@164<0+0" },
		{ "messages that were not corked have no AckReq",
		  { DEFER, DEEP, SIXTEEN, UNSEEN_SENT_TIMES(32), SENT, ACK(131), UNSEEN_SENT },
		  "wc 1=ok tx SO@148<0+0" },
		{ "nor those sent with few packets in flight",
		  { DEFER, DEEP, SIXTEEN, UNSEEN_SENT_TIMES(32), SENT, UNSEEN_SENT, ACK(135),
		    UNSEEN_SENT },
		  "tx - wc 1=ok tx SO@148<0+0 tx SO@149<0+0" },
		{ "not sent in SQD, but after it",
		  { DEFER, SIXTEEN, UNSEEN_SENT, TO(SQD), ACK(115), TX, TO(RTS), TX },
		  "tx - wc 1=ok ev drained tx - tx SO@116<0+0" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void pass_until(struct fixture *f, u64 end)
{
	while (roce_deadline(&f->qp) <= end) {
		f->now = roce_deadline(&f->qp);
		roce_timeout(&f->qp, f->now);
		roce_tx(&f->qp, f->now, &f->quota, &f->batch);
	}
	f->now = end;
}

/* Ready to send, from @psn on. */
static void set_up_at(struct fixture *f, u32 psn)
{
	struct roce_attr attr = { .state = ROCE_RTR, .sq_psn = psn };

	fixture_set_up(f);
	roce_modify(&f->qp, f->now, &attr, ROCE_QP_STATE | ROCE_QP_SQ_PSN);
	fixture_set_state(f, ROCE_RTS);
}

/* Send the message that has been posted, when pacing allows it. */
static void send_message(struct fixture *f)
{
	static const struct step sent = SENT;

	sent.run(f, &sent);
	if (!roce_req_inflight(&f->qp.req)) {
		pass_until(f, roce_deadline(&f->qp));
		sent.run(f, &sent);
	}
}

/*
 * The RTT jumps from 10 us to @slow ns: the timer adapts within @within messages, although each
 * message whose RTT is sampled until then is retransmitted.
 */
static void path_becomes(u64 slow, u32 within)
{
	static const struct step post = POST(SEND);
	static struct fixture f;
	bool late;
	u32 i;

	set_up_at(&f, 0xfffff0);
	f.watch = 1u << ROCE_COUNT_TIMEOUT;
	for (i = 0; i < 40; i++) {
		const struct step ack = ACK((0xfffff0 + i) & ROCE_PSN_MASK);

		post.run(&f, &post);
		send_message(&f);
		pass_until(&f, f.now + (i < 8 ? 10000 : slow));
		ack.run(&f, &ack);
		assert_true(roce_deadline(&f.qp) == ROCE_NEVER);
		f.log[f.len] = '\0';
		late = i > 8 + within && strstr(f.log, "+timeout");
		assert_true(i != 8 || strstr(f.log, "+timeout"));
		assert_false(late);
		f.len = 0;
	}
	assert_true(f.qp.req.rtt.srtt < slow + slow / 5);
}

static void path_slows_down(void **state)
{
	(void)state;
	path_becomes(5 * MS, 3);
	path_becomes(20 * MS, 4);
	/* Also where it takes longer than the local ACK timeout. */
	path_becomes(150 * MS, 7);
}

/*
 * The RTT is 10 us, for some messages @shortest ns, and half of the messages are lost once: the
 * time until their retransmission must not enter SRTT.
 */
static void path_loses(u64 shortest)
{
	static const struct step post = POST(SEND);
	static struct fixture f;
	u32 i;

	set_up_at(&f, 0xffffc0);
	for (i = 0; i < 200; i++) {
		const struct step ack = ACK((0xffffc0 + i) & ROCE_PSN_MASK);

		post.run(&f, &post);
		send_message(&f);
		if (i % 2)
			pass_until(&f, roce_deadline(&f.qp));
		f.now += i % 4 == 2 ? shortest : 10000;
		ack.run(&f, &ack);
		assert_true(roce_deadline(&f.qp) == ROCE_NEVER);
		f.len = 0;
		assert_true(f.qp.req.rtt.srtt <= 20000);
	}
	assert_in_range(f.qp.req.rtt.srtt, 5000, 15000);
}

static void losses_are_not_slow(void **state)
{
	(void)state;
	path_loses(10000);
	path_loses(9000);
	path_loses(1000);
}

/* The RTT sample of a READ ends with its first response. */
static void reads_are_timed(void **state)
{
	static const struct step post = POST(READ, .len = 4096), sent = SENT,
				 first = RX(READ_RESP_FIRST, 0xfffffe, .len = 1024);
	static struct fixture f;

	(void)state;
	set_up_at(&f, 0xfffffe);
	post.run(&f, &post);
	sent.run(&f, &sent);
	f.now += 3 * MS;
	first.run(&f, &first);
	assert_int_equal(f.qp.req.rtt.srtt, 3 * MS);
}

/* Transmit until nothing is left. Returns the number of packets. */
static u32 send_all(struct fixture *f)
{
	u32 n, sum = 0;

	while ((n = roce_tx(&f->qp, f->now, &f->quota, &f->batch)))
		sum += n;
	return sum;
}

/* Send the initial window of a long message, over the PSN wrap. */
static void send_first_flight(struct fixture *f)
{
	static const struct step post = POST(WRITE, .len = 1024 * 1024 * 1024);

	set_up_at(f, 0xffff80);
	assert_int_equal(roce_set_cc(&f->qp, "delay"), 0);
	f->quiet = true;
	post.run(f, &post);
	assert_int_equal(send_all(f), ROCE_CC_INIT_CWND);
}

/* Send, with the pacing timer, until the window is full. Returns the number of packets. */
static u32 send_paced(struct fixture *f)
{
	u32 n = send_all(f);

	while (roce_cc_send_allowance(&f->qp.req)) {
		assert_true(roce_deadline(&f->qp) != ROCE_NEVER);
		f->now = max(f->now, roce_deadline(&f->qp));
		roce_timeout(&f->qp, f->now);
		n += send_all(f);
	}
	return n;
}

/* Acknowledge a flight after @ns, with a @loss in it or without. Returns the next one's packets. */
static u32 next_flight(struct fixture *f, u64 ns, bool loss)
{
	const struct step nak = NAK(f->qp.req.snd.una, ROCE_NAK_PSN_SEQ);
	const struct step ack = ACK(roce_psn_prev(f->qp.req.snd.max));
	u32 window;

	f->now += ns;
	if (loss) {
		nak.run(f, &nak);
		assert_true(send_paced(f) > 0);
		f->now += ns;
	}
	ack.run(f, &ack);
	window = roce_cc_window(&f->qp.req);
	assert_int_equal(send_paced(f), window);
	return window;
}

/* The window grows up to its clamp, and shrinks when packets are lost and the path has a queue. */
static void windows(void **state)
{
	static struct fixture f;
	u32 i, n;

	(void)state;
	send_first_flight(&f);
	/* Slow start: doubles each RTT while there is no queue. */
	for (n = 2 * ROCE_CC_INIT_CWND; n <= 1024; n *= 2)
		assert_int_equal(next_flight(&f, 50000, false), n);
	n = next_flight(&f, 50000, false);
	/* A queue ends it: until a loss, the window grows by 1/16 per RTT. */
	n = next_flight(&f, 1000 * 1000, false);
	assert_in_range(next_flight(&f, 1000 * 1000, false), n + n / 16, n + n / 16 + 1);
	n = roce_cc_window(&f.qp.req);
	/* A loss with a queue takes one half. */
	assert_in_range(next_flight(&f, 1000 * 1000, true), n / 2, n / 2 + 1);
	for (i = 0; i < 40; i++)
		n = next_flight(&f, 1000 * 1000, true);
	assert_in_range(n, 1, 2);
	f.quota.cwnd_clamp = 100;
	for (i = 0; i < 1000; i++)
		n = next_flight(&f, 50000, false);
	assert_int_equal(n, 100);
	/* A loss without a queue costs nothing, once the path has shown one. */
	for (i = 0; i < 10; i++)
		n = next_flight(&f, 50000, true);
	assert_int_equal(n, 100);
}

/* More than 4 ms of delay, or twice the minimum RTT, reduce the window without a loss. */
static void windows_of_slow_paths(void **state)
{
	static struct fixture f;
	u32 i, n;

	(void)state;
	send_first_flight(&f);
	/* A long RTT is no queue. */
	for (n = 2 * ROCE_CC_INIT_CWND; n <= 1024; n *= 2)
		assert_int_equal(next_flight(&f, 60 * MS, false), n);
	n = next_flight(&f, 70 * MS, false);
	assert_in_range(next_flight(&f, 70 * MS, false), n + n / 16, n + n / 16 + 1);
	/* The limit is reached at 120 ms. */
	n = roce_cc_window(&f.qp.req);
	for (i = 0; i < 3; i++)
		next_flight(&f, 130 * MS, false);
	assert_in_range(roce_cc_window(&f.qp.req), n / 2, n - n / 5);
}

/* After a loss, the tail packet is duplicated. */
static void tail_duplicates(void **state)
{
#define LOST QUIET, POST(SEND), SENT, NAK(100, ROCE_NAK_PSN_SEQ), SENT, ACK(100)
	static const struct row rows[] = {
		{ "the last packet of a message",
		  { LOST, POST(SEND, .len = 3 K), TX, TX },
		  "wc 1=ok tx SF@101<0+1024 tx SM@102<1024+1024 tx SL@103<2048+1024A "
		  "tx SL@103<2048+1024A| tx -" },
		{ "the last packet of several messages",
		  { LOST, POST(WRITE), POST(SEND), TX, TX },
		  "wc 1=ok tx WO@101[0,0]<0+0 tx SO@102<0+0A tx SO@102<0+0A| tx -" },
		{ "over the PSN wrap",
		  { MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xffffff), QUIET, POST(SEND), SENT,
		    NAK(0xffffff, ROCE_NAK_PSN_SEQ), SENT, ACK(0xffffff), POST(SEND), TX,
		    POST(SEND), TX },
		  "wc 1=ok tx SO@0<0+0A tx SO@0<0+0A| tx SO@1<0+0A tx SO@1<0+0A|" },
		{ "at the end of an AckReq interval, too",
		  { LOST, ACK_INTERVAL(1), POST(SEND), TX },
		  "wc 1=ok tx SO@101<0+0A tx SO@101<0+0A|" },
		{ "with a full window, too",
		  { LOST, WINDOW(1), POST(SEND), TX },
		  "wc 1=ok tx SO@101<0+0A tx SO@101<0+0A|" },
		{ "not in a full batch",
		  { LOST, POST(SEND, .len = 2 K), TXN(2), TX },
		  "wc 1=ok tx SF@101<0+1024 tx SL@102<1024+1024A tx -" },
		{ "the next message may join the socket buffer of others",
		  { LOST, POST(SEND), TX, POST(SEND), POST(WRITE), TX },
		  "wc 1=ok tx SO@101<0+0A tx SO@101<0+0A| tx SO@102<0+0 tx WO@103[0,0]<0+0A tx WO@103[0,0]<0+0A|" },
		{ "no retransmitted packet",
		  { LOST, POST(SEND), SENT, NAK(101, ROCE_NAK_PSN_SEQ), TX, TX },
		  "wc 1=ok tx SO@101<0+0A tx -" },
		{ "no READ: the peer would send its responses twice",
		  { LOST, POST(SEND), POST(READ, .len = 1), TX, TX },
		  "wc 1=ok tx SO@101<0+0 tx R@102[0,1]A tx -" },
		{ "no unsignaled message",
		  { DEFER, LOST, UNSEEN_SENT, POST(SEND), TX },
		  "wc 1=ok tx SO@101<0+0 tx SO@102<0+0A tx SO@102<0+0A|" },
		{ "not after a timeout without a NAK",
		  { QUIET, POST(SEND), SENT, DEADLINES(6), SENT, ACK(100), POST(SEND), TX },
		  "wc 1=ok tx SO@101<0+0A" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

/* The peer NAKs both packets. */
static void tail_duplicate_naks(void **state)
{
	static const struct row rows[] = {
		{ "NAKs of both copies: one rewind, and the same timer as after one NAK",
		  { LOST, WATCH(REWIND), POST(SEND, .len = 3 K), SENT, PASS(10000), ACK(103),
		    POST(SEND, .len = 3 K), SENT, NAK(105, ROCE_NAK_PSN_SEQ), SENT,
		    NAK(105, ROCE_NAK_PSN_SEQ), PASS(10000), TX, PASS(90000), TX },
		  "wc 1=ok wc 2=ok +rewind tx - tx SL@106<2048+1024A" },
		{ "a third NAK is suppressed, and causes a rewind after an RTT",
		  { LOST, WATCH(REWIND), POST(SEND, .len = 3 K), SENT, PASS(10000), ACK(103),
		    POST(SEND, .len = 3 K), SENT, NAK(105, ROCE_NAK_PSN_SEQ), SENT,
		    NAK(105, ROCE_NAK_PSN_SEQ), NAK(105, ROCE_NAK_PSN_SEQ), PASS(10000), TX },
		  "wc 1=ok wc 2=ok +rewind +rewind tx SM@105<1024+1024A" },
		{ "a second NAK an RTT later is one of the retransmission",
		  { LOST, WATCH(REWIND), POST(SEND, .len = 3 K), SENT, PASS(10000), ACK(103),
		    POST(SEND, .len = 3 K), SENT, NAK(105, ROCE_NAK_PSN_SEQ), SENT, PASS(10000),
		    NAK(105, ROCE_NAK_PSN_SEQ) },
		  "wc 1=ok wc 2=ok +rewind +rewind" },
		{ "RNR NAKs of both copies take one retry",
		  { MODIFY(ROCE_QP_RNR_RETRY, .rnr_retry = 1), LOST, POST(SEND), SENT, RNR(101, 1),
		    PASS(10000), SENT, RNR(101, 1), STATE, ACK(101) },
		  "wc 1=ok RTS wc 2=ok" },
		{ "the second RNR NAK while the RNR timer is active",
		  { MODIFY(ROCE_QP_RNR_RETRY, .rnr_retry = 1), LOST, POST(SEND), SENT, RNR(101, 1),
		    RNR(101, 1), PASS(10000), TX, RNR(101, 1) },
		  "wc 1=ok tx SO@101<0+0A wc 2=rnr" },
	};

	(void)state;
	fixture_run_all(rows, true);
#undef LOST
}

/* A loss allows 255 tail duplicates. */
static void tail_duplicate_budget(void **state)
{
	static const struct step post = POST(SEND);
	static const struct step nak = NAK(0xfffff0, ROCE_NAK_PSN_SEQ);
	static struct fixture f;
	u32 i;

	(void)state;
	set_up_at(&f, 0xfffff0);
	for (i = 0; i < 300; i++) {
		const struct step ack = ACK((0xfffff0 + i) & ROCE_PSN_MASK);

		post.run(&f, &post);
		assert_int_equal(roce_tx(&f.qp, f.now, &f.quota, &f.batch), i && i <= 255 ? 2 : 1);
		if (!i) {
			nak.run(&f, &nak);
			assert_int_equal(roce_tx(&f.qp, f.now, &f.quota, &f.batch), 1);
		}
		ack.run(&f, &ack);
		assert_true(roce_deadline(&f.qp) == ROCE_NEVER);
		f.len = 0;
	}
}

/* Number of packets of a message of @length bytes at @mtu, up to the longest message. */
static void message_sizes(void **state)
{
	static const struct {
		const char *name;
		u32 length, mtu, npkts;
	} rows[] = {
		{ "empty", 0, 256, 1 },
		{ "one byte", 1, 4096, 1 },
		{ "one packet", 256, 256, 1 },
		{ "one byte more", 257, 256, 2 },
		{ "2 GiB at 256", 0x80000000, 256, 0x800000 },
		{ "2 GiB at 4096", 0x80000000, 4096, 0x80000 },
	};
	static struct fixture f;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		struct roce_attr attr = { .state = ROCE_RTR,
					  .mtu = rows[i].mtu,
					  .sq_psn = 0xfffff0 };
		const struct step post = POST(SEND, .len = rows[i].length);
		struct roce_send_wqe *wqe;

		fixture_set_up(&f);
		roce_modify(&f.qp, f.now, &attr, ROCE_QP_STATE | ROCE_QP_PATH_MTU | ROCE_QP_SQ_PSN);
		fixture_set_state(&f, ROCE_RTS);
		post.run(&f, &post);
		wqe = roce_sq_wqe(&f.qp, 0);
		f.quota.max_pkts = 9;
		row_equal(rows[i].name, roce_tx(&f.qp, f.now, &f.quota, &f.batch),
			  min(rows[i].npkts, 9u));
		row_equal(rows[i].name, wqe->first_psn, 0xfffff0);
		row_equal(rows[i].name, wqe->last_psn, roce_psn_add(0xfffff0, rows[i].npkts - 1));
	}
}

/*
 * A READ of 2 GiB at the smallest MTU takes half of the PSN space. It is requested in chunks of
 * 128 packets, at most four at a time, and completes once.
 */
static void largest_read(void **state)
{
	static const struct step post = POST(READ, .len = 0x80000000);
	struct roce_attr attr = { .state = ROCE_RTR, .mtu = 256 };
	static struct fixture f;
	struct roce_pkt pkt = { .payload_len = 256 };
	u32 i;

	(void)state;
	fixture_set_up(&f);
	roce_modify(&f.qp, f.now, &attr, ROCE_QP_STATE | ROCE_QP_PATH_MTU);
	fixture_set_state(&f, ROCE_RTS);
	f.qp.req.cc.cwnd = 256 * ROCE_CC_PKT;
	f.qp.req.cc.congested = true;
	f.quiet = true;
	post.run(&f, &post);
	f.quota.max_pkts = 9;
	assert_int_equal(roce_tx(&f.qp, f.now, &f.quota, &f.batch), 4);
	for (i = 0; i < 0x800000; i++) {
		bool first = i % 128 == 0, last = i % 128 == 127;
		bool more = last && i + 512 < 0x800000;

		pkt.opcode = first ? ROCE_READ_RESP_FIRST :
			     last  ? ROCE_READ_RESP_LAST :
				     ROCE_READ_RESP_MIDDLE;
		pkt.op = roce_opcode(pkt.opcode);
		pkt.psn = roce_psn_add(FIXTURE_SQ_PSN, i);
		pkt.syndrome = ROCE_AETH_UNLIMITED;
		assert_int_equal(f.len, 0);
		roce_rx(&f.qp, f.now, &pkt, 1);
		assert_int_equal(roce_tx(&f.qp, f.now, &f.quota, &f.batch), more);
	}
	assert_int_equal(f.qp.req.snd.read_chunks, 0);
	assert_string_equal(f.log, "wc 1=ok,2147483648");
	assert_true(roce_deadline(&f.qp) == ROCE_NEVER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages),
		cmocka_unit_test(batches),
		cmocka_unit_test(order),
		cmocka_unit_test(rewinds),
		cmocka_unit_test(timers),
		cmocka_unit_test(message_sizes),
		cmocka_unit_test(largest_read),
		cmocka_unit_test(fast_retransmit),
		cmocka_unit_test(buffering_peers),
		cmocka_unit_test(tail_duplicates),
		cmocka_unit_test(tail_duplicate_naks),
		cmocka_unit_test(tail_duplicate_budget),
		cmocka_unit_test(path_slows_down),
		cmocka_unit_test(losses_are_not_slow),
		cmocka_unit_test(windows),
		cmocka_unit_test(reads_are_timed),
		cmocka_unit_test(peer_requests),
		cmocka_unit_test(deferred_ackreqs),
		cmocka_unit_test(corked_messages),
		cmocka_unit_test(windows_of_slow_paths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
