// SPDX-License-Identifier: GPL-2.0
/*
 * RTT estimation: the estimate after each response.
 *
 * A row is a list of events; each response logs the sample, then SRTT and RTTVAR, the minimum of
 * the last 10 s, the latest and the largest sample, all in us; "?" if SRTT is ambiguous, "x" if the
 * minimum has expired.
 */
#include "event_rows.h"
#include <roce/psn.h>
#include <roce/qp.h>
#include "transport/requester/rtt.h"

#define EVENTS 30
#define FIRST  0xfffffeu /* PSNs wrap after two packets */

/**
 * enum kind - an event
 * @SEND: a timed packet is sent
 * @AGAIN: the packet sent last is timed again
 * @RESPONSE: @n packets are answered, @us after the event before
 * @TLP: a probe is sent, @us after the event before; @n: the first one, without an estimate
 * @PROBE: the same for READs: the first probe re-requests the oldest response
 * @REWIND: packets are retransmitted, @us after the event before
 * @CANCEL: the oldest sample is cancelled
 * @DELAY: log the delay of packet @n of those in flight
 * @PASS: @us pass
 */
enum kind {
	END,
	SEND,
	AGAIN,
	RESPONSE,
	TLP,
	PROBE,
	REWIND,
	CANCEL,
	DELAY,
	PASS,
};

struct event {
	enum kind kind;
	u64 us;
	u32 n;
};

struct row {
	const char *name;
	struct event events[EVENTS];
	const char *log;
};

struct test {
	struct roce_qp qp;
	u64 now;
	struct event_log log;
};

static void respond(struct test *t, u32 n)
{
	struct roce_req *req = &t->qp.req;
	const struct roce_rtt *rtt = &req->rtt;
	u64 sample;

	req->snd.una = roce_psn_add(req->snd.una, n);
	sample = roce_rtt_update(req, t->now, req->snd.una);
	log_say(&t->log, "%llu: %llu/%llu %llu %llu %llu%s%s", sample / US, rtt->srtt / US, rtt->rttvar / US,
	    roce_rtt_min(req) / US, rtt->latest / US, rtt->max / US,
	    rtt->srtt_ambiguous ? "?" : "", rtt->min_expired ? "x" : "");
	req->rtt.min_expired = false;
}

static void run_event(struct test *t, const struct event *e)
{
	struct roce_req *req = &t->qp.req;

	t->now += e->us * US;
	switch (e->kind) {
	case SEND:
		req->snd.max = roce_psn_add(req->snd.max, 1);
		fallthrough;
	case AGAIN:
		roce_rtt_start_sample(req, t->now, req->snd.max);
		break;
	case RESPONSE:
		respond(t, e->n);
		break;
	case TLP:
		req->loss.last_rexmit_time = t->now;
		roce_rtt_on_tlp(req, t->now, e->n, req->snd.max);
		break;
	case PROBE:
		req->loss.last_rexmit_time = t->now;
		roce_rtt_on_tlp(req, t->now, true, roce_psn_add(req->snd.una, 1));
		break;
	case REWIND:
		req->loss.last_rexmit_time = t->now;
		roce_rtt_mark_ambiguous(req);
		break;
	case CANCEL:
		roce_rtt_cancel_until(req, roce_psn_add(req->snd.una, 1));
		break;
	case DELAY:
		log_say(&t->log, "delay %llu",
		    roce_rtt_of(req, t->now, roce_psn_add(req->snd.una, e->n)) / US);
		break;
	default:
		break;
	}
}

static bool run_row(const struct row *row)
{
	static struct test t;
	const struct event *e;

	memset(&t, 0, sizeof(t));
	t.now = START;
	t.qp.req.snd.una = FIRST;
	t.qp.req.snd.max = FIRST;
	for (e = row->events; e->kind != END; e++)
		run_event(&t, e);
	return log_equal(&t.log, row->name, row->log);
}

#define S                  \
	{                  \
		SEND, 0, 0 \
	}
#define R(us_)                   \
	{                        \
		RESPONSE, us_, 1 \
	}
#define P(us_)               \
	{                    \
		PASS, us_, 0 \
	}
#define RW(us_)                \
	{                      \
		REWIND, us_, 0 \
	}

static void samples(void **state)
{
	static const struct row rows[] = {
		{ "the first sample", { S, R(100) }, "0: 100/50 100 100 100" },
		{ "later ones are smoothed", { S, R(100), S, R(180), S, R(20) }, "0: 100/50 100 100 100 180: 110/57 100 180 180 20: 98/65 20 20 180" },
		{ "one ACK for several: the sample of the last one",
		  { S, P(50), S, P(50), S, { RESPONSE, 100, 3 } },
		  "0: 100/50 100 100 100" },
		{ "each of several in flight", { S, P(50), S, R(100), R(0), R(10) }, "0: 150/75 150 150 150 100: 143/68 100 100 150 0: 143/68 100 100 150" },
		{ "eight are timed at a time",
		  { S, S, S, S, S, S, S, S, P(10), S, { RESPONSE, 90, 8 }, R(0) },
		  "0: 100/50 100 100 100 0: 100/50 100 100 100" },
		{ "a packet is timed once",
		  { S,
		    { AGAIN, 5, 0 },
		    S,
		    { AGAIN, 5, 0 },
		    S,
		    { AGAIN, 5, 0 },
		    S,
		    { AGAIN, 5, 0 },
		    S,
		    { AGAIN, 5, 0 },
		    { DELAY, 10, 4 },
		    { DELAY, 0, 0 } },
		  "delay 15 delay 35" },
		{ "a response that comes at once takes 1 ns", { S, R(0), S, R(100) }, "0: 0/0 0 0 0 100: 12/24 0 100 100" },
		{ "a packet without a sample", { S, R(100), R(5) }, "0: 100/50 100 100 100 0: 100/50 100 100 100" },
		{ "a cancelled sample", { S, S, { CANCEL, 0, 0 }, R(100), R(50) }, "0: 0/0 0 0 0 0: 150/75 150 150 150" },
		{ "the delay of a lost packet is that of the next timed one",
		  { S, P(30), S, P(30), { DELAY, 0, 0 }, { DELAY, 0, 1 }, { DELAY, 0, 2 } },
		  "delay 60 delay 30 delay 0" },
		{ "not if that may have been retransmitted",
		  { S, RW(30), { DELAY, 10, 0 } },
		  "delay 0" },
	};

	(void)state;
	run_all(rows);
}

