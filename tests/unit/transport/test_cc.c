// SPDX-License-Identifier: GPL-2.0
/*
 * Congestion control: the window after each event, for the algorithms "delay", "aimd" and "fixed".
 *
 * A row is a path, a window, a list of events, and the log of the window after each event: packets,
 * "+" and 1/256 packets, then letters: c congested, l lossy, k competing, d draining the path.
 */
#include "event_rows.h"
#include <roce/psn.h>
#include <roce/qp.h>
#include "transport/requester/cc.h"
#include "transport/requester/pacing.h"

#define EVENTS 40

/**
 * enum kind - an event
 * @ACKED: @n packets are acknowledged with an RTT of @us; the window is full
 * @ROUND: all packets in flight are acknowledged, in one ACK; the window is full
 * @UNUSED: as ROUND, but the window was not used in full
 * @LOSS: a loss, or @n of them, at an RTT of @us
 * @BURST: a burst of losses
 * @MISSING: of @n READ responses, @us are missing
 * @REORDERED: READ responses that seemed lost were reordered
 * @ECN: a mark
 * @RTO: the timer; @n: again, without progress since the last one
 * @UNDO: the RTO was spurious
 * @IDLE: restart after an idle time
 * @REPAIR: the first ACK after a NAK, @n: too early for a loss; nothing is logged
 * @PASS: @us pass
 * @READS: @n READs are in flight
 * @RECOVERY: @n: a loss is being repaired
 * @BUFFERS: the peer keeps requests that arrive out of order
 * @UNBUFFERED: 16 losses have not shown that it does
 * @EXPIRED: the minimum RTT is 10 s old
 * @CLAMP: the window is limited to @n packets
 * @ALLOWED: log the packets that the pacing timer allows to send
 * @SENT: @n packets are sent; log when the pacing timer expires, us
 */
enum kind {
	END,
	ACKED,
	ROUND,
	UNUSED,
	LOSS,
	BURST,
	MISSING,
	REORDERED,
	ECN,
	RTO,
	UNDO,
	IDLE,
	REPAIR,
	PASS,
	READS,
	RECOVERY,
	BUFFERS,
	UNBUFFERED,
	EXPIRED,
	CLAMP,
	ALLOWED,
	SENT,
};

struct event {
	enum kind kind;
	u32 n;
	u64 us;
};

/**
 * struct row - a path, its events, and the log
 * @cc: algorithm
 * @min: minimum RTT, us
 * @max: largest RTT, us; 0: @min
 * @srtt: smoothed RTT, us; 0: @min
 * @cwnd: window, packets; 0: the initial one
 * @ssthresh: slow-start threshold, packets; 0: infinite
 * @congested: packets were lost in a full queue a moment ago
 * @fresh: the QP has not lost a packet; else its search for a window is over
 */
struct row {
	const char *name;
	const struct roce_cc_ops *cc;
	u64 min;
	u64 max;
	u64 srtt;
	u32 cwnd;
	u32 ssthresh;
	bool congested;
	bool fresh;
	struct event events[EVENTS];
	const char *log;
};

struct test {
	struct roce_qp qp;
	u64 now;
	struct event_log log;
};

static void say_window(struct test *t)
{
	const struct roce_cc *cc = &t->qp.req.cc;
	char fraction[16] = "";

	if (cc->cwnd % ROCE_CC_PKT)
		snprintf(fraction, sizeof(fraction), "+%u", cc->cwnd % ROCE_CC_PKT);
	log_say(&t->log, "%u%s%s%s%s%s%s", cc->cwnd / ROCE_CC_PKT, fraction, cc->congested ? "c" : "",
	    cc->lossy ? "l" : "", cc->compete ? "k" : "", cc->drain_cwnd ? "d" : "", cc->bursty ? "b" : "");
}

/* The estimator has taken a sample. */
static void sample_rtt(struct roce_req *req, u64 rtt)
{
	if (!rtt)
		return;
	req->rtt.latest = rtt;
	req->rtt.min = min(req->rtt.min, rtt);
	req->rtt.max = max(req->rtt.max, rtt);
}

static void acknowledge(struct test *t, u32 acked, u32 left, u64 rtt)
{
	struct roce_req *req = &t->qp.req;

	sample_rtt(req, rtt);
	req->snd.una = roce_psn_add(req->snd.una, acked);
	req->snd.max = roce_psn_add(req->snd.una, left);
	req->snd.nxt = req->snd.max;
	roce_cc_on_ack(req, t->now, acked, rtt);
}

static void run_ack(struct test *t, const struct event *e)
{
	struct roce_req *req = &t->qp.req;
	u32 window = roce_cc_cwnd_pkts(req);

	switch (e->kind) {
	case ACKED:
		acknowledge(t, e->n, window, e->us * US);
		break;
	case ROUND:
		acknowledge(t, window, 0, e->us * US);
		break;
	default:
		acknowledge(t, max(window / 2, 1u), 0, e->us * US);
	}
	/* The window is filled again. */
	req->snd.max = roce_psn_add(req->snd.una, roce_cc_cwnd_pkts(req));
	req->snd.nxt = req->snd.max;
}

