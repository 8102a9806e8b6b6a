// SPDX-License-Identifier: GPL-2.0
/* Reorder queue of the responder: out-of-order requests, with a caller that can retain them. */
#include "qp_fixture.h"

/* Packets that the caller can still retain, and packets that it retains. */
static u32 room, held;

static struct roce_pkt *hold(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	struct roce_pkt *copy;

	(void)qp;
	if (held == room)
		return NULL;
	copy = malloc(sizeof(*copy));
	assert_non_null(copy);
	*copy = *pkt;
	held++;
	return copy;
}

static void release(struct roce_qp *qp, struct roce_pkt *pkt)
{
	(void)qp;
	free(pkt);
	held--;
}

static void step_holding(struct fixture *f, const struct step *s)
{
	static struct roce_pkt *slots[ROCE_REORDER_SLOTS];
	static struct roce_ops ops;

	memset(slots, 0, sizeof(slots));
	f->qp.resp.reorder.pkts = slots;
	ops = fixture_ops;
	ops.retain_pkt = hold;
	ops.release_pkt = release;
	f->qp.ops = &ops;
	room = s->n;
}

static void step_held(struct fixture *f, const struct step *s)
{
	(void)s;
	assert_int_equal(held, f->qp.resp.reorder.count);
	fixture_say(f, "held %u", held);
}

#define HOLDING(pkts)                            \
	{                                        \
		.run = step_holding, .n = (pkts) \
	}
#define HELD                     \
	{                        \
		.run = step_held \
	}
#define FOUR RECV(9), RECV(9), RECV(9), RECV(9)
/* All retained packets must have been released. */
#define END TO(ERR), HELD

