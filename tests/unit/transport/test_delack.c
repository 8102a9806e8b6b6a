// SPDX-License-Identifier: GPL-2.0
/* Delayed ACKs of the responder. */
#include "qp_fixture.h"

/* Time until the consumer replies to a message, and until the reply is acknowledged. */
#define TURN 2000
#define TRIP 10000

/* A message of the peer, a reply, and the ACK of the reply; not logged. */
static void step_talk(struct fixture *f, const struct step *s)
{
	static const struct step pass_turn = PASS(TURN), post = POST(SEND), sent = SENT,
				 pass_trip = PASS(TRIP);
	u32 i;

	for (i = 0; i < s->n; i++) {
		struct step ask = RX(WRITE_ONLY, f->qp.resp.epsn, .ack = true);
		struct step ack;

		ask.run(f, &ask);
		sent.run(f, &sent);
		pass_turn.run(f, &pass_turn);
		post.run(f, &post);
		sent.run(f, &sent);
		pass_trip.run(f, &pass_trip);
		ack = (struct step)ACK(roce_psn_prev(f->qp.req.snd.nxt));
		ack.run(f, &ack);
	}
	f->len = 0;
	f->log[0] = 0;
}

#define TALK(times)                            \
	{                                      \
		.run = step_talk, .n = (times) \
	}

/* Measure the RTT of a slow path. */
static void step_round_trip(struct fixture *f, const struct step *s)
{
	f->qp.req.rtt.srtt = s->ns;
}

#define ROUND_TRIP(t)                             \
	{                                         \
		.run = step_round_trip, .ns = (t) \
	}

/* The score counts from the first RTT sample. 8 enables the delay, and 16 is the maximum. */
#define TALKING	   TALK(9)
#define ALL_POINTS TALK(17)

#define ASK(psn, ...) RX(WRITE_ONLY, psn, .ack = true, ##__VA_ARGS__)

/* A message with a late reply. */
#define LATE(psn, own) ASK(psn), SENT, PASS(5001), POST(SEND), SENT, PASS(TRIP), ACK(own)

static void delayed_acks(void **state)
{
	static const struct row rows[] = {
		{ "initially, an ACK is sent at once", { ASK(200), TX }, "tx ACK@200m1" },
		{ "after seven replies in time, too", { TALK(8), ASK(208), TX }, "tx ACK@208m9" },
		{ "after eight, an ACK is delayed, and sent before the reply",
		  { TALKING, ASK(209), TX, PASS(TURN), POST(SEND), TX, TX },
		  "tx - tx ACK@209m10 tx SO@109<0+0A tx -" },
		{ "or half an RTT",
		  { TALKING, ASK(209), TX, PASS(4999), TX, DEADLINE, TX, DEADLINE },
		  "tx - tx - tx ACK@209m10 never" },
		{ "no longer than a millisecond",
		  { TALKING, ROUND_TRIP(100 * MS), ASK(209), TX, PASS(MS - 1), TX, PASS(1), TX },
		  "tx - tx - tx ACK@209m10" },
		{ "over the PSN wrap",
		  { MODIFY(ROCE_QP_RQ_PSN, .rq_psn = 0xfffff7), TALKING, ASK(0), TX, POST(SEND),
		    TX },
		  "tx - tx ACK@0m10 tx SO@109<0+0A" },
		{ "an earlier message without a reply: at once",
		  { TALKING, ASK(209), TX, ASK(210), TX },
		  "tx - tx ACK@210m11" },
		{ "of a message in several packets: at once",
		  { QUIET, TALKING, RX(WRITE_FIRST, 209, .dma_len = 1025, .len = FIXTURE_MTU),
		    RX(WRITE_LAST, 210, .len = 1, .ack = true), TX },
		  "tx ACK@210m10" },
		{ "a duplicate: at once",
		  { TALKING, ASK(209), TX, ASK(209), TX },
		  "tx - tx ACK@209m10" },
		{ "a NAK is not delayed, and acknowledges the message",
		  { TALKING, ASK(209), TX, ASK(211), TX, POST(SEND), TX },
		  "tx - tx ACK@210!60m10 tx SO@109<0+0A" },
		{ "READ responses are not delayed",
		  { QUIET, TALKING, ASK(209), TX, RX(READ_REQUEST, 210, .dma_len = 1), TX,
		    POST(SEND), TX },
		  "tx - tx RO@210m11<0+1 tx ACK@210m11 tx SO@109<0+0A" },
		{ "no room for the reply in the batch: it is sent with the next",
		  { TALKING, ASK(209), TX, POST(SEND), TXN(1), TX },
		  "tx - tx ACK@209m10 tx SO@109<0+0A" },
		{ "it does not wait for a reply that cannot be sent now",
		  { TALKING, WINDOW(1), POST(SEND), TX, ASK(209), TX, POST(SEND), TX },
		  "tx SO@109<0+0A tx - tx ACK@209m10" },
		{ "the final ACK of the QP includes a delayed one",
		  { TALKING, ASK(209), TX, FINAL_ACK },
		  "tx - tx ACK@209m10" },
		{ "no ACK in ERR",
		  { TALKING, ASK(209), TX, TO(ERR), DEADLINE, TX },
		  "tx - never tx -" },
		{ "no ACK if the same batch moves the QP to ERR",
		  { TALKING, POST(SEND), SENT, ASK(209, .hold = true),
		    NAK(109, ROCE_NAK_REM_ACCESS), STATE, DEADLINE, TX },
		  "wc 10=rem-acc ERR never tx -" },
		{ "RESET cancels it",
		  { TALKING, ASK(209), TO(RESET), TO(INIT), DEADLINE },
		  "never" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

static void pingpong_score(void **state)
{
	static const struct row rows[] = {
		{ "a late reply lowers the score by four",
		  { ALL_POINTS, LATE(217, 117), LATE(218, 118), ASK(219), TX, POST(SEND), SENT,
		    PASS(TRIP), ACK(119), LATE(220, 120), ASK(221), TX },
		  "wc 18=ok wc 19=ok tx - wc 20=ok wc 21=ok tx ACK@221m22" },
		{ "a reply after exactly half an RTT is in time",
		  { TALK(8), ASK(208), SENT, PASS(5000), POST(SEND), SENT, PASS(TRIP), ACK(108),
		    ASK(209), TX },
		  "wc 9=ok tx -" },
		{ "more than 16 replies count as 16",
		  { TALK(18), LATE(218, 118), LATE(219, 119), LATE(220, 120), TALK(3), ASK(224),
		    TX },
		  "tx ACK@224m25" },
		{ "as does a message without a reply",
		  { TALKING, ASK(209), SENT, ASK(210), SENT, POST(SEND), SENT, PASS(TRIP), ACK(109),
		    ASK(211), TX },
		  "wc 10=ok tx ACK@211m12" },
		{ "no delay for a QP that only receives",
		  { ASK(200), SENT, ASK(201), SENT, ASK(202), SENT, ASK(203), SENT, ASK(204), SENT,
		    ASK(205), SENT, ASK(206), SENT, ASK(207), SENT, ASK(208), SENT, ASK(209), TX },
		  "tx ACK@209m10" },
	};

	(void)state;
	fixture_run_all(rows, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(delayed_acks),
		cmocka_unit_test(pingpong_score),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