static void run_setting(struct test *t, const struct event *e)
{
	struct roce_req *req = &t->qp.req;

	switch (e->kind) {
	case REPAIR:
		roce_cc_on_repair(req, e->n);
		break;
	case PASS:
		t->now += e->us * US;
		break;
	case READS:
		req->snd.rd_atomic_inflight = e->n;
		break;
	case RECOVERY:
		req->loss.state = e->n ? ROCE_LOSS_RECOVERY : ROCE_LOSS_OPEN;
		break;
	case BUFFERS:
		req->loss.peer_buffers = true;
		break;
	case UNBUFFERED:
		req->cc.unbuffered = 16;
		break;
	case EXPIRED:
		req->rtt.min_expired = true;
		break;
	case CLAMP:
		roce_cc_set_clamp(req, e->n);
		break;
	case ALLOWED:
		log_say(&t->log, "allowed %u", roce_pacing_allowance(req, t->now));
		break;
	case SENT:
		roce_pacing_on_sent(req, t->now, e->n);
		log_say(&t->log, "next %lld", ((s64)req->cc.next_tx - (s64)t->now) / (s64)US);
		break;
	default:
		fail();
	}
}

/* Return: false if the event has no effect of its own on the window. */
static bool run_event(struct test *t, const struct event *e)
{
	struct roce_req *req = &t->qp.req;
	u32 i;

	switch (e->kind) {
	case ACKED:
	case ROUND:
	case UNUSED:
		run_ack(t, e);
		return true;
	case LOSS:
		for (i = 0; i < max(e->n, 1u); i++)
			roce_cc_on_loss(req, t->now, e->us * US);
		return true;
	case BURST:
		roce_cc_on_burst_loss(req, t->now);
		return true;
	case MISSING:
		roce_cc_on_lost_responses(req, t->now, e->us, e->n);
		return true;
	case REORDERED:
		roce_cc_on_reordered_responses(req);
		return true;
	case ECN:
		roce_cc_on_ecn(req, t->now);
		return true;
	case RTO:
		roce_cc_on_rto(req, t->now, !e->n);
		return true;
	case UNDO:
		roce_cc_undo(req);
		return true;
	case IDLE:
		roce_cc_restart(req);
		return true;
	default:
		run_setting(t, e);
		return false;
	}
}

static void set_up(struct test *t, const struct row *row)
{
	struct roce_req *req = &t->qp.req;

	memset(t, 0, sizeof(*t));
	t->now = START;
	req->cc.ops = row->cc;
	req->cc.cwnd_clamp = ROCE_CC_MAX_CWND;
	roce_cc_reset(req);
	req->rtt.min = row->min * US;
	req->rtt.max = (row->max ? row->max : row->min) * US;
	req->rtt.srtt = (row->srtt ? row->srtt : row->min) * US;
	req->rtt.latest = req->rtt.srtt;
	if (row->cwnd)
		req->cc.cwnd = row->cwnd * ROCE_CC_PKT;
	if (row->ssthresh)
		req->cc.ssthresh = row->ssthresh * ROCE_CC_PKT;
	req->cc.congested = row->congested;
	req->cc.congested_time = t->now;
	req->cc.search = row->fresh ? ROCE_CC_SEARCH_NONE : ROCE_CC_SEARCH_OVER;
	/* PSNs wrap within the first window. */
	req->snd.una = 0xfffffe;
	req->snd.max = roce_psn_add(req->snd.una, roce_cc_cwnd_pkts(req));
	req->snd.nxt = req->snd.max;
}

static bool run_row(const struct row *row)
{
	static struct test t;
	const struct event *e;

	set_up(&t, row);
	for (e = row->events; e->kind != END; e++)
		if (run_event(&t, e))
			say_window(&t);
	return log_equal(&t.log, row->name, row->log);
}

#define DELAY	&roce_cc_delay
#define AIMD	&roce_cc_aimd
#define R(us_)                \
	{                     \
		ROUND, 0, us_ \
	}
#define A(n_, us_)             \
	{                      \
		ACKED, n_, us_ \
	}
#define P(us_)               \
	{                    \
		PASS, 0, us_ \
	}
/* A round trip with 9 ms of delay. */
#define SLOW                   \
	{                      \
		ROUND, 0, 9000 \
	}
/* A congested path with losses at an RTT of 150 us, which has been @max_ us at most. */
#define CONTENDED(max_)                                                                     \
	.cc = DELAY, .min = 100, .max = (max_), .srtt = 150, .cwnd = 64, .ssthresh = 64,    \
	.congested = true
#define L(us_)               \
	{                    \
		LOSS, 0, us_ \
	}

