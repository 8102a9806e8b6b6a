// SPDX-License-Identifier: GPL-2.0
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
		{ "the interval becomes as short as what has been sent of it",
		  { POST(SEND, .len = 6 K), TXN(2), ACK_INTERVAL(2), TX },
		  "tx SF@100<0+1024 tx SM@101<1024+1024 tx SM@102<2048+1024A tx SM@103x2<3072+1024A tx SL@105<5120+1024A" },
		{ "the window",
		  { WINDOW(3), POST(SEND, .len = 5 K), TX, ACK(100), TX, ACK(102), TX, ACK(104) },
		  "tx SF@100<0+1024 tx SM@101x2<1024+1024A tx SM@103<3072+1024A tx SL@104<4096+1024A wc 1=ok" },
		{ "the window, over the PSN wrap",
		  { MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xfffffe), WINDOW(3), POST(SEND, .len = 5 K),
		    TX, ACK(0xffffff), TX, ACK(2) },
		  "tx SF@16777214<0+1024 tx SM@16777215x2<1024+1024A tx SM@1<3072+1024 tx SL@2<4096+1024A wc 1=ok" },
		{ "a READ takes no window, but what follows it does",
		  { QUIET, WINDOW(3), POST(READ, .len = 100 K), POST(SEND), TX },
		  "tx R@100[0,102400]A" },
		{ "the packet before a READ that must wait has AckReq",
		  { QUIET, WINDOW(2), POST(SEND), POST(READ, .len = 4 K), TX, ACK(100), TX },
		  "tx SO@100<0+0A wc 1=ok tx R@101[0,4096]A" },
		{ "a full batch, and no room for the next piece of a READ: nothing follows",
		  { QUIET, MODIFY(ROCE_QP_MAX_RD_ATOMIC, .max_rd_atomic = 1),
		    POST(READ, .len = 129 K), TXN(1), TXN(1) },
		  "tx R@100[0,131072]A tx -" },
		{ "so over the PSN wrap, behind a message that is waited for",
		  { QUIET,
		    MODIFY(ROCE_QP_SQ_PSN | ROCE_QP_MAX_RD_ATOMIC, .sq_psn = 0xffffff,
			   .max_rd_atomic = 1),
		    POST(SEND), POST(READ, .len = 129 K), TXN(2), TXN(1) },
		  "tx SO@16777215<0+0 tx R@0[0,131072]A tx -" },
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
		{ "what sending waits for is counted: a fence",
		  { QUIET, WATCH(WAIT_FENCE), POST(READ, .len = 1),
		    POST(SEND, .flags = ROCE_WR_FENCE), TX },
		  "+wait-fence tx R@100[0,1]A" },
		{ "the initiator depth",
		  { QUIET, WATCH(WAIT_DEPTH), MODIFY(ROCE_QP_MAX_RD_ATOMIC, .max_rd_atomic = 1),
		    POST(READ, .len = 1), POST(READ, .len = 1), TX },
		  "+wait-depth tx R@100[0,1]A" },
		{ "the window",
		  { WATCH(WAIT_PSN), WINDOW(1), POST(SEND, .len = 2 K), TX, ACK(100), TX },
		  "+wait-psn tx SF@100<0+1024A tx SL@101<1024+1024A" },
		{ "nothing, with all sent",
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

static void step_in_vain(struct fixture *f, const struct step *s)
{
	fixture_say(f, "in-vain %u", f->qp.req.loss.rewind_backoff);
}

#define IN_VAIN                     \
	{                           \
		.run = step_in_vain \
	}
/* A message, after a round trip of 10 us; and that its first packet is missed. */
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
		  "tx R@100[0x1000,4097]A tx R@102[0x1800,2049]A wc 1=ok,4097" },
		{ "without progress: the interval doubles, across the PSN wrap",
		  { QUIET, OVER_WRAP, MISSED, TX, PASS(10000), MISSED, TX, PASS(19999), MISSED, TX,
		    PASS(1), TX, PASS(39999), MISSED, TX, PASS(1), TX },
		  "wc 1=ok " AGAIN AGAIN "tx - tx SF@16777215<0+1024A tx - "
		  "tx SF@16777215<0+1024A" },
		{ "less long again when something comes of it, and no longer when all has come",
		  { QUIET, OVER_WRAP, MISSED, TX, PASS(10000), MISSED, TX, IN_VAIN, ACK(0xffffff),
		    IN_VAIN, NAK(0, ROCE_NAK_PSN_SEQ), TX, PASS(10000), NAK(0, ROCE_NAK_PSN_SEQ),
		    TX, IN_VAIN, ACK(0), IN_VAIN },
		  "wc 1=ok " AGAIN AGAIN "in-vain 1 in-vain 0 tx SL@0<1024+1024A tx SL@0<1024+1024A "
		  "in-vain 1 wc 2=ok in-vain 0" },
		{ "no NAK: no backoff",
		  { QUIET, OVER_WRAP, MISSED, TX, PASS(500 * MS), TX, PASS(500 * MS), TX, IN_VAIN },
		  "wc 1=ok " AGAIN "tx SF@16777215<0+1024A tx SF@16777215<0+1024A in-vain 0" },
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

