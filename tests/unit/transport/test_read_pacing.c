// SPDX-License-Identifier: GPL-2.0
/*
 * Pacing of READ responses: the rate after each request, repeated request and CNP.
 *
 * The log of an event is the rate in packets per second, "/" and the rate that was reached at the
 * last congestion, then letters: q the path has a queue, s a READ has been repeated as a whole,
 * p READs are repeated in parts, or alone.
 */
#include "event_rows.h"
#include <roce/psn.h>
#include <roce/qp.h>
#include "transport/responder/read_pacing.h"

#define EVENTS 40
#define PKTS   64u	  /* responses of a READ */
#define FIRST  0xffffe0u /* PSNs wrap in the first READ */

/**
 * enum kind - an event, @us after the event before
 * @READ: a request; the responses of the oldest READ were sent @delay us before
 * @REPEAT: the oldest READ is requested again from response @n on; its last response was sent
 *	@delay us before
 * @PART: the same, but not up to its end
 * @NEWEST: the READ requested last is requested again
 * @CNP: a CNP
 * @ALLOWED: log how many responses may be sent
 * @SENT: @n responses are sent; log the time to the next, us
 * @IDLE: no responses are scheduled from now on
 * @LAST: there are no READs behind the oldest
 */
enum kind {
	END,
	READ,
	REPEAT,
	PART,
	NEWEST,
	CNP,
	ALLOWED,
	SENT,
	IDLE,
	LAST,
};

struct event {
	enum kind kind;
	u64 us;
	u64 delay;
	u32 n;
};

struct row {
	const char *name;
	struct event events[EVENTS];
	const char *log;
};

struct test {
	struct roce_resp resp;
	struct roce_rsrc res[4];
	u64 now;
	u32 psn;
	struct event_log log;
};

static void say_rate(struct test *t)
{
	const struct roce_read_pacing *p = &t->resp.pacing;

	log_say(&t->log, "%u/%u%s%s%s", p->rate, p->target, p->queue ? "q" : "", p->suspect ? "s" : "",
	    p->windowed || p->selective_repeats == 3 ? "p" : "");
}

/* A READ whose responses were sent within 640 us, the last one @delay us ago. */
static void set_oldest(struct test *t, u64 delay)
{
	struct roce_rsrc *res = &t->res[t->resp.res_head];

	*res = (struct roce_rsrc){
		.kind = ROCE_RSRC_READ,
		.state = ROCE_RSRC_SENT,
		.first_psn = t->psn,
		.start_psn = t->psn,
		.last_psn = roce_psn_add(t->psn, PKTS - 1),
		.next_psn = roce_psn_add(t->psn, PKTS),
		.sent_time = t->now - delay * US,
		.start_time = t->now - delay * US - 640 * US,
	};
}

static struct roce_rsrc *newest(struct test *t)
{
	return &t->res[(t->resp.res_head + t->resp.res_size - 1) % t->resp.res_size];
}

static void request(struct test *t, const struct event *e)
{
	set_oldest(t, e->delay);
	roce_read_pacing_on_request(&t->resp, t->now, roce_psn_add(t->psn, 3 * PKTS));
	t->psn = roce_psn_add(t->psn, PKTS);
	t->resp.epsn = roce_psn_add(t->psn, 3 * PKTS);
	newest(t)->first_psn = roce_psn_add(t->psn, 2 * PKTS);
	newest(t)->last_psn = roce_psn_prev(t->resp.epsn);
}

static void repeat(struct test *t, const struct event *e)
{
	const struct roce_rsrc *res = &t->res[t->resp.res_head];
	u32 psn, end;

	set_oldest(t, e->delay);
	psn = roce_psn_add(res->first_psn, e->n);
	end = e->kind == PART ? roce_psn_prev(res->last_psn) : res->last_psn;
	roce_read_pacing_on_repeat(&t->resp, t->now, res, psn, end);
}

static void run_event(struct test *t, const struct event *e)
{
	t->now += e->us * US;
	switch (e->kind) {
	case READ:
		request(t, e);
		break;
	case REPEAT:
	case PART:
		repeat(t, e);
		break;
	case NEWEST:
		roce_read_pacing_on_repeat(&t->resp, t->now, newest(t), newest(t)->first_psn,
					   newest(t)->last_psn);
		break;
	case CNP:
		roce_read_pacing_on_cnp(&t->resp, t->now);
		break;
	case ALLOWED:
		log_say(&t->log, "allowed %d", (s32)roce_read_pacing_allowance(&t->resp, t->now));
		break;
	case SENT:
		roce_read_pacing_on_sent(&t->resp, t->now, e->n);
		log_say(&t->log, "next %lld", ((s64)t->resp.pacing.next_tx - (s64)t->now) / (s64)US);
		return;
	case LAST:
		t->resp.epsn = roce_psn_add(t->psn, PKTS);
		return;
	default:
		t->resp.first_scheduled = NULL;
		return;
	}
	say_rate(t);
}