/* How the window grows. */
static void growth(void **state)
{
	static const struct row rows[] = {
		{ .name = "slow start doubles it in a round trip",
		  .cc = DELAY,
		  .min = 100,
		  .events = { R(100), R(100), A(1, 100), A(5, 100) },
		  .log = "32 64 65 70" },
		{ .name = "not while it is not used in full",
		  .cc = DELAY,
		  .min = 100,
		  .events = { { UNUSED, 0, 100 }, R(100), { UNUSED, 0, 100 } },
		  .log = "16 32 32" },
		{ .name = "nor while a loss is being repaired",
		  .cc = DELAY,
		  .min = 100,
		  .events = { { RECOVERY, 1 }, R(100), { RECOVERY, 0 }, R(100) },
		  .log = "16 32" },
		{ .name = "it does for READs, once the reduction is over",
		  .cc = DELAY,
		  .min = 100,
		  .events = { { RECOVERY, 1 },
			      { READS, 1 },
			      R(100),
			      A(1, 399),
			      A(1, 400),
			      A(1, 401) },
		  .log = "32 33 34 34" },
		{ .name = "a queue: that of READs by 1/10 in a round trip",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 5,
		  .ssthresh = 5,
		  .congested = true,
		  .events = { { READS, 1 }, R(2000), R(2000) },
		  .log = "5+128c 5+255c" },
		{ .name = "by a packet at most",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 20,
		  .ssthresh = 20,
		  .congested = true,
		  .events = { { READS, 1 }, R(2000), R(2000) },
		  .log = "21c 22c" },
		{ .name = "in the search for a window as that of WRITEs",
		  .cc = DELAY,
		  .min = 200,
		  .cwnd = 40,
		  .fresh = true,
		  .events = { { READS, 1 }, L(2000), R(2000) },
		  .log = "20c 20+32c" },
		{ .name = "up to the slow-start threshold, then by 1/16 or 8 packets",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 200,
		  .ssthresh = 300,
		  .events = { R(100), R(100), R(100) },
		  .log = "300 318+192 338+160" },
		{ .name = "more than a window, acknowledged at once, is one round trip",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 2,
		  .ssthresh = 2,
		  .events = { A(63, 100) },
		  .log = "10" },
		{ .name = "on a congested path without a queue by 1/16 or a packet",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 32,
		  .ssthresh = 32,
		  .congested = true,
		  .events = { R(100), R(100), R(400), R(401), R(401) },
		  .log = "34c 36+32c 38+96c 38+127c 38+158c" },
		{ .name = "on a congested path with a queue by half a packet at most",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 4,
		  .ssthresh = 4,
		  .congested = true,
		  .events = { R(500), R(500), R(500) },
		  .log = "4+16c 4+31c 4+46c" },
		{ .name = "a queue is 1/8 of a long minimum RTT",
		  .cc = DELAY,
		  .min = 8000,
		  .cwnd = 100,
		  .ssthresh = 100,
		  .congested = true,
		  .events = { SLOW, SLOW, R(9001), R(9001) },
		  .log = "106+64c 112+224c 112+255c 113+30c" },
		{ .name = "by a quarter of that while the queue is nearly full",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 100,
		  .events = { R(3000), L(3000), R(2600), R(2600), R(2625), R(2650) },
		  .log = "108 54c 54+128c 54+254c 55+29c 55+60c" },
		{ .name = "a window of less than a packet grows by 1/16 per ACK",
		  .cc = DELAY,
		  .min = 2000,
		  .cwnd = 1,
		  .ssthresh = 1,
		  .congested = true,
		  .events = { L(9000), R(2000), R(2000), L(9000), L(9000), R(2000) },
		  .log = "0+128c 0+136c 0+144c 0+72c 0+72c 0+76c" },
		{ .name = "up to its clamp",
		  .cc = DELAY,
		  .min = 100,
		  .events = { { CLAMP, 20 }, R(100), R(100), { CLAMP, 50000 }, R(100) },
		  .log = "20 20 40" },
		{ .name = "a path is congested for a second",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 64,
		  .events = { R(5000), P(500000), L(5000), P(999999), R(100), P(1), R(100) },
		  .log = "59+51 29+153c 31+104c 39+77" },
	};

	(void)state;
	run_all(rows);
}

/* Losses of consecutive packets, one after the other. */
#define BURST_LOSS  L(100), { BURST }, R(100)
#define FOUR_BURSTS BURST_LOSS, BURST_LOSS, BURST_LOSS, BURST_LOSS

/* A loss for each ten packets, without a queue in the RTT. */
#define TENTH_LOST  A(10, 100), L(100)
#define FOUR_LOSSES TENTH_LOST, TENTH_LOST, TENTH_LOST, TENTH_LOST
#define NINE_LOSSES FOUR_LOSSES, FOUR_LOSSES, TENTH_LOST
#define LATER       A(90, 100), L(100)
#define EIGHT_LATER LATER, LATER, LATER, LATER, LATER, LATER, LATER, LATER
#define SHORT_QUEUE .cc = DELAY, .min = 100, .max = 5000, .cwnd = 64, .ssthresh = 64

/* A QP that starts: its first losses. */
static void search(void **state)
{
	static const struct row rows[] = {
		{ .name = "the first loss takes one half without a queue in the RTT, too",
		  .fresh = true,
		  .cc = DELAY,
		  .min = 5000,
		  .cwnd = 64,
		  .events = { L(5000) },
		  .log = "32c" },
		{ .name = "and so does one of each round trip, down to less than a packet",
		  .fresh = true,
		  .cc = DELAY,
		  .min = 5000,
		  .cwnd = 4,
		  .events = { L(5000), L(5000), A(4, 5000), L(5000), A(2, 5000), L(5000),
			      A(1, 5000), L(5000) },
		  .log = "2c 2c 3c 1+128c 2+128c 2+128c 2+230c 1+115c" },
		{ .name = "until a window behind the last loss has been delivered",
		  .fresh = true,
		  .cc = DELAY,
		  .min = 5000,
		  .max = 5070,
		  .cwnd = 16,
		  .events = { L(5000), A(23, 5000), L(5000), A(30, 5000), L(5000) },
		  .log = "8c 9c 4+128c 9 9" },
		{ .name = "not in the first one, if the RTT shows that there is no queue",
		  .fresh = true,
		  .cc = DELAY,
		  .min = 149,
		  .cwnd = 64,
		  .events = { L(200), A(64, 200), L(200) },
		  .log = "64 128 128" },
		{ .name = "if it may have a queue all the time, it does",
		  .fresh = true,
		  .cc = DELAY,
		  .min = 150,
		  .cwnd = 64,
		  .events = { L(200) },
		  .log = "32c" },
		{ .name = "an RTO begins no search",
		  .fresh = true,
		  .cc = DELAY,
		  .min = 5000,
		  .cwnd = 200,
		  .events = { { RTO, 0 }, R(5000) },
		  .log = "200 320" },
		{ .name = "but in one it is a loss",
		  .fresh = true,
		  .cc = DELAY,
		  .min = 5000,
		  .max = 5100,
		  .cwnd = 64,
		  .events = { L(5000), A(60, 5000), { RTO, 0 } },
		  .log = "32c 34c 17c" },
		{ .name = "a burst of READ responses leaves less than usual",
		  .fresh = true,
		  .cc = DELAY,
		  .min = 5000,
		  .cwnd = 4,
		  .events = { { READS, 1 }, L(5000), A(6, 5000), { BURST }, A(6, 5000), { BURST } },
		  .log = "2c 3c 1+128c 2+128c 1+64c" },
		{ .name = "responses that were reordered end it, and its reduction is undone",
		  .fresh = true,
		  .cc = DELAY,
		  .min = 5000,
		  .cwnd = 64,
		  .events = { { READS, 1 }, L(5000), { REORDERED } },
		  .log = "32c 64" },
		{ .name = "a steady RTT ends it in slow start: a long path, which loses at random",
		  .fresh = true,
		  .cc = DELAY,
		  .min = 10000,
		  .max = 10010,
		  .cwnd = 64,
		  .events = { L(10000), A(96, 10000), R(10000), R(10000) },
		  .log = "32c 34c 68 136" },
		{ .name = "an RTT that varies does not",
		  .fresh = true,
		  .cc = DELAY,
		  .min = 10000,
		  .max = 10200,
		  .cwnd = 64,
		  .events = { L(10000), A(96, 10000), R(10000), R(10000) },
		  .log = "32c 34c 36+32c 38+96c" },
		{ .name = "nor a single sample",
		  .fresh = true,
		  .cc = DELAY,
		  .min = 10000,
		  .cwnd = 64,
		  .events = { L(10000), A(96, 10000), R(10000), R(10000) },
		  .log = "32c 34c 36+32c 38+96c" },
	};

	(void)state;
	run_all(rows);
}