static void order(void **state)
{
	static const struct row rows[] = {
		{ "one is overtaken: both are taken, and acknowledged, when it comes",
		  { QUIET, HOLDING(9), FOUR, RX(SEND_ONLY, 201), TX, HELD, RX(SEND_ONLY, 200), TX,
		    END },
		  "tx ACK@200!60m0 held 1 rwc 1001=0 rwc 1002=0 tx ACK@201m2 held 0" },
		{ "reversed order",
		  { QUIET, HOLDING(9), FOUR, RX(SEND_ONLY, 203), TX, RX(SEND_ONLY, 202),
		    RX(SEND_ONLY, 201), TX, HELD, RX(SEND_ONLY, 200), TX, END },
		  "tx ACK@200!60m0 tx - held 3 rwc 1001=0 rwc 1002=0 rwc 1003=0 rwc 1004=0 "
		  "tx ACK@203m4 held 0" },
		{ "a second hole raises no NAK: the requester is retransmitting from the first on",
		  { QUIET, HOLDING(9), FOUR, RX(SEND_ONLY, 201), TX, RX(SEND_ONLY, 203), TX,
		    RX(SEND_ONLY, 200), TX, RX(SEND_ONLY, 201), TX, RX(SEND_ONLY, 202), TX, HELD },
		  "tx ACK@200!60m0 tx - rwc 1001=0 rwc 1002=0 tx ACK@201m2 tx ACK@201m2 "
		  "rwc 1003=0 rwc 1004=0 tx ACK@203m4 held 0" },
		{ "one whose memory is not resident is dropped, and retransmitted",
		  { QUIET, HOLDING(9), FOUR, RX(SEND_ONLY, 201, .len = 5), TX, ABSENT(SCATTER),
		    RX(SEND_ONLY, 200), TX, HELD, RESIDENT,
		    RX(SEND_ONLY, 201, .len = 5, .ack = true), TX, END },
		  "tx ACK@200!60m0 rwc 1001=0 tx - held 0 rwc 1002=5 tx ACK@201m2 held 0" },
		{ "and is NAKed if no NAK has been sent",
		  { QUIET, HOLDING(9), FOUR, ABSENT(SCATTER),
		    RX(SEND_ONLY, 201, .len = 5, .hold = true), RX(SEND_ONLY, 200), TX, END },
		  "rwc 1001=0 tx ACK@201!60m1 held 0" },
		{ "unless no NAK has been sent for the first",
		  { QUIET, HOLDING(9), FOUR, RX(SEND_ONLY, 201, .hold = true),
		    RX(SEND_ONLY, 203, .hold = true), RX(SEND_ONLY, 200), TX, END },
		  "rwc 1001=0 rwc 1002=0 tx ACK@202!60m2 held 0" },
		{ "a buffered packet is retransmitted: the one in the hole was lost again",
		  { QUIET, HOLDING(9), FOUR, RX(SEND_ONLY, 201), TX, RX(SEND_ONLY, 202), TX,
		    RX(SEND_ONLY, 201), TX, RX(SEND_ONLY, 202), TX, END },
		  "tx ACK@200!60m0 tx - tx ACK@200!60m0 tx - held 0" },
		{ "a packet that is not buffered may have been reordered",
		  { QUIET, HOLDING(9), FOUR, RX(SEND_ONLY, 203), TX, RX(SEND_ONLY, 201), TX, HELD,
		    END },
		  "tx ACK@200!60m0 tx - held 2 held 0" },
		{ "over the PSN wrap",
		  { QUIET, HOLDING(9), MODIFY(ROCE_QP_RQ_PSN, .rq_psn = 0xfffffe), FOUR,
		    RX(SEND_ONLY, 1), RX(SEND_ONLY, 0xffffff), RX(SEND_ONLY, 0), HELD,
		    RX(SEND_ONLY, 0xfffffe), TX, HELD },
		  "held 3 rwc 1001=0 rwc 1002=0 rwc 1003=0 rwc 1004=0 tx ACK@1m4 held 0" },
		{ "a READ and an atomic are buffered, too",
		  { QUIET, HOLDING(9), RX(READ_REQUEST, 201, .dma_len = 2000), TX,
		    RX(WRITE_ONLY, 200), TX, HELD },
		  "tx ACK@200!60m0 tx RF@201m2<0+1024 tx RL@202m2<0x400+976 tx ACK@202m2 held 0" },
		{ "a PSN that a READ's response takes is given up",
		  { QUIET, HOLDING(9), RX(WRITE_ONLY, 202), HELD,
		    RX(READ_REQUEST, 200, .dma_len = 4096), HELD },
		  "held 1 held 0" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void limits(void **state)
{
	static const struct row rows[] = {
		{ "the highest PSN that can be buffered, and the next",
		  { QUIET, HOLDING(9), RX(SEND_ONLY, 200 + ROCE_REORDER_SLOTS), HELD,
		    RX(SEND_ONLY, 200 + ROCE_REORDER_SLOTS - 1), HELD, END },
		  "held 0 held 1 held 0" },
		{ "the longest that the path MTU allows, and a word more",
		  { QUIET, HOLDING(9), RX(SEND_FIRST, 201, .len = 1024), HELD,
		    RX(SEND_FIRST, 202, .len = 1028), HELD, END },
		  "held 1 held 1 held 0" },
		{ "the same packet twice",
		  { QUIET, HOLDING(9), RX(SEND_ONLY, 201), RX(SEND_ONLY, 201), HELD, END },
		  "held 1 held 0" },
		{ "no memory: as if it were lost",
		  { QUIET, HOLDING(0), FOUR, RX(SEND_ONLY, 201), TX, HELD,
		    RX(SEND_ONLY, 200, .ack = true), TX, RX(SEND_ONLY, 201, .ack = true), TX },
		  "tx ACK@200!60m0 held 0 rwc 1001=0 tx ACK@200m1 rwc 1002=0 tx ACK@201m2" },
		{ "given up when the requester does not come back",
		  { QUIET, HOLDING(9), RX(SEND_ONLY, 201), DEADLINE, HELD, DEADLINE },
		  "held 0 never" },
		{ "no receive for the first: the others wait with it",
		  { QUIET, HOLDING(9), RX(SEND_ONLY, 200), TX, RX(SEND_ONLY, 201), TX, HELD, FOUR,
		    RX(SEND_ONLY, 200), TX, HELD },
		  "tx ACK@200!2cm0 tx - held 1 rwc 1001=0 rwc 1002=0 tx ACK@201m2 held 0" },
		{ "no receive WQE for a buffered one: it counts as lost",
		  { QUIET, HOLDING(9), RECV(9), RX(SEND_ONLY, 201), TX, RX(SEND_ONLY, 200), TX,
		    HELD },
		  "tx ACK@200!60m0 rwc 1001=0 tx ACK@201!2cm1 held 0" },
		{ "fatal NAK: the queue is purged",
		  { QUIET, HOLDING(9), RX(SEND_ONLY, 201), RX(SEND_LAST, 200, .len = 1), TX, HELD,
		    STATE },
		  "ev req-err tx ACK@200!61m0 held 0 ERR" },
		{ "RESET", { QUIET, HOLDING(9), RX(SEND_ONLY, 201), TO(RESET), HELD }, "held 0" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order),
		cmocka_unit_test(limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