static bool run_row(const struct row *row)
{
	static struct test t;
	const struct event *e;

	memset(&t, 0, sizeof(t));
	t.now = START;
	t.psn = FIRST;
	t.resp.res = t.res;
	t.resp.res_size = ARRAY_SIZE(t.res);
	t.resp.first_scheduled = &t.res[1];
	t.res[1].next_psn = roce_psn_add(FIRST, 1000);
	for (e = row->events; e->kind != END; e++)
		run_event(&t, e);
	return log_equal(&t.log, row->name, row->log);
}

/* READs at intervals of 1 ms: 64000 packets/s; @delay from the last response to the request. */
#define R(delay_)                     \
	{                             \
		READ, 1000, delay_, 0 \
	}
/* The same at intervals of 300 ms: 213 packets/s. */
#define SLOW(delay_)                    \
	{                               \
		READ, 300000, delay_, 0 \
	}
#define REP(us_, delay_, n_)            \
	{                               \
		REPEAT, us_, delay_, n_ \
	}
/* The rest of go-back-N. */
#define REST                    \
	{                       \
		NEWEST, 0, 0, 0 \
	}
/* A loss that shows no queue if the RTT is 1900 us. */
#define L(n_) REP(5000, 1500, n_)
#define C(us_)                 \
	{                      \
		CNP, us_, 0, 0 \
	}
#define AT(us_)                    \
	{                          \
		ALLOWED, us_, 0, 0 \
	}
/* A timeout of the requester. */
#define TIMEOUT(n_)	REP(100000, 50000, n_)
#define ALL_SENT              \
	{                     \
		IDLE, 0, 0, 0 \
	}
#define LAST_READ             \
	{                     \
		LAST, 0, 0, 0 \
	}
#define SEND(n_)               \
	{                      \
		SENT, 0, 0, n_ \
	}