/* What losses, marks and timers cost. */
static void reductions(void **state)
{
	static const struct row rows[] = {
		{ .name = "a loss with a queue takes one half, once in a round trip",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 100,
		  .events = { R(401), L(401), L(401), A(49, 401), L(401), A(58, 401), L(401),
			      A(1, 401), L(400), L(401) },
		  .log = "108 54c 54c 54+29c 54+29c 54+61c 54+61c 54+62c 27+31c 27+31c" },
		{ .name = "at most to two packets, if the RTT is below 1 ms",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 3,
		  .ssthresh = 3,
		  .events = { L(999), R(401), R(401), L(999), R(100) },
		  .log = "2c 2+32c 2+64c 2c 3c" },
		{ .name = "else to one packet in 64 ms",
		  .cc = DELAY,
		  .min = 1000,
		  .cwnd = 2,
		  .events = { L(9000), SLOW, L(9000), SLOW, L(9000), SLOW, L(9000),
			      SLOW, L(9000), SLOW, L(9000), SLOW, L(9000), SLOW,
			      L(9000), SLOW, L(9000) },
		  .log = "1c 2c 2c 2+8c 1+4c 1+7c 1+7c 1+10c 0+133c 0+141c 0+70c 0+74c 0+37c 0+39c 0+19c 0+41ck 0+20ck" },
		{ .name = "a loss without a queue costs nothing",
		  .cc = DELAY,
		  .min = 100,
		  .max = 500,
		  .cwnd = 200,
		  .events = { L(400), P(10), R(100), L(400) },
		  .log = "200 400 400" },
		{ .name = "a path that never varied may have had a queue all the time",
		  .cc = DELAY,
		  .min = 150,
		  .max = 153,
		  .cwnd = 200,
		  .events = { L(150) },
		  .log = "100c" },
		{ .name = "not one that is as fast as an empty one",
		  .cc = DELAY,
		  .min = 149,
		  .max = 153,
		  .cwnd = 200,
		  .events = { L(149) },
		  .log = "200" },
		{ .name = "nor one that is as steady as an empty one",
		  .cc = DELAY,
		  .min = 6400,
		  .max = 6500,
		  .cwnd = 200,
		  .events = { L(6400) },
		  .log = "200" },
		{ .name = "for READs the steadiness is 1/8",
		  .cc = DELAY,
		  .min = 800,
		  .max = 900,
		  .cwnd = 200,
		  .events = { { READS, 1 }, L(800), { READS, 0 }, L(800) },
		  .log = "200 100c" },
		{ .name = "1/64 if there are no earlier responses",
		  .cc = DELAY,
		  .min = 800,
		  .max = 900,
		  .cwnd = 1,
		  .events = { { READS, 1 }, L(800) },
		  .log = "1c" },
		{ .name = "READs: 1 ms of the RTT is that of earlier responses",
		  .cc = DELAY,
		  .min = 100,
		  .max = 5000,
		  .cwnd = 200,
		  .events = { { READS, 1 }, L(1400), R(100), L(1401) },
		  .log = "200 400 200c" },
		{ .name = "READs: the latest sample counts",
		  .cc = DELAY,
		  .min = 100,
		  .max = 5000,
		  .srtt = 1401,
		  .cwnd = 200,
		  .events = { { READS, 1 }, L(0) },
		  .log = "100c" },
		{ .name = "READs: the next loss needs a new sample",
		  .cc = DELAY,
		  .min = 100,
		  .max = 5000,
		  .srtt = 1401,
		  .cwnd = 200,
		  .events = { { READS, 1 }, L(0), A(200, 0), L(0) },
		  .log = "100c 106+64c 106+64c" },
		{ .name = "too many losses count as congestion",
		  .cc = DELAY,
		  .min = 100,
		  .max = 5000,
		  .cwnd = 500,
		  .events = { { LOSS, 32, 100 },
			      L(100),
			      L(100),
			      R(100),
			      R(100),
			      R(100),
			      R(100),
			      R(100),
			      R(100),
			      R(100),
			      R(100),
			      R(100) },
		  .log = "500 375l 375l 398+112 423+80 449+192 477+208 507+160 539+80 573 608+208 646+208" },
		{ .name = "until they are less than 1 %",
		  .cc = DELAY,
		  .min = 100,
		  .max = 5000,
		  .cwnd = 500,
		  .events = { { LOSS, 33, 100 }, A(232, 100), A(30, 100), A(1, 100) },
		  .log = "375l 389+128l 391+96l 391+112" },
		{ .name = "a mark takes one half, once in a round trip",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 100,
		  .events = { { ECN }, { ECN }, R(100), { ECN } },
		  .log = "50c 50c 51c 51c" },
		{ .name = "marks on all packets leave two packets, as in TCP",
		  .cc = DELAY,
		  .min = 5000,
		  .cwnd = 3,
		  .ssthresh = 2,
		  .events = { { ECN }, R(5000), { ECN }, R(5000), { ECN } },
		  .log = "2c 3c 3c 4c 2c" },
		{ .name = "the timer, without a queue, leaves 64 packets or three quarters",
		  .cc = DELAY,
		  .min = 100,
		  .max = 5000,
		  .cwnd = 80,
		  .events = { { RTO }, { RTO }, { RTO } },
		  .log = "64 64 64" },
		{ .name = "or 64 packets per ms of the minimum RTT",
		  .cc = DELAY,
		  .min = 5000,
		  .max = 50000,
		  .cwnd = 1000,
		  .events = { { RTO }, { RTO }, { RTO }, { RTO }, { RTO } },
		  .log = "750 562+128 421+224 320 320" },
		{ .name = "the timer, with a queue, takes one half",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 80,
		  .events = { R(500), { RTO }, { RTO } },
		  .log = "88 44c 22c" },
		{ .name = "on a congested path, SRTT shows the queue",
		  .cc = DELAY,
		  .min = 100,
		  .max = 5000,
		  .srtt = 5000,
		  .cwnd = 80,
		  .congested = true,
		  .events = { { RTO } },
		  .log = "40c" },
		{ .name = "not on another",
		  .cc = DELAY,
		  .min = 100,
		  .max = 5000,
		  .srtt = 5000,
		  .cwnd = 80,
		  .events = { { RTO } },
		  .log = "64" },
		{ .name = "a spurious one is undone",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 80,
		  .events = { { UNDO }, R(500), { RTO }, { UNDO }, R(100), { UNDO } },
		  .log = "80 88 44c 88 96 96" },
		{ .name = "so are several in a row",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 80,
		  .events = { R(500), { RTO }, { RTO, 1 }, { RTO, 1 }, { UNDO } },
		  .log = "88 44c 22c 11c 88" },
		{ .name = "a burst of losses, without a queue, takes a quarter",
		  .cc = DELAY,
		  .min = 100,
		  .max = 5000,
		  .cwnd = 400,
		  .events = { { BURST }, { BURST } },
		  .log = "300 225" },
		{ .name = "most losses are bursts: the queue is short, a loss takes one half",
		  .cc = DELAY,
		  .min = 100,
		  .max = 5000,
		  .cwnd = 400,
		  .events = { { BUFFERS }, FOUR_BURSTS, L(100), R(100), R(100) },
		  .log = "400 300 318+192 318+192 239+16 254 254 190+128cb 193+120cb 96+188cb 72+141cb 73+172cb 73+172cb 74+207cb 75+246cb" },
		{ .name = "not if the peer buffers nothing: each loss looks like a burst",
		  .cc = DELAY,
		  .min = 100,
		  .max = 5000,
		  .cwnd = 400,
		  .events = { FOUR_BURSTS, L(100) },
		  .log = "400 300 318+192 318+192 239+16 254 254 190+128 202+96 202+96 151+200 161+55 161+55" },
		{ .name = "after 16 losses, nine of them begin a trial; four intervals win it",
		  SHORT_QUEUE,
		  .events = { { UNBUFFERED }, NINE_LOSSES, R(100), A(30, 100), L(100), L(100) },
		  .log = "65+64 65+64 66+121 66+121 67+173 67+173 68+219 68+219 70+4 70+4 71+40 71+40 72+71 72+71 73+98 73+98 74+121 10cb 11cb 12cb 6cb 6cb" },
		{ .name = "a loss before that ends it, and restores the window",
		  SHORT_QUEUE,
		  .events = { { UNBUFFERED }, NINE_LOSSES, A(39, 100), L(100), R(100) },
		  .log = "65+64 65+64 66+121 66+121 67+173 67+173 68+219 68+219 70+4 70+4 71+40 71+40 72+71 72+71 73+98 73+98 74+121 10cb 11cb 74+121 82+108" },
		{ .name = "so do two early losses in succession, later on",
		  SHORT_QUEUE,
		  .events = { { UNBUFFERED },
			      NINE_LOSSES,
			      A(40, 100),
			      L(100),
			      A(9, 100),
			      L(100),
			      A(9, 100),
			      L(100) },
		  .log = "65+64 65+64 66+121 66+121 67+173 67+173 68+219 68+219 70+4 70+4 71+40 71+40 72+71 72+71 73+98 73+98 74+121 10cb 11cb 5+128cb 6+128cb 6+128cb 7+128cb 74+121" },
		{ .name = "not the ninth of all",
		  SHORT_QUEUE,
		  .events = { NINE_LOSSES },
		  .log = "65+64 65+64 66+121 66+121 67+173 67+173 68+219 68+219 70+4 70+4 71+40 71+40 72+71 72+71 73+98 73+98 74+121 74+121" },
		{ .name = "at intervals of 90: it begins with half of the window",
		  SHORT_QUEUE,
		  .events = { { LOSS, 16, 100 }, EIGHT_LATER, LATER, LATER },
		  .log = "64 72 72 80 80 88 88 96 96 103+128 103+128 110+116 110+116 116+248 116+248 123+31 123+31 128+248 64+124cb 68+131cb 128+248" },
		{ .name = "no trial if the peer buffers",
		  SHORT_QUEUE,
		  .events = { { UNBUFFERED }, { BUFFERS }, NINE_LOSSES },
		  .log = "65+64 65+64 66+121 66+121 67+173 67+173 68+219 68+219 70+4 70+4 71+40 71+40 72+71 72+71 73+98 73+98 74+121 74+121" },
		{ .name = "and none goes on: losses must come in bursts",
		  SHORT_QUEUE,
		  .events = { { UNBUFFERED },
			      NINE_LOSSES,
			      { BUFFERS },
			      A(100, 100),
			      L(100),
			      A(100, 100),
			      L(100) },
		  .log = "65+64 65+64 66+121 66+121 67+173 67+173 68+219 68+219 70+4 70+4 71+40 71+40 72+71 72+71 73+98 73+98 74+121 10cb 11cb 11c 12c 12c" },
		{ .name = "no trial of READs",
		  SHORT_QUEUE,
		  .events = { { UNBUFFERED }, { READS, 1 }, NINE_LOSSES },
		  .log = "65+64 65+64 66+121 66+121 67+173 67+173 68+219 68+219 70+4 70+4 71+40 71+40 72+71 72+71 73+98 73+98 74+121 74+121" },
		{ .name = "no trial of paced packets",
		  SHORT_QUEUE,
		  .congested = true,
		  .events = { { UNBUFFERED }, NINE_LOSSES },
		  .log = "64+160c 64+160c 65+64c 65+64c 65+224c 65+224c 66+128c 66+128c 67+32c 67+32c 67+192c 67+192c 68+96c 68+96c 69c 69c 69+160c 69+160c" },
		{ .name = "many QPs share a short queue: a burst may leave less than 64 packets",
		  CONTENDED(300),
		  .events = { { LOSS, 5, 100 }, { BURST }, { LOSS, 1, 100 }, { BURST }, { BURST } },
		  .log = "64c 64c 64c 48c 36c" },
		{ .name = "and the window grows by half a packet, until losses are below 1 %",
		  CONTENDED(300),
		  .events = { { LOSS, 4, 100 }, R(150), R(150), R(150) },
		  .log = "64c 64+128c 68+128c 72+192c" },
		{ .name = "not if the RTT has been longer",
		  CONTENDED(401),
		  .events = { { LOSS, 6, 100 }, { BURST }, R(150) },
		  .log = "64c 64c 68c" },
		{ .name = "14 % of READ responses are missing: the queue is short, a loss takes one half",
		  .cc = DELAY,
		  .min = 100,
		  .max = 5000,
		  .cwnd = 64,
		  .ssthresh = 64,
		  .events = { { READS, 1 },
			      { MISSING, 256, 35 },
			      L(100),
			      { MISSING, 256, 36 },
			      L(100),
			      R(100),
			      R(100) },
		  .log = "64 64 64cb 32cb 32+32cb 32+63cb" },
		{ .name = "small samples count less",
		  .cc = DELAY,
		  .min = 100,
		  .max = 5000,
		  .cwnd = 64,
		  .events = { { READS, 1 }, { MISSING, 40, 30 }, { MISSING, 40, 30 } },
		  .log = "64 64cb" },
		{ .name = "and grow by half a packet while responses are missing",
		  .cc = DELAY,
		  .min = 100,
		  .max = 5000,
		  .cwnd = 64,
		  .ssthresh = 64,
		  .events = { { READS, 1 }, { MISSING, 256, 192 }, R(100), R(100), R(100) },
		  .log = "64cb 64+32cb 64+63cb 64+94cb" },
		{ .name = "a path that reorders READ responses has no short queue",
		  .cc = DELAY,
		  .min = 100,
		  .max = 5000,
		  .cwnd = 64,
		  .events = { { READS, 1 }, { MISSING, 256, 192 }, { REORDERED }, L(100) },
		  .log = "64cb 64c 64c" },
		{ .name = "until a second after the last missing ones",
		  .cc = DELAY,
		  .min = 100,
		  .max = 5000,
		  .cwnd = 64,
		  .ssthresh = 64,
		  .events = { { READS, 1 }, { MISSING, 256, 192 }, { PASS, 0, 999999 }, L(100) },
		  .log = "64cb 32cb" },
		{ .name = "a second after them, a loss is random again",
		  .cc = DELAY,
		  .min = 100,
		  .max = 5000,
		  .cwnd = 64,
		  .ssthresh = 64,
		  .events = { { READS, 1 }, { MISSING, 256, 192 }, { PASS, 0, 1000000 }, L(100) },
		  .log = "64cb 64c" },
		{ .name = "a burst of lost READ responses takes one half, once in a round trip",
		  .cc = DELAY,
		  .min = 100,
		  .max = 5000,
		  .cwnd = 400,
		  .events = { { READS, 1 },
			      { BURST },
			      { BURST },
			      R(100),
			      { BURST },
			      R(100),
			      { BURST },
			      R(100),
			      { BURST },
			      R(100),
			      { BURST },
			      R(100),
			      { BURST },
			      R(100),
			      { BURST } },
		  .log = "200c 200c 212+128c 212+128c 225+192c 112+224c 119+224c 119+224c 127+80c 63+168c 67+151c 67+151c 71+198c 35+227c" },
		{ .name = "after an idle time, the initial window",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 100,
		  .events = { { IDLE }, R(100), R(100), R(100), { IDLE } },
		  .log = "16 32 64 128 16" },
		{ .name = "the old window is the slow-start threshold",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 40,
		  .ssthresh = 20,
		  .events = { { IDLE }, R(100), R(100), R(100), { IDLE }, { IDLE } },
		  .log = "16 32 40 48 16 16" },
		{ .name = "a smaller window stays",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 15,
		  .events = { { IDLE } },
		  .log = "15" },
	};

	(void)state;
	run_all(rows);
}

