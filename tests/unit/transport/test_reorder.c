// SPDX-License-Identifier: GPL-2.0
/* Reorder queue of the responder: out-of-order requests, with a caller that can retain them. */
#include "qp_fixture.h"

/* Packets that the caller can still retain, and packets that it retains. */
static u32 room, retained;

static struct roce_pkt *retain(struct roce_qp *qp, const struct roce_pkt *pkt)
{
	struct roce_pkt *copy;

	(void)qp;
	if (retained == room)
		return NULL;
	copy = malloc(sizeof(*copy));
	assert_non_null(copy);
	*copy = *pkt;
	retained++;
	return copy;
}

static void release(struct roce_qp *qp, struct roce_pkt *pkt)
{
	(void)qp;
	free(pkt);
	retained--;
}

static void step_can_retain(struct fixture *f, const struct step *s)
{
	static struct roce_pkt *slots[ROCE_REORDER_SLOTS];
	static struct roce_ops ops;

	memset(slots, 0, sizeof(slots));
	f->qp.resp.reorder.pkts = slots;
	ops = fixture_ops;
	ops.retain_pkt = retain;
	ops.release_pkt = release;
	f->qp.ops = &ops;
	room = s->n;
}

static void step_qlen(struct fixture *f, const struct step *s)
{
	(void)s;
	assert_int_equal(retained, f->qp.resp.reorder.count);
	fixture_say(f, "qlen %u", retained);
}

#define RETAIN(pkts)                            \
	{                                        \
		.run = step_can_retain, .n = (pkts) \
	}
#define QLEN                     \
	{                        \
		.run = step_qlen \
	}
#define FOUR RECV(9), RECV(9), RECV(9), RECV(9)
/* All retained packets must have been released. */
#define END TO(ERR), QLEN