static void rates(void **state)
{
	static const struct row rows[] = {
		{ "not paced before a loss", { R(100), AT(0), SEND(64), R(100), AT(0) }, "0/0 allowed -1 0/0 next -5001000 0/0 allowed -1 0/0" },
		{ "a READ repeated as a whole is suspect, the second time the rate is 8/10",
		  { R(100), R(100), R(100), R(100), REP(1000, 500, 32), REP(3000, 500, 60),
		    REP(100, 500, 62), REP(500, 500, 62) },
		  "0/0 0/0 0/0 0/0 0/48000qs 10275/12844qs 10275/12844qs 10275/12844s" },
		{ "not without a queue",
		  { R(100), R(100), R(100), REP(1000, 390, 63), REP(3000, 390, 63),
		    REP(3000, 391, 63), REP(3000, 391, 63) },
		  "0/0 0/0 0/0 0/0 0/0 0/0qs 500/0qs" },
		{ "nor for a report that comes sooner than half of the minimum RTT",
		  { R(1000), R(1000), R(1000), REP(1000, 489, 63), REP(3000, 490, 63) },
		  "0/0 0/0 0/0 0/0 0/0" },
		{ "a late report of a long path is no timeout",
		  { R(1000), R(1000), R(1000), REP(30000, 18000, 63) },
		  "0/0 0/0 0/0 0/1968qs" },
		{ "repeats within the delay of the first report belong to it",
		  { R(100), R(100), R(100), REP(10000, 5000, 63), REP(3000, 500, 63),
		    REP(2020, 500, 63) },
		  "0/0 0/0 0/0 0/11545qs 0/11545qs 500/0qs" },
		{ "READs repeated in parts are not paced",
		  { R(100),
		    R(100),
		    R(100),
		    REP(1000, 500, 32),
		    REP(3000, 500, 32),
		    { PART, 3000, 500, 32 },
		    REP(3000, 500, 32),
		    AT(0) },
		  "0/0 0/0 0/0 0/48000qs 500/0qs 0/0qsp 0/0qsp allowed -1 0/0qsp" },
		{ "nor those repeated alone, three times in succession",
		  { R(100), R(100), R(100), REP(1000, 500, 0), R(100), REP(3000, 500, 0), R(100),
		    REP(3000, 500, 0), R(100), AT(0) },
		  "0/0 0/0 0/0 0/32000qs 0/32000qs 17901/22377qs 17901/22377s 17901/22377qs 0/22377qsp allowed -1 0/22377qsp" },
		{ "but those of go-back-N are",
		  { R(100), R(100), R(100), REP(1000, 500, 0), REST, R(100), REP(3000, 500, 0),
		    REST, R(100), REP(3000, 500, 0), REST, R(100), AT(0) },
		  "0/0 0/0 0/0 0/32000qs 0/32000qs 0/32000qs 17901/22377qs 17901/22377qs 17901/22377s 17901/22377qs 17901/22377qs 17901/22377s allowed 5 22376/22377s" },
		{ "also after one that has been lost in part",
		  { R(100), R(100), R(100), REP(1000, 500, 0), R(100), REP(3000, 500, 0), R(100),
		    REP(3000, 500, 0), REST, R(100), REP(3000, 500, 0), R(100) },
		  "0/0 0/0 0/0 0/32000qs 0/32000qs 17901/22377qs 17901/22377s 17901/22377qs 17901/22377qs 17901/22377s 16604/20755qs 16604/20755s" },
		{ "a timeout of the requester halves the rate",
		  { R(100), R(100), R(100), REP(1000, 500, 32), REP(3000, 500, 32),
		    REP(60000, 16399, 63), REP(60000, 50000, 63), REP(100000, 50000, 63) },
		  "0/0 0/0 0/0 0/48000qs 500/0qs 500/523qs 500/523qs 500/523qs" },
		{ "of one that is suspect, too",
		  { R(100), R(100), R(100), REP(1000, 500, 32), REP(60000, 50000, 63) },
		  "0/0 0/0 0/0 0/48000qs 24000/48000qs" },
		{ "not of one that is not", { R(100), R(100), R(100), REP(60000, 50000, 63) }, "0/0 0/0 0/0 0/0" },
		{ "one that notices losses by its timer alone is not paced: three with responses behind",
		  { R(100), C(1000), ALL_SENT, TIMEOUT(8), TIMEOUT(16), TIMEOUT(24), AT(0),
		    REP(3000, 500, 32), REP(3000, 500, 40), TIMEOUT(48) },
		  "0/0 404000/808000q 202000/808000q 101000/808000q 0/808000q allowed -1 0/808000q 0/808000q 0/808000q 0/808000q" },
		{ "not after a loss that it has noticed before",
		  { R(100), C(1000), ALL_SENT, TIMEOUT(8), TIMEOUT(16), REP(3000, 500, 24),
		    TIMEOUT(32), TIMEOUT(40), TIMEOUT(48) },
		  "0/0 404000/808000q 202000/808000q 101000/808000q 25250/2857q 12625/2857q 6312/2857q 0/2857q" },
		{ "nor if few responses are behind",
		  { R(100), C(1000), ALL_SENT, LAST_READ, TIMEOUT(56), TIMEOUT(56), TIMEOUT(56),
		    TIMEOUT(56), TIMEOUT(55), TIMEOUT(55), TIMEOUT(55) },
		  "0/0 404000/808000q 202000/808000q 101000/808000q 50500/808000q 25250/808000q 12625/808000q 6312/808000q 0/808000q" },
		{ "a CNP halves what has been sent, once in 200 us",
		  { R(100), C(1000), C(199), C(1) },
		  "0/0 404000/808000q 404000/808000q 202000/404000q" },
		{ "or the minimum RTT",
		  { R(1000), C(1000), C(999), C(1) },
		  "0/0 404000/808000q 404000/808000q 202000/404000q" },
		{ "not while no responses are scheduled", { R(100), { IDLE, 0, 0, 0 }, C(1000) }, "0/0 0/0" },
	};

	(void)state;
	run_all(rows);
}