/* Delay without losses. */
static void delays(void **state)
{
	static const struct row rows[] = {
		{ .name = "a queue ends slow start",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 256,
		  .events = { R(400), R(401), R(100) },
		  .log = "512 544 578" },
		{ .name = "more than 4 ms of it take a fifth in each round trip",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 100,
		  .ssthresh = 100,
		  .events = { R(4100), R(4101), R(4101), R(4101) },
		  .log = "108 94+102 83+132 74+208" },
		{ .name = "or more than the minimum RTT",
		  .cc = DELAY,
		  .min = 6000,
		  .cwnd = 100,
		  .ssthresh = 100,
		  .events = { R(12000), R(12001), R(12001) },
		  .log = "108 94+102 83+132" },
		{ .name = "if that does not shorten it, others fill it",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 100,
		  .ssthresh = 100,
		  .events = { SLOW, SLOW, SLOW, SLOW, SLOW, SLOW, SLOW,
			      SLOW, SLOW, R(100), SLOW },
		  .log = "88 78+102 70+184 64+147 59+168 55+185 104+102k 112+94k 120+87k 128+81 110+167" },
		{ .name = "if it does, reductions go on",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 100,
		  .ssthresh = 100,
		  .events = { SLOW, SLOW, SLOW, SLOW, SLOW, SLOW, R(6750), R(7000) },
		  .log = "88 78+102 70+184 64+147 59+168 55+185 52+148 50+16" },
		{ .name = "rounds in a row: a shorter queue begins again",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 100,
		  .ssthresh = 100,
		  .events = { SLOW, SLOW, SLOW, R(3000), SLOW, SLOW, SLOW,
			      SLOW, SLOW, SLOW, SLOW },
		  .log = "88 78+102 70+184 78+163 70+232 64+185 59+199 55+210 52+168 50+32 83+185k" },
		{ .name = "competition ends below half of the limit",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 100,
		  .ssthresh = 100,
		  .events = { SLOW, SLOW, SLOW, SLOW, SLOW, SLOW, SLOW,
			      R(2100), R(2099) },
		  .log = "88 78+102 70+184 64+147 59+168 55+185 104+102k 112+94k 120+87k" },
		{ .name = "an old minimum is measured again with a quarter of the window",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 100,
		  .ssthresh = 100,
		  .events = { { EXPIRED }, R(500), R(300), R(300), { EXPIRED }, R(300) },
		  .log = "50d 104 112 120" },
		{ .name = "losses meanwhile reduce the window that is restored",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 100,
		  .ssthresh = 100,
		  .events = { { EXPIRED }, R(500), L(500), R(300) },
		  .log = "50d 25cd 51+144c" },
		{ .name = "the smallest RTT of a round counts",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 100,
		  .ssthresh = 100,
		  .congested = true,
		  .events = { R(100), A(50, 9000), A(25, 200), A(24, 9000), A(1, 9000), A(99, 0) },
		  .log = "106+64c 85+18c 85+27c 85+36c 85+37c 90+119c" },
		{ .name = "a full queue takes 1/8 without a loss, once until it is shorter",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 100,
		  .ssthresh = 100,
		  .events = { R(2000), L(2000), R(2000), R(500), R(1950), R(2000), R(1800),
			      R(1950) },
		  .log = "108 54c 54+32c 54+159c 47+235c 48+10c 48+41c 42+67c" },
		{ .name = "not a queue that has not dropped packets",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 100,
		  .ssthresh = 100,
		  .events = { R(2000), { ECN }, R(2000), R(500), R(2000) },
		  .log = "108 54c 54+32c 54+63c 54+94c" },
		{ .name = "not the RTT of READs",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 100,
		  .ssthresh = 100,
		  .events = { { READS, 1 }, R(2000), L(2000), R(2000), R(500), R(2000) },
		  .log = "108 54c 55c 58+112c 59+110c" },
		{ .name = "reordering: losses are no congestion",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 100,
		  .events = { SLOW,
			      { REPAIR, 1 },
			      { REPAIR, 1 },
			      L(9000),
			      { BURST },
			      { REPAIR, 0 },
			      { REPAIR, 0 },
			      { REPAIR, 0 },
			      { REPAIR, 0 },
			      { REPAIR, 0 },
			      { REPAIR, 0 },
			      { REPAIR, 0 },
			      L(9000),
			      { REPAIR, 0 },
			      L(9000) },
		  .log = "88 88 88 88 44c" },
	};

	(void)state;
	run_all(rows);
}