/* Fast retransmit: a sequence NAK causes few packets to be retransmitted. */
static void fast_retransmit(void **state)
{
#define LONG	      QUIET, POST(SEND, .len = 20 K), SENT
#define FROM_SIXTH    NAK(105, ROCE_NAK_PSN_SEQ), TX
	static const struct row rows[] = {
		{ "the packet missed and one more",
		  { LONG, FROM_SIXTH, TX, ACK(119), DEADLINE },
		  "tx SM@105x2<5120+1024A tx - wc 1=ok never" },
		{ "then all can be sent that is posted",
		  { LONG, FROM_SIXTH, POST(SEND, .len = 3 K), TX, ACK(119), TX },
		  "tx SM@105x2<5120+1024A tx - wc 1=ok tx SF@120<0+1024 tx SM@121<1024+1024 "
		  "tx SL@122<2048+1024A tx SL@122<2048+1024A|" },
		{ "the peer buffered nothing: go-back-N, and at once at the next loss",
		  { LONG, FROM_SIXTH, ACK(106), TX, ACK(119), POST(SEND, .len = 20 K), SENT,
		    NAK(121, ROCE_NAK_PSN_SEQ), TX },
		  "tx SM@105x2<5120+1024A tx SM@107x12<7168+1024 tx SL@119<19456+1024A wc 1=ok "
		  "tx SM@121x18<1024+1024 tx SL@139<19456+1024A" },
		{ "another gap behind the first: all from there on",
		  { LONG, FROM_SIXTH, ACK(108), TX },
		  "tx SM@105x2<5120+1024A tx SM@109x10<9216+1024 tx SL@119<19456+1024A" },
		{ "no answer: they are sent once more, and then all in small steps",
		  { WATCH(TIMEOUT), LONG, FROM_SIXTH, DEADLINE, TX, DEADLINES(5), TX },
		  "tx SM@105x2<5120+1024A tx SM@105x2<5120+1024A +timeout tx SM@105<5120+1024A" },
		{ "few packets in flight are all retransmitted",
		  { QUIET, POST(SEND, .len = 9 K), SENT, NAK(101, ROCE_NAK_PSN_SEQ), TX },
		  "tx SM@101x7<1024+1024 tx SL@108<8192+1024A" },
		{ "over the PSN wrap",
		  { MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xfffffe), LONG,
		    NAK(0xffffff, ROCE_NAK_PSN_SEQ),
		    TX, ACK(17), DEADLINE },
		  "tx SM@16777215x2<1024+1024A wc 1=ok never" },
		{ "over the PSN wrap, another gap",
		  { MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xfffff8), LONG,
		    NAK(0xfffff9, ROCE_NAK_PSN_SEQ),
		    TX, ACK(0), TX, ACK(11), DEADLINE },
		  "tx SM@16777209x2<1024+1024A tx SM@1x10<9216+1024 tx SL@11<19456+1024A wc 1=ok never" },
		{ "a READ among what was lost takes the room of its response",
		  { QUIET, POST(SEND, .len = 9 K), POST(READ, .len = 9 K), POST(SEND), SENT,
		    NAK(108, ROCE_NAK_PSN_SEQ), TX, RX(READ_RESP_FIRST, 109, .len = 1 K), TX },
		  "tx SL@108<8192+1024 tx R@109[0,9216]A wc 1=ok tx SO@118<0+0A" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

/* A round trip of 10 us, so that five deadlines later there is a timeout. */
#define SHORT_TRIP POST(SEND), SENT, PASS(10000), ACK(100)
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
		{ "a READ is re-requested, and nothing after it",
		  { QUIET, POST(READ, .len = 3 K), TX, DEADLINE, POST(SEND), TX },
		  "tx R@100[0,3072]A tx R@100[0,3072] tx SO@103<0+0A" },
		{ "of a READ that has begun to come, the rest",
		  { QUIET, POST(READ, .len = 3 K), TX, RX(READ_RESP_FIRST, 100, .len = 1 K),
		    DEADLINE, TX },
		  "tx R@100[0,3072]A tx R@101[0x400,2048]A" },
		{ "of several READs, the last one",
		  { QUIET, POST(READ, .len = 3 K), POST(READ, .len = 2 K), TX, DEADLINE, TX },
		  "tx R@100[0,3072] tx R@103[0,2048]A tx R@103[0,2048]A" },
		{ "of a READ in pieces, the last piece, over the PSN wrap",
		  { QUIET, MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xffff80), POST(READ, .len = 131 K),
		    TX, DEADLINE, TX },
		  "tx R@16777088[0,131072] tx R@0[0x20000,3072]A tx R@0[0x20000,3072]A" },
		{ "what comes of a READ meanwhile makes that needless",
		  { QUIET, POST(READ, .len = 3 K), TX, DEADLINE,
		    RX(READ_RESP_FIRST, 100, .len = 1 K), TX,
		    RX(READ_RESP_MIDDLE, 101, .len = 1 K), RX(READ_RESP_LAST, 102, .len = 1 K),
		    DEADLINE },
		  "tx R@100[0,3072]A tx - wc 1=ok,3072 never" },
		{ "what has not been sent yet follows the probe",
		  { QUIET, POST(SEND), TX, POST(SEND, .len = 3 K), TXN(1), DEADLINE, TXN(2) },
		  "tx SO@100<0+0A tx SF@101<0+1024 tx SF@101<0+1024 tx SM@102<1024+1024" },
		{ "five probes, each after twice the time, before the first is sent again",
		  { WATCH(TIMEOUT), POST(SEND), POST(SEND), TX, DEADLINES(6), TX },
		  "tx SO@100<0+0 tx SO@101<0+0A +timeout tx SO@100<0+0A" },
		{ "after a timeout, as many again as have been acknowledged, and one",
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
		{ "a timeout of a second is what it says",
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
		{ "after a timeout, an acknowledgement too soon to answer it: nothing else is sent again",
		  { SHORT_TRIP, WATCH(TIMEOUT), FOUR, SENT, DEADLINES(5), TX, PASS(4999), ACK(102),
		    POST(SEND), TX, ACK(105), DEADLINE },
		  "wc 1=ok +timeout tx SO@101<0+0A wc 2=ok wc 3=ok tx SO@105<0+0A wc 4=ok wc 5=ok "
		  "wc 6=ok never" },
		{ "but late enough to answer it: all behind it is",
		  { SHORT_TRIP, WATCH(TIMEOUT), FOUR, SENT, DEADLINES(5), TX, PASS(5000), ACK(102),
		    POST(SEND), TX },
		  "wc 1=ok +timeout tx SO@101<0+0A wc 2=ok wc 3=ok tx SO@103<0+0 tx SO@104<0+0 "
		  "tx SO@105<0+0A" },
		{ "the same within a message, over the PSN wrap",
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

/* A round trip of 10 us has been measured; then something of the peer's own comes after @NS. */
#define HEARD(NS, PSN) PASS(NS), RECV(0), RX(SEND_ONLY, PSN)

static void peer_requests(void **state)
{
	static const struct row rows[] = {
		{ "the peer sends a request, and should have acknowledged before: ask",
		  { QUIET, SHORT_TRIP, POST(SEND), TX, HEARD(15000, 200), TX },
		  "wc 1=ok tx SO@101<0+0A rwc 1001=0 tx SO@101<0+0A" },
		{ "not before a round trip and a half",
		  { QUIET, SHORT_TRIP, POST(SEND), TX, HEARD(14999, 200), TX },
		  "wc 1=ok tx SO@101<0+0A rwc 1001=0 tx -" },
		{ "once",
		  { QUIET, SHORT_TRIP, POST(SEND), TX, HEARD(15000, 200), TX, HEARD(15000, 201),
		    TX },
		  "wc 1=ok tx SO@101<0+0A rwc 1001=0 tx SO@101<0+0A rwc 1002=0 tx -" },
		{ "the answer to that ends it, over the PSN wrap",
		  { QUIET, MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xfffffe), POST(SEND), SENT,
		    PASS(10000), ACK(0xfffffe), POST(SEND), POST(SEND), TX, HEARD(15000, 200), TX,
		    ACK(0), DEADLINE },
		  "wc 1=ok tx SO@16777215<0+0 tx SO@0<0+0A rwc 1001=0 tx SO@0<0+0A wc 2=ok "
		  "wc 3=ok never" },
		{ "or says what is missing",
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
		{ "a READ is answered when the peer gets to it",
		  { QUIET, SHORT_TRIP, POST(READ, .len = 1 K), TX, HEARD(15000, 200), TX },
		  "wc 1=ok tx R@101[0,1024]A rwc 1001=0 tx -" },
		{ "the peer was not ready: not before it wants to be asked",
		  { QUIET, SHORT_TRIP, POST(SEND), TX, RNR(101, 14), HEARD(15000, 200), TX },
		  "wc 1=ok tx SO@101<0+0A rwc 1001=0 tx -" },
		{ "what is sent again as it is is asked for by that, and no later",
		  { QUIET, SHORT_TRIP, POST(SEND), TX, NAK(101, ROCE_NAK_PSN_SEQ),
		    HEARD(15000, 200), TX, PASS(85000), TX },
		  "wc 1=ok tx SO@101<0+0A rwc 1001=0 tx SO@101<0+0A tx SO@101<0+0A" },
		{ "a response is no request",
		  { QUIET, SHORT_TRIP, POST(SEND), TX, PASS(15000), ACK(100), TX },
		  "wc 1=ok tx SO@101<0+0A tx -" },
		{ "in the drained state what was begun is asked for",
		  { QUIET, SHORT_TRIP, POST(SEND), TX, TO(SQD), HEARD(15000, 200), TX },
		  "wc 1=ok tx SO@101<0+0A rwc 1001=0 tx SO@101<0+0A" },
		{ "in the error state nothing is",
		  { QUIET, SHORT_TRIP, POST(SEND), TX, TO(ERR), FLUSH(9), PASS(15000),
		    RX(SEND_ONLY, 200), TX },
		  "wc 1=ok tx SO@101<0+0A wc 2=flush flushed tx -" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

/* Not signalled; and the same sent at once. */
#define UNSEEN	    POST(SEND, .flags = ROCE_WR_SIGNALED)
#define UNSEEN_SENT UNSEEN, TX

static void deferred_ackreqs(void **state)
{
	static const struct row rows[] = {
		{ "nobody waits for these: one of four, as a quarter of the slots allow",
		  { DEFER, UNSEEN_SENT, UNSEEN_SENT, UNSEEN_SENT, UNSEEN_SENT, UNSEEN_SENT,
		    ACK(103), DEADLINE },
		  "tx SO@100<0+0 tx SO@101<0+0 tx SO@102<0+0 tx SO@103<0+0A tx SO@104<0+0" },
		{ "a probe asks, also of what has been asked for before",
		  { DEFER, UNSEEN_SENT, UNSEEN_SENT, UNSEEN_SENT, UNSEEN_SENT, DEADLINES(1),
		    TX },
		  "tx SO@100<0+0 tx SO@101<0+0 tx SO@102<0+0 tx SO@103<0+0A tx SO@103<0+0A" },
		{ "each, where that is not backlogged", { UNSEEN_SENT, UNSEEN_SENT }, "tx SO@100<0+0A tx SO@101<0+0A" },
		{ "a completion that is waited for has all acknowledged, over the PSN wrap",
		  { DEFER, MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xffffff), UNSEEN_SENT, UNSEEN_SENT,
		    POST(SEND), TX, ACK(1), DEADLINE },
		  "tx SO@16777215<0+0 tx SO@0<0+0 tx SO@1<0+0A wc 3=ok never" },
		{ "also when it is not the last of a batch",
		  { DEFER, POST(SEND), UNSEEN_SENT, ACK(101), DEADLINE },
		  "tx SO@100<0+0 tx SO@101<0+0A wc 1=ok never" },
		{ "half of a small window is not exceeded",
		  { DEFER, WINDOW(4), UNSEEN_SENT, UNSEEN_SENT, UNSEEN_SENT },
		  "tx SO@100<0+0 tx SO@101<0+0A tx SO@102<0+0" },
		{ "nothing follows: a probe asks, which is no timeout, and the next is asked for",
		  { DEFER, QUIET, WATCH(TIMEOUT), UNSEEN_SENT, UNSEEN_SENT, DEADLINES(1), TX,
		    ACK(101), UNSEEN_SENT, DEADLINE },
		  "tx SO@100<0+0 tx SO@101<0+0 tx SO@101<0+0A tx SO@102<0+0A" },
		{ "each that follows moves the probe on",
		  { DEFER, UNSEEN_SENT, PASS(900000), UNSEEN_SENT, PASS(900000), UNSEEN_SENT,
		    DEADLINE, TX },
		  "tx SO@100<0+0 tx SO@101<0+0 tx SO@102<0+0 tx SO@102<0+0A" },
		{ "also when some of them were acknowledged along with others",
		  { DEFER, POST(SEND), TX, UNSEEN_SENT, UNSEEN_SENT, ACK(101), PASS(900000),
		    UNSEEN_SENT, PASS(900000), TX, PASS(100000), TX },
		  "tx SO@100<0+0A tx SO@101<0+0 tx SO@102<0+0 wc 1=ok tx SO@103<0+0 tx - tx SO@103<0+0A" },
		{ "it takes its time, however short round trips are",
		  { DEFER, SHORT_TRIP, UNSEEN_SENT, PASS(999999), TX, PASS(1), TX },
		  "wc 1=ok tx SO@101<0+0 tx - tx SO@101<0+0A" },
		{ "one for an answer that is late is no sign that messages are rare",
		  { DEFER, SHORT_TRIP, POST(SEND), TX, UNSEEN_SENT, PASS(100000), TX, ACK(102),
		    UNSEEN_SENT },
		  "wc 1=ok tx SO@101<0+0A tx SO@102<0+0 tx SO@102<0+0A wc 2=ok tx SO@103<0+0" },
		{ "but not for what has been asked for",
		  { DEFER, POST(SEND), TX, PASS(900000), UNSEEN_SENT, PASS(100000), TX },
		  "tx SO@100<0+0A tx SO@101<0+0 tx SO@101<0+0A" },
		{ "a key is invalidated behind them: they are asked for at once",
		  { DEFER, UNSEEN_SENT, POST(LOCAL_INV), TX, PASS(0), TX, ACK(100), TX },
		  "tx SO@100<0+0 tx - tx SO@100<0+0A local(2) wc 2=ok tx -" },
		{ "and so when the queue is drained",
		  { DEFER, UNSEEN_SENT, TO(SQD), PASS(0), TX, ACK(100) },
		  "tx SO@100<0+0 tx SO@100<0+0A ev drained" },
		{ "what is sent again is asked for",
		  { DEFER, QUIET, UNSEEN_SENT, UNSEEN_SENT, NAK(100, ROCE_NAK_PSN_SEQ), TX },
		  "tx SO@100<0+0 tx SO@101<0+0 tx SO@100<0+0 tx SO@101<0+0A" },
		{ "no round trip is measured of them",
		  { DEFER, UNSEEN_SENT, PASS(500000), POST(SEND), TX, PASS(10000), ACK(101),
		    POST(SEND), TX, PASS(100000), TX },
		  "tx SO@100<0+0 tx SO@101<0+0A wc 2=ok tx SO@102<0+0A tx SO@102<0+0A" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

/* As many packets on their way as it takes for small messages to be gathered behind them. */
#define SIXTEEN POST(SEND, .len = 16 K), SENT

/* Messages for which nothing is asked as long as they are few for the send queue. */
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
		{ "small ones behind many are sent when an acknowledgement comes",
		  { DEFER, SIXTEEN, UNSEEN_SENT, UNSEEN_SENT, ACK(115), TX },
		  "tx - tx - wc 1=ok tx SO@116<0+0 tx SO@117<0+0" },
		{ "or when there are 32, over the PSN wrap",
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
		{ "with one whose completion is waited for",
		  { DEFER, SIXTEEN, UNSEEN_SENT, POST(SEND), TX },
		  "tx - tx SO@116<0+0 tx SO@117<0+0A" },
		{ "with one that is to wake the peer",
		  { DEFER, SIXTEEN, UNSEEN_SENT,
		    POST(SEND, .flags = ROCE_WR_SIGNALED | ROCE_WR_SOLICITED), TX },
		  "tx - tx SO@116<0+0 tx SO@117<0+0S" },
		{ "with a long one",
		  { DEFER, SIXTEEN, UNSEEN_SENT,
		    POST(SEND, .len = 1025, .flags = ROCE_WR_SIGNALED), TX },
		  "tx - tx SO@116<0+0 tx SF@117<0+1024 tx SL@118<1024+1" },
		{ "with a READ",
		  { DEFER, QUIET, SIXTEEN, UNSEEN_SENT, POST(READ, .flags = ROCE_WR_SIGNALED),
		    TX },
		  "tx - tx SO@116<0+0 tx R@117[0,0]" },
		{ "with a local operation",
		  { DEFER, SIXTEEN, UNSEEN_SENT,
		    POST(LOCAL_INV, .flags = ROCE_WR_SIGNALED), TX },
		  "tx - tx SO@116<0+0A" },
		{ "not behind fewer",
		  { DEFER, POST(SEND, .len = 15 K), SENT, UNSEEN_SENT },
		  "tx SO@115<0+0" },
		{ "not where that is not backlogged", { SIXTEEN, UNSEEN_SENT }, "tx SO@116<0+0A" },
		{ "not until a loss is repaired",
		  { DEFER, POST(SEND, .len = 17 K), SENT, NAK(100, ROCE_NAK_PSN_SEQ), SENT,
		    ACK(100), SENT, UNSEEN_SENT },
		  "tx SO@117<0+0" },
		{ "a lost acknowledgement keeps them until the next attempt",
		  { DEFER, QUIET, SIXTEEN, UNSEEN_SENT, DEADLINES(1), TX, ACK(116) },
		  "tx - tx SL@115<15360+1024 tx SO@116<0+0A wc 1=ok" },
		{ "released by one, they ask for the next to gather behind, over the PSN wrap",
		  { DEFER, DEEP, MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xffffe0), SIXTEEN,
		    UNSEEN_SENT_TIMES(32), SENT, UNSEEN_SENT, UNSEEN_SENT, ACK(0xffffff), TX,
		    UNSEEN_SENT, ACK(17), TX, UNSEEN_SENT },
		  "tx - tx - wc 1=ok tx SO@16<0+0 tx SO@17<0+0A tx - tx SO@18<0+0 tx SO@19<0+0" },
		{ "all that wait go, if it takes several batches",
		  { DEFER, DEEP, SIXTEEN, UNSEEN_SENT_TIMES(32), SENT, UNSEEN_SENT_TIMES(17),
		    ACK(131), SENT, TX },
		  "wc 1=ok tx SO@164<0+0" },
		{ "those that had nothing to wait for do not ask",
		  { DEFER, DEEP, SIXTEEN, UNSEEN_SENT_TIMES(32), SENT, ACK(131), UNSEEN_SENT },
		  "wc 1=ok tx SO@148<0+0" },
		{ "nor those with few on their way",
		  { DEFER, DEEP, SIXTEEN, UNSEEN_SENT_TIMES(32), SENT, UNSEEN_SENT, ACK(135),
		    UNSEEN_SENT },
		  "tx - wc 1=ok tx SO@148<0+0 tx SO@149<0+0" },
		{ "not sent while draining, but afterwards",
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
		f->batch.max_pkts = ROCE_TX_PKTS;
		roce_tx(&f->qp, f->now, &f->batch);
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

/*
 * Round trips take @slow ns from one moment to the next, after 10 us: the timer gets used to
 * that within @within of them, though whatever is measured meanwhile is sent again.
 */
static void path_becomes(u64 slow, u32 within)
{
	static const struct step post = POST(SEND), sent = SENT;
	static struct fixture f;
	bool late;
	u32 i;

	set_up_at(&f, 0xfffff0);
	f.watch = 1u << ROCE_COUNT_TIMEOUT;
	for (i = 0; i < 40; i++) {
		const struct step ack = ACK((0xfffff0 + i) & ROCE_PSN_MASK);

		post.run(&f, &post);
		sent.run(&f, &sent);
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
 * Round trips take 10 us, some of those of which nothing is lost @shortest ns, but half of the
 * messages are lost once: what passes before they are sent again is not taken for a slow path.
 */
static void path_loses(u64 shortest)
{
	static const struct step post = POST(SEND), sent = SENT;
	static struct fixture f;
	u32 i;

	set_up_at(&f, 0xffffc0);
	for (i = 0; i < 200; i++) {
		const struct step ack = ACK((0xffffc0 + i) & ROCE_PSN_MASK);

		post.run(&f, &post);
		sent.run(&f, &sent);
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

/* Of a READ, what passes until the first response is measured. */
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

/* Send all that can be sent. Returns how many packets that were. */
static u32 send_all(struct fixture *f)
{
	u32 n, sum = 0;

	f->batch.max_pkts = ROCE_TX_PKTS;
	while ((n = roce_tx(&f->qp, f->now, &f->batch)))
		sum += n;
	return sum;
}

/* Of a message that does not end, over the PSN wrap. */
static void send_first_flight(struct fixture *f)
{
	static const struct step post = POST(WRITE, .len = 64 * 1024 * 1024);

	set_up_at(f, 0xffff80);
	f->quiet = true;
	post.run(f, &post);
	assert_int_equal(send_all(f), 256);
}

/* A flight after @ns: acknowledged, with a @loss in it or without. Returns how many follow. */
static u32 next_flight(struct fixture *f, u64 ns, bool loss)
{
	const struct step nak = NAK(f->qp.req.snd.una, ROCE_NAK_PSN_SEQ);
	const struct step ack = ACK(roce_psn_prev(f->qp.req.snd.max));

	f->now += ns;
	if (loss) {
		nak.run(f, &nak);
		assert_int_equal(send_all(f), 2);
	}
	ack.run(f, &ack);
	return send_all(f);
}

static u32 next_flight_after_rnr(struct fixture *f)
{
	const struct step rnr = RNR(f->qp.req.snd.una, 1);

	rnr.run(f, &rnr);
	assert_int_equal(send_all(f), 0);
	f->now += MS;
	roce_timeout(&f->qp, f->now);
	assert_int_equal(send_all(f), 256);
	return next_flight(f, 500000, false);
}

/* The window: as large as the path has room for, and no larger than the cap. */
static void windows(void **state)
{
	static struct fixture f;
	u32 i, n;

	(void)state;
	send_first_flight(&f);
	/* It doubles each round trip, while they do not last longer for it. */
	assert_int_equal(next_flight(&f, 50000, false), 512);
	assert_int_equal(next_flight(&f, 60000, false), 1024);
	for (i = 0; i < 5; i++)
		n = next_flight(&f, 500000, false);
	assert_int_equal(next_flight(&f, 500000, false), n);
	/* A loss takes a quarter, and at last there are 64 left. */
	assert_int_equal(next_flight(&f, 500000, true), n - n / 4);
	for (i = 0; i < 20; i++)
		n = next_flight(&f, 500000, true);
	assert_int_equal(n, 64);
	/* From there on it grows slowly, and on a path that queues to 256 again. */
	assert_int_equal(next_flight(&f, 500000, false), 72);
	for (i = 0; i < 30; i++)
		n = next_flight(&f, 500000, false);
	assert_int_equal(n, 256);
	/* An RNR NAK is no loss. */
	assert_int_equal(next_flight_after_rnr(&f), 256);
	/* A timeout reduces it to one. */
	f.now = f.qp.req.rto.expires;
	roce_timeout(&f.qp, f.now);
	assert_int_equal(send_all(&f), 1);
	assert_int_equal(next_flight(&f, 500000, false), 192);
	f.qp.req.cc.cwnd_clamp = 100;
	assert_int_equal(next_flight(&f, 500000, false), 100);
}

/* A queue that takes long to drain is made shorter, but not what is long in any case. */
static void windows_of_slow_paths(void **state)
{
	static struct fixture f;
	u32 i, n;

	(void)state;
	send_first_flight(&f);
	assert_int_equal(next_flight(&f, 60 * MS, false), 512);
	assert_int_equal(next_flight(&f, 60 * MS, false), 1024);
	assert_int_equal(next_flight(&f, 110 * MS, false), 1024 + 1024);
	assert_int_equal(next_flight(&f, 130 * MS, false), 1024 + 16);
	/* A loss meanwhile takes its part as well, and is no way out. */
	assert_int_equal(next_flight(&f, 500 * MS, true), 780);
	assert_int_equal(next_flight(&f, 500 * MS, false), 390);
	for (i = 0; i < 5; i++)
		n = next_flight(&f, 500 * MS, false);
	/* Between the least there is of a window and what is added to it in a round trip. */
	assert_in_range(n, 64, 64 + 16);
}

/* After a loss, the tail packet is duplicated. */
static void tail_duplicates(void **state)
{
#define LOST QUIET, POST(SEND), SENT, NAK(100, ROCE_NAK_PSN_SEQ), SENT, ACK(100)
	static const struct row rows[] = {
		{ "that of a message",
		  { LOST, POST(SEND, .len = 3 K), TX, TX },
		  "wc 1=ok tx SF@101<0+1024 tx SM@102<1024+1024 tx SL@103<2048+1024A "
		  "tx SL@103<2048+1024A| tx -" },
		{ "that of several messages",
		  { LOST, POST(WRITE), POST(SEND), TX, TX },
		  "wc 1=ok tx WO@101[0,0]<0+0 tx SO@102<0+0A tx SO@102<0+0A| tx -" },
		{ "over the PSN wrap",
		  { MODIFY(ROCE_QP_SQ_PSN, .sq_psn = 0xffffff), QUIET, POST(SEND), SENT,
		    NAK(0xffffff, ROCE_NAK_PSN_SEQ), SENT, ACK(0xffffff), POST(SEND), TX,
		    POST(SEND), TX },
		  "wc 1=ok tx SO@0<0+0A tx SO@0<0+0A| tx SO@1<0+0A tx SO@1<0+0A|" },
		{ "where the interval of AckReqs ends with it, too",
		  { LOST, ACK_INTERVAL(1), POST(SEND), TX },
		  "wc 1=ok tx SO@101<0+0A tx SO@101<0+0A|" },
		{ "where there is no room in the window",
		  { LOST, WINDOW(1), POST(SEND), TX },
		  "wc 1=ok tx SO@101<0+0A tx SO@101<0+0A|" },
		{ "not where the batch is full",
		  { LOST, POST(SEND, .len = 2 K), TXN(2), TX },
		  "wc 1=ok tx SF@101<0+1024 tx SL@102<1024+1024A tx -" },
		{ "not what is sent again",
		  { LOST, POST(SEND), SENT, NAK(101, ROCE_NAK_PSN_SEQ), TX, TX },
		  "wc 1=ok tx SO@101<0+0A tx -" },
		{ "nor a READ, which would be answered twice",
		  { LOST, POST(SEND), POST(READ, .len = 1), TX, TX },
		  "wc 1=ok tx SO@101<0+0 tx R@102[0,1]A tx -" },
		{ "nor what nobody waits for",
		  { DEFER, LOST, UNSEEN_SENT, POST(SEND), TX },
		  "wc 1=ok tx SO@101<0+0 tx SO@102<0+0A tx SO@102<0+0A|" },
		{ "nor after a timeout, which the peer has not confirmed",
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
		{ "the peer refuses both: it goes back once, and waits as after one",
		  { LOST, WATCH(REWIND), POST(SEND, .len = 3 K), SENT, PASS(10000), ACK(103),
		    POST(SEND, .len = 3 K), SENT, NAK(105, ROCE_NAK_PSN_SEQ), SENT,
		    NAK(105, ROCE_NAK_PSN_SEQ), PASS(10000), TX, PASS(90000), TX },
		  "wc 1=ok wc 2=ok +retry tx - tx SL@106<2048+1024A" },
		{ "but a third time is an echo, which is seen to after a round trip",
		  { LOST, WATCH(REWIND), POST(SEND, .len = 3 K), SENT, PASS(10000), ACK(103),
		    POST(SEND, .len = 3 K), SENT, NAK(105, ROCE_NAK_PSN_SEQ), SENT,
		    NAK(105, ROCE_NAK_PSN_SEQ), NAK(105, ROCE_NAK_PSN_SEQ), PASS(10000), TX },
		  "wc 1=ok wc 2=ok +retry +retry tx SM@105<1024+1024A" },
		{ "and a round trip later it is what was sent again that is refused",
		  { LOST, WATCH(REWIND), POST(SEND, .len = 3 K), SENT, PASS(10000), ACK(103),
		    POST(SEND, .len = 3 K), SENT, NAK(105, ROCE_NAK_PSN_SEQ), SENT, PASS(10000),
		    NAK(105, ROCE_NAK_PSN_SEQ) },
		  "wc 1=ok wc 2=ok +retry +retry" },
		{ "the peer is not ready for both: that takes one retry",
		  { MODIFY(ROCE_QP_RNR_RETRY, .rnr_retry = 1), LOST, POST(SEND), SENT, RNR(101, 1),
		    PASS(10000), SENT, RNR(101, 1), STATE, ACK(101) },
		  "wc 1=ok RTS wc 2=ok" },
		{ "the second refusal may come while it waits",
		  { MODIFY(ROCE_QP_RNR_RETRY, .rnr_retry = 1), LOST, POST(SEND), SENT, RNR(101, 1),
		    RNR(101, 1), PASS(10000), TX, RNR(101, 1) },
		  "wc 1=ok tx SO@101<0+0A wc 2=rnr" },
	};

	(void)state;
	fixture_run_all(rows, true);
#undef LOST
}

/* So many after each loss, and then no more. */
static void tail_duplicate_budget(void **state)
{
	static const struct step post = POST(SEND);
	static const struct step nak = NAK(0xfffff0, ROCE_NAK_PSN_SEQ);
	static struct fixture f;
	u32 i;

	(void)state;
	set_up_at(&f, 0xfffff0);
	f.batch.max_pkts = ROCE_TX_PKTS;
	for (i = 0; i < 300; i++) {
		const struct step ack = ACK((0xfffff0 + i) & ROCE_PSN_MASK);

		post.run(&f, &post);
		assert_int_equal(roce_tx(&f.qp, f.now, &f.batch), i && i <= 255 ? 2 : 1);
		if (!i) {
			nak.run(&f, &nak);
			assert_int_equal(roce_tx(&f.qp, f.now, &f.batch), 1);
		}
		ack.run(&f, &ack);
		assert_true(roce_deadline(&f.qp) == ROCE_NEVER);
		f.len = 0;
	}
}

/* The packets of a message of @length at @mtu, up to the largest. */
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
		f.batch.max_pkts = 9;
		row_equal(rows[i].name, roce_tx(&f.qp, f.now, &f.batch), min(rows[i].npkts, 9u));
		row_equal(rows[i].name, wqe->first_psn, 0xfffff0);
		row_equal(rows[i].name, wqe->last_psn, roce_psn_add(0xfffff0, rows[i].npkts - 1));
	}
}

/*
 * A READ of 2 GiB at the smallest MTU takes half of the PSN space. It is asked for
 * in pieces of 128 packets, four of them at a time, and completes once.
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
	f.qp.req.cc.cwnd_clamp = 256;
	f.quiet = true;
	post.run(&f, &post);
	f.batch.max_pkts = 9;
	assert_int_equal(roce_tx(&f.qp, f.now, &f.batch), 4);
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
		assert_int_equal(roce_tx(&f.qp, f.now, &f.batch), more);
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