static void recovery(void **state)
{
	static const struct row rows[] = {
		{ "the rate rises by 1/16 per RTT up to the last one, then by 1/256",
		  { R(100), R(100), C(1000), R(100), AT(1000), AT(1000), R(100), AT(1000),
		    R(100), AT(10000), R(100), AT(10000), R(100), AT(10000) },
		  "0/0 0/0 202000/404000q 202000/404000 allowed 63 252500/404000 allowed 64 315625/404000 315625/404000 allowed 64 394531/404000 394531/404000 allowed 64 439259/404000 439259/404000 allowed 64 479259/404000 479259/404000 allowed 64 519259/404000" },
		{ "by half a packet per RTT while there is a queue",
		  { R(100), R(100), C(1000), R(1000), AT(1000), AT(500), R(1000), AT(1000) },
		  "0/0 0/0 202000/404000q 202000/404000q allowed 57 228250/404000q allowed 57 228250/404000q 228250/404000q allowed 62 251218/404000q" },
		{ "or while it is not known",
		  { R(100), R(100), C(1000), R(100), AT(799), R(100), AT(801) },
		  "0/0 0/0 202000/404000q 202000/404000 allowed 63 252500/404000 252500/404000 allowed 64 315625/404000" },
		{ "a queue that begins sets the delivery rate",
		  { R(100), R(100), R(100), R(100), C(1000), R(100), R(100), R(100),
		    R(401), R(401) },
		  "0/0 0/0 0/0 0/0 202000/404000q 202000/404000 202000/404000 202000/404000 101000/404000q 101000/404000q" },
		{ "but no less than 500 packets/s",
		  { R(100), R(100), R(100), REP(3000, 391, 63), REP(3000, 391, 63), SLOW(100),
		    SLOW(401), SLOW(100), SLOW(401), SLOW(100), SLOW(401) },
		  "0/0 0/0 0/0 0/31750qs 500/0qs 500/0s 500/0qs 500/0s 500/0qs 500/0s 500/0qs" },
		{ "measured over 8 RTTs, not over an idle time",
		  { R(100),
		    R(100),
		    R(100),
		    R(100),
		    R(100),
		    R(100),
		    R(100),
		    R(100),
		    R(100),
		    R(100),
		    R(100),
		    R(100),
		    { IDLE, 0, 0, 0 },
		    { READ, 2000000, 100, 0 },
		    R(100),
		    R(100),
		    REP(1000, 500, 32),
		    REP(3000, 500, 32) },
		  "0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0qs 500/0qs" },
		{ "losses without a queue: a trial after the ninth, from 300 us later on",
		  { R(1900), L(4), L(8), L(12), L(16), L(20), L(24), L(28), L(32),
		    L(36), AT(299), AT(1),
		    SEND(1), AT(0), L(60), AT(0) },
		  "0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 2197/17576 allowed 0 2197/17576 allowed 1 2197/17576 next 455 allowed 0 2197/17576 5454/6818q allowed 1 5454/6818q" },
		{ "a trial that is in vain: not paced any more",
		  { R(1900), L(4), L(8), L(12), L(16), L(20), L(24), L(28), L(32), L(36), L(40),
		    AT(0) },
		  "0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 2197/17576 0/17576 allowed -1 0/17576" },
		{ "timeouts count as losses",
		  { R(1900), L(4), L(4), REP(100000, 99000, 8), REP(100000, 99000, 12), L(16),
		    REP(100000, 99000, 20), L(24), L(28), L(32), AT(0) },
		  "0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 1075/8600 allowed 0 1075/8600" },
		{ "pauses of the application between READs are no RTT",
		  { R(3000), L(4), L(8), L(12), L(16), L(20), L(24), L(28), L(32), L(36), AT(299),
		    AT(1) },
		  "0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 0/0 2197/17576 allowed 0 2197/17576 allowed 1 2197/17576" },
		{ "a loss an RTT after a timeout is noticed",
		  { R(1900), C(1000), REP(100000, 99000, 8), REP(1899, 1500, 16),
		    REP(1, 1500, 20) },
		  "0/0 404000/808000q 202000/808000q 202000/808000q 202000/808000" },
		{ "the end of pacing, 1 s after the last response that had to wait",
		  { R(100), C(1000), SEND(64), AT(0), SEND(640), AT(100), AT(999999),
		    AT(1) },
		  "0/0 404000/808000q next 0 allowed 64 404000/808000q next 1584 allowed 0 404000/808000q allowed 64 505000/808000q allowed -1 0/808000q" },
		{ "bursts of 250 us",
		  { R(100), C(1000), AT(0), SEND(10), AT(0), SEND(64), AT(0), AT(1) },
		  "0/0 404000/808000q allowed 64 404000/808000q next -133 allowed 64 404000/808000q next 24 allowed 0 404000/808000q allowed 0 404000/808000q" },
	};

	(void)state;
	run_all(rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates),
		cmocka_unit_test(recovery),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