static void pacing(void **state)
{
	static const struct row rows[] = {
		{ .name = "not before congestion",
		  .cc = DELAY,
		  .min = 100,
		  .cwnd = 100,
		  .events = { { ALLOWED }, { SENT, 10 }, { ALLOWED } },
		  .log = "allowed 4294967295 next -5000000 allowed 4294967295" },
		{ .name = "bursts of 1/8 of the window",
		  .cc = DELAY,
		  .min = 100000,
		  .cwnd = 80,
		  .congested = true,
		  .events = { { ALLOWED },
			      { SENT, 10 },
			      { ALLOWED },
			      { SENT, 10 },
			      { ALLOWED },
			      P(9999),
			      { ALLOWED },
			      P(1),
			      { ALLOWED } },
		  .log = "allowed 10 next 0 allowed 10 next 10000 allowed 0 allowed 0 allowed 10" },
		{ .name = "64 packets at most",
		  .cc = DELAY,
		  .min = 1000,
		  .cwnd = 1000,
		  .congested = true,
		  .events = { { ALLOWED }, { SENT, 64 } },
		  .log = "allowed 64 next 0" },
		{ .name = "one packet at least, within 100 ms",
		  .cc = DELAY,
		  .min = 200000,
		  .cwnd = 1,
		  .congested = true,
		  .events = { { ALLOWED }, { SENT, 1 }, { SENT, 1 }, { SENT, 5 } },
		  .log = "allowed 1 next 0 next 100000 next 200000" },
		{ .name = "within 1 s if the timer is not waited for",
		  .cc = DELAY,
		  .min = 200000,
		  .cwnd = 1,
		  .congested = true,
		  .events = { { SENT, 1 },
			      { SENT, 1 },
			      { SENT, 1 },
			      { SENT, 1 },
			      { SENT, 1 },
			      { SENT, 1 },
			      { SENT, 1 },
			      { SENT, 1 },
			      { SENT, 1 },
			      { SENT, 1 },
			      { SENT, 1 },
			      { SENT, 1 } },
		  .log = "next 0 next 100000 next 200000 next 300000 next 400000 next 500000 next 600000 next 700000 next 800000 next 900000 next 1000000 next 1000000" },
		{ .name = "not by aimd",
		  .cc = AIMD,
		  .min = 100,
		  .cwnd = 100,
		  .congested = true,
		  .events = { { ALLOWED }, { SENT, 10 } },
		  .log = "allowed 4294967295 next -5000000" },
	};

	(void)state;
	run_all(rows);
}