static void order(void **state)
{
	static const struct row rows[] = {
		{ "two reordered packets are executed when the first arrives",
		  { QUIET, RETAIN(9), FOUR, RX(SEND_ONLY, 201), TX, QLEN, RX(SEND_ONLY, 200), TX,
		    END },
		  "tx ACK@200!60m0 qlen 1 rwc 1001=0 rwc 1002=0 tx ACK@201m2 qlen 0" },
		{ "reversed order",
		  { QUIET, RETAIN(9), FOUR, RX(SEND_ONLY, 203), TX, RX(SEND_ONLY, 202),
		    RX(SEND_ONLY, 201), TX, QLEN, RX(SEND_ONLY, 200), TX, END },
		  "tx ACK@200!60m0 tx - qlen 3 rwc 1001=0 rwc 1002=0 rwc 1003=0 rwc 1004=0 "
		  "tx ACK@203m4 qlen 0" },
		{ "a second hole raises no NAK: the requester is retransmitting from the first on",
		  { QUIET, RETAIN(9), FOUR, RX(SEND_ONLY, 201), TX, RX(SEND_ONLY, 203), TX,
		    RX(SEND_ONLY, 200), TX, RX(SEND_ONLY, 201), TX, RX(SEND_ONLY, 202), TX, QLEN },
		  "tx ACK@200!60m0 tx - rwc 1001=0 rwc 1002=0 tx ACK@201m2 tx ACK@201m2 "
		  "rwc 1003=0 rwc 1004=0 tx ACK@203m4 qlen 0" },
		{ "one whose memory is not resident is dropped, and retransmitted",
		  { QUIET, RETAIN(9), FOUR, RX(SEND_ONLY, 201, .len = 5), TX, ABSENT(SCATTER),
		    RX(SEND_ONLY, 200), TX, QLEN, RESIDENT,
		    RX(SEND_ONLY, 201, .len = 5, .ack = true), TX, END },
		  "tx ACK@200!60m0 rwc 1001=0 tx - qlen 0 rwc 1002=5 tx ACK@201m2 qlen 0" },
		{ "and is NAKed if no NAK has been sent",
		  { QUIET, RETAIN(9), FOUR, ABSENT(SCATTER),
		    RX(SEND_ONLY, 201, .len = 5, .hold = true), RX(SEND_ONLY, 200), TX, END },
		  "rwc 1001=0 tx ACK@201!60m1 qlen 0" },
		{ "unless no NAK has been sent for the first",
		  { QUIET, RETAIN(9), FOUR, RX(SEND_ONLY, 201, .hold = true),
		    RX(SEND_ONLY, 203, .hold = true), RX(SEND_ONLY, 200), TX, END },
		  "rwc 1001=0 rwc 1002=0 tx ACK@202!60m2 qlen 0" },
		{ "a buffered packet is retransmitted: the one in the hole was lost again",
		  { QUIET, RETAIN(9), FOUR, RX(SEND_ONLY, 201), TX, RX(SEND_ONLY, 202), TX,
		    RX(SEND_ONLY, 201), TX, RX(SEND_ONLY, 202), TX, END },
		  "tx ACK@200!60m0 tx - tx ACK@200!60m0 tx - qlen 0" },
		{ "a packet that is not buffered may have been reordered",
		  { QUIET, RETAIN(9), FOUR, RX(SEND_ONLY, 203), TX, RX(SEND_ONLY, 201), TX, QLEN,
		    END },
		  "tx ACK@200!60m0 tx - qlen 2 qlen 0" },
		{ "over the PSN wrap",
		  { QUIET, RETAIN(9), MODIFY(ROCE_QP_RQ_PSN, .rq_psn = 0xfffffe), FOUR,
		    RX(SEND_ONLY, 1), RX(SEND_ONLY, 0xffffff), RX(SEND_ONLY, 0), QLEN,
		    RX(SEND_ONLY, 0xfffffe), TX, QLEN },
		  "qlen 3 rwc 1001=0 rwc 1002=0 rwc 1003=0 rwc 1004=0 tx ACK@1m4 qlen 0" },
		{ "a READ and an atomic are buffered, too",
		  { QUIET, RETAIN(9), RX(READ_REQUEST, 201, .dma_len = 2000), TX,
		    RX(WRITE_ONLY, 200), TX, QLEN },
		  "tx ACK@200!60m0 tx RF@201m2<0+1024 tx RL@202m2<0x400+976 tx ACK@202m2 qlen 0" },
		{ "a buffered PSN within the response of a READ is dropped",
		  { QUIET, RETAIN(9), RX(WRITE_ONLY, 202), QLEN,
		    RX(READ_REQUEST, 200, .dma_len = 4096), QLEN },
		  "qlen 1 qlen 0" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void limits(void **state)
{
	static const struct row rows[] = {
		{ "the highest PSN that can be buffered, and the next",
		  { QUIET, RETAIN(9), RX(SEND_ONLY, 200 + ROCE_REORDER_SLOTS), QLEN,
		    RX(SEND_ONLY, 200 + ROCE_REORDER_SLOTS - 1), QLEN, END },
		  "qlen 0 qlen 1 qlen 0" },
		{ "the longest that the path MTU allows, and a word more",
		  { QUIET, RETAIN(9), RX(SEND_FIRST, 201, .len = 1024), QLEN,
		    RX(SEND_FIRST, 202, .len = 1028), QLEN, END },
		  "qlen 1 qlen 1 qlen 0" },
		{ "the same packet twice",
		  { QUIET, RETAIN(9), RX(SEND_ONLY, 201), RX(SEND_ONLY, 201), QLEN, END },
		  "qlen 1 qlen 0" },
		{ "no memory: as if it were lost",
		  { QUIET, RETAIN(0), FOUR, RX(SEND_ONLY, 201), TX, QLEN,
		    RX(SEND_ONLY, 200, .ack = true), TX, RX(SEND_ONLY, 201, .ack = true), TX },
		  "tx ACK@200!60m0 qlen 0 rwc 1001=0 tx ACK@200m1 rwc 1002=0 tx ACK@201m2" },
		{ "purged when the requester stops retransmitting",
		  { QUIET, RETAIN(9), RX(SEND_ONLY, 201), DEADLINE, QLEN, DEADLINE },
		  "qlen 0 never" },
		{ "no receive WQE for the first: the others stay buffered",
		  { QUIET, RETAIN(9), RX(SEND_ONLY, 200), TX, RX(SEND_ONLY, 201), TX, QLEN, FOUR,
		    RX(SEND_ONLY, 200), TX, QLEN },
		  "tx ACK@200!2cm0 tx - qlen 1 rwc 1001=0 rwc 1002=0 tx ACK@201m2 qlen 0" },
		{ "no receive WQE for a buffered one: it counts as lost",
		  { QUIET, RETAIN(9), RECV(9), RX(SEND_ONLY, 201), TX, RX(SEND_ONLY, 200), TX,
		    QLEN },
		  "tx ACK@200!60m0 rwc 1001=0 tx ACK@201!2cm1 qlen 0" },
		{ "fatal NAK: the queue is purged",
		  { QUIET, RETAIN(9), RX(SEND_ONLY, 201), RX(SEND_LAST, 200, .len = 1), TX, QLEN,
		    STATE },
		  "ev req-err tx ACK@200!61m0 qlen 0 ERR" },
		{ "RESET", { QUIET, RETAIN(9), RX(SEND_ONLY, 201), TO(RESET), QLEN }, "qlen 0" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

/* A gap of 100 us at 200 after which the NAK is sent: the request arrives, and arrives again. */
#define US 1000ull
#define SEEN FOUR, REORDERING_SEEN
#define REORDERED                                                                       \
	RX(SEND_ONLY, 201), TX, PASS(100 * US), RX(SEND_ONLY, 200), RX(SEND_ONLY, 200), TX

static void nak_delay(void **state)
{
	static const struct row rows[] = {
		{ "after a reordering, the NAK waits 5/4 of its delay",
		  { QUIET, RETAIN(9), SEEN, REORDERED, RX(SEND_ONLY, 203), TX, DEADLINE, TX,
		    END },
		  "tx ACK@200!60m0 rwc 1001=0 rwc 1002=0 tx ACK@201m2 tx - tx ACK@202!60m2 qlen 0" },
		{ "and is not sent if the request arrives by then",
		  { QUIET, RETAIN(9), SEEN, REORDERED, RX(SEND_ONLY, 203), TX, PASS(124 * US),
		    RX(SEND_ONLY, 202), TX, QLEN },
		  "tx ACK@200!60m0 rwc 1001=0 rwc 1002=0 tx ACK@201m2 tx - rwc 1003=0 rwc 1004=0 "
		  "tx ACK@203m4 qlen 0" },
		{ "a later request does not send it earlier, but when it is due",
		  { QUIET, RETAIN(9), SEEN, REORDERED, RX(SEND_ONLY, 203), TX, PASS(100 * US),
		    RX(SEND_ONLY, 204), TX, PASS(25 * US), RX(SEND_ONLY, 205), TX, END },
		  "tx ACK@200!60m0 rwc 1001=0 rwc 1002=0 tx ACK@201m2 tx - tx - tx ACK@202!60m2 "
		  "qlen 0" },
		{ "without a duplicate it was a loss: the next NAK does not wait",
		  { QUIET, RETAIN(9), FOUR, RX(SEND_ONLY, 201), TX, PASS(100 * US),
		    RX(SEND_ONLY, 200), TX, RX(SEND_ONLY, 203), TX, END },
		  "tx ACK@200!60m0 rwc 1001=0 rwc 1002=0 tx ACK@201m2 tx ACK@202!60m2 qlen 0" },
		{ "1 ms at most",
		  { QUIET, RETAIN(9), SEEN, RX(SEND_ONLY, 201), TX, PASS(5000 * US),
		    RX(SEND_ONLY, 200), RX(SEND_ONLY, 200), TX, RX(SEND_ONLY, 203), TX,
		    PASS(999 * US), RX(SEND_ONLY, 204), TX, PASS(1 * US), RX(SEND_ONLY, 205), TX,
		    END },
		  "tx ACK@200!60m0 rwc 1001=0 rwc 1002=0 tx ACK@201m2 tx - tx - tx ACK@202!60m2 "
		  "qlen 0" },
		{ "in ERR none is due",
		  { QUIET, RETAIN(9), SEEN, REORDERED, RX(SEND_ONLY, 203), TX, END, DEADLINE, TX },
		  "tx ACK@200!60m0 rwc 1001=0 rwc 1002=0 tx ACK@201m2 tx - qlen 0 never tx -" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order),
		cmocka_unit_test(nak_delay),
		cmocka_unit_test(limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