static void ambiguity(void **state)
{
	static const struct row rows[] = {
		{ "the response to a retransmitted packet is limited to 4 SRTT",
		  { S, R(100), S, RW(1000), R(50) },
		  "0: 100/50 100 100 100 400: 137/112 100 100 100?" },
		{ "or to the time since the retransmission",
		  { S, R(100), S, RW(1000), R(500) },
		  "0: 100/50 100 100 100 500: 150/137 100 100 100?" },
		{ "one to two minimum RTTs after it, it is the response to that",
		  { S, R(100), S, RW(1000), R(99), S, RW(1000), R(100), S,
		    RW(1000), R(200), S, RW(1000), R(201) },
		  "0: 100/50 100 100 100 400: 137/112 100 100 100? 100: 100/37 100 100 100 200: 112/53 100 100 100 450: 154/124 100 100 100?" },
		{ "the next sample without ambiguity restores the estimate",
		  { S, R(100), S, RW(1000), R(500), S, RW(1000), R(500), S, R(100) },
		  "0: 100/50 100 100 100 500: 150/137 100 100 100? 600: 206/215 100 100 100? 100: 100/37 100 100 100" },
		{ "with its variation",
		  { S, R(100), S, R(900), S, RW(1000), R(5000), S, R(100) },
		  "0: 100/50 100 100 100 900: 200/237 100 900 900 5000: 800/1378 100 900 900? 100: 187/203 100 100 900" },
		{ "or takes that sample, if the path has become slower",
		  { S, R(100), S, RW(1000), R(500), S, R(300) },
		  "0: 100/50 100 100 100 500: 150/137 100 100 100? 300: 300/112 100 300 300" },
		{ "only the oldest sample is kept",
		  { S, R(100), S, S, RW(1000), R(50), R(50) },
		  "0: 100/50 100 100 100 400: 137/112 100 100 100? 0: 137/112 100 100 100?" },
		{ "the first sample may be ambiguous", { S, RW(1000), R(50), S, R(100) }, "0: 1050/525 0 0 0? 100: 100/37 100 100 100" },
		{ "the first probe begins the first sample again",
		  { S, { TLP, 1000, 1 }, R(50), S, R(100) },
		  "0: 50/25 0 0 0? 100: 100/37 100 100 100" },
		{ "of a READ, its first response ends that",
		  { S, S, S, { PROBE, 1000, 0 }, R(50), R(10), R(10) },
		  "0: 50/25 0 0 0? 0: 50/25 0 0 0? 0: 50/25 0 0 0?" },
		{ "later probes make it ambiguous", { S, R(100), S, { TLP, 1000, 0 }, R(50) }, "0: 100/50 100 100 100 400: 137/112 100 100 100?" },
	};

	(void)state;
	run_all(rows);
}

static void minimum(void **state)
{
	static const struct row rows[] = {
		{ "lasts 10 s, then a new one is to be measured",
		  { S, R(100), P(9999799), S, R(200), S, R(200), S, R(200) },
		  "0: 100/50 100 100 100 200: 112/62 100 200 200 200: 123/68 100 200 200x 200: 133/70 100 200 200" },
		{ "an equal sample renews it",
		  { S, R(100), P(5000000), S, R(100), P(5000000), S, R(200) },
		  "0: 100/50 100 100 100 100: 100/37 100 100 100 200: 112/53 100 200 200" },
		{ "ambiguous samples count for the minimum alone",
		  { S, R(100), S, RW(10), R(20), S, RW(1000), R(500) },
		  "0: 100/50 100 100 100 30: 91/55 30 100 100? 500: 142/143 30 100 100?" },
	};

	(void)state;
	run_all(rows);
}

/* The path has become longer: the smallest sample since the minimum expired takes its place. */
static void forgotten_minimum(void **state)
{
	static const struct event events[] = {
		S, R(100), P(10000000), S, R(300), S, R(200), S, R(400),
	};
	static struct test t;
	size_t i;

	(void)state;
	t.now = START;
	for (i = 0; i < ARRAY_SIZE(events); i++)
		run_event(&t, &events[i]);
	assert_int_equal(roce_rtt_min(&t.qp.req), 100 * US);
	roce_rtt_forget_min(&t.qp.req);
	assert_int_equal(roce_rtt_min(&t.qp.req), 200 * US);
	/* A new minimum is also the smallest since. */
	run_event(&t, &(struct event)S);
	run_event(&t, &(struct event)R(50));
	roce_rtt_forget_min(&t.qp.req);
	assert_int_equal(roce_rtt_min(&t.qp.req), 50 * US);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(samples),
		cmocka_unit_test(ambiguity),
		cmocka_unit_test(minimum),
		cmocka_unit_test(forgotten_minimum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