static void other_algorithms(void **state)
{
	static const struct row rows[] = {
		{ .name = "aimd: the initial window of 256, slow start up to 4096",
		  .cc = AIMD,
		  .min = 100,
		  .events = { R(100), R(100), R(100), R(100), R(100) },
		  .log = "512 1024 2048 4096 4096" },
		{ .name = "aimd: a loss takes a quarter, once",
		  .cc = AIMD,
		  .min = 100,
		  .cwnd = 400,
		  .events = { L(0), L(0), R(100), L(0), R(100), R(100) },
		  .log = "300c 300c 308c 308c 316c 324c" },
		{ .name = "aimd: at most to 64",
		  .cc = AIMD,
		  .min = 100,
		  .cwnd = 70,
		  .events = { L(0), R(100), L(0) },
		  .log = "64c 72c 72c" },
		{ .name = "aimd: marks and timers are losses",
		  .cc = AIMD,
		  .min = 100,
		  .cwnd = 400,
		  .events = { { ECN }, { RTO }, { BURST }, { UNDO }, { IDLE } },
		  .log = "300c 225c 225c 225c 225c" },
		{ .name = "aimd: above twice the minimum RTT it grows to 256 only",
		  .cc = AIMD,
		  .min = 100,
		  .srtt = 201,
		  .cwnd = 200,
		  .events = { A(50, 201), A(50, 201), R(201), R(201) },
		  .log = "250 300 300 300" },
		{ .name = "aimd: not from 256 on",
		  .cc = AIMD,
		  .min = 100,
		  .srtt = 201,
		  .cwnd = 256,
		  .events = { R(201) },
		  .log = "256" },
		{ .name = "aimd: above 50 ms and twice the minimum RTT it is halved",
		  .cc = AIMD,
		  .min = 20000,
		  .cwnd = 400,
		  .events = { R(50000), R(50001), R(50001), R(50001) },
		  .log = "800 416 224 128" },
		{ .name = "aimd: a long RTT is no queue",
		  .cc = AIMD,
		  .min = 60000,
		  .cwnd = 400,
		  .events = { R(120000), R(120001) },
		  .log = "800 416" },
		{ .name = "aimd: not in full use",
		  .cc = AIMD,
		  .min = 100,
		  .cwnd = 400,
		  .events = { { UNUSED, 0, 100 } },
		  .log = "400" },
		{ .name = "aimd: up to its clamp",
		  .cc = AIMD,
		  .min = 100,
		  .cwnd = 400,
		  .events = { { CLAMP, 500 }, R(100), R(100) },
		  .log = "500 500" },
		{ .name = "fixed: the clamp",
		  .cc = &roce_cc_fixed,
		  .min = 100,
		  .events = { { CLAMP, 77 },
			      R(100),
			      L(9000),
			      { ECN },
			      { RTO },
			      { BURST },
			      { UNDO },
			      { IDLE } },
		  .log = "77 77 77 77 77 77 77" },
	};

	(void)state;
	run_all(rows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(growth),
		cmocka_unit_test(search),
		cmocka_unit_test(reductions),
		cmocka_unit_test(delays),
		cmocka_unit_test(pacing),
		cmocka_unit_test(other_algorithms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
