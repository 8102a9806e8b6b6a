// SPDX-License-Identifier: GPL-2.0
/*
 * RTT estimation (RFC 6298) with ambiguous samples.
 *
 * TCP discards the RTT samples of retransmitted packets (Karn's algorithm). Here they count, so
 * that SRTT follows a path that has become slower than the RTO, but only until the next sample
 * without ambiguity.
 */
#include <linux/minmax.h>

#include <roce/psn.h>
#include "transport/requester/rtt.h"

/* Lifetime of the minimum RTT, ns: routes change, and a path may become longer. */
#define MIN_LIFETIME_NS		(10 * 1000 * 1000 * 1000ull)

/* One is enough: each ambiguous sample may raise SRTT. */
void roce_rtt_mark_ambiguous(struct roce_req *req)
{
	req->rtt.count = min_t(u8, req->rtt.count, 1);
	req->rtt.sample[req->rtt.first].ambiguous = true;
}

void roce_rtt_on_tlp(struct roce_req *req, u64 now, bool first, u32 end)
{
	if (first) {
		roce_rtt_cancel_samples(req);
		roce_rtt_start_sample(req, now, end);
	}
	roce_rtt_mark_ambiguous(req);
}

u64 roce_rtt_of(const struct roce_req *req, u64 now, u32 psn)
{
	u32 i;

	for (i = 0; i < req->rtt.count; i++) {
		const struct roce_rtt_sample *s =
			&req->rtt.sample[(req->rtt.first + i) % ROCE_RTT_SAMPLES];

		if (roce_psn_after(s->end, psn))
			return s->ambiguous ? 0 : now - s->sent;
	}
	return 0;
}

/*
 * The first unambiguous sample restores the estimate from before the ambiguous ones. If the sample
 * is larger than the restored SRTT, the path has become slower, and SRTT is set to the sample.
 */
static void rtt_resolve_ambiguity(struct roce_req *req, u64 rtt, bool ambiguous)
{
	if (ambiguous == req->rtt.srtt_ambiguous)
		return;
	req->rtt.srtt_ambiguous = ambiguous;
	if (ambiguous) {
		req->rtt.clean_srtt = req->rtt.srtt;
		req->rtt.clean_rttvar = req->rtt.rttvar;
		return;
	}
	req->rtt.srtt = max(req->rtt.clean_srtt, rtt);
	req->rtt.rttvar = max(req->rtt.clean_rttvar, req->rtt.srtt / 2);
}

/*
 * Sample of a retransmitted packet that was first sent @rtt ns ago. If the response arrives between
 * one and two minimum RTTs after the last retransmission, it counts as the response to that, and
 * the sample is not ambiguous. Otherwise @rtt may include the time until the RTO expired, and is
 * limited to 4 SRTT, or to the time since the last retransmission if that is longer.
 */
static u64 rtt_retransmitted_sample(struct roce_req *req, u64 now, u64 rtt, bool *ambiguous)
{
	u64 since = now - req->loss.last_rexmit_time;

	if (req->rtt.min && since >= req->rtt.min && since <= 2 * req->rtt.min) {
		*ambiguous = false;
		return since;
	}
	return min(rtt, max(4 * req->rtt.srtt, since));
}

static void update_min(struct roce_req *req, u64 now, u64 rtt)
{
	if (!req->rtt.min || rtt <= req->rtt.min) {
		req->rtt.min = rtt;
		req->rtt.min_next = rtt;
		req->rtt.min_time = now;
		return;
	}
	req->rtt.min_next = min(req->rtt.min_next, rtt);
	if (now - req->rtt.min_time < MIN_LIFETIME_NS)
		return;
	req->rtt.min_expired = true;
	req->rtt.min_next = rtt;
	req->rtt.min_time = now;
}

static u64 update_srtt(struct roce_req *req, u64 now, u64 rtt, bool ambiguous)
{
	u64 err;

	if (!req->rtt.srtt) {
		req->rtt.srtt = rtt;
		req->rtt.rttvar = rtt / 2;
		req->rtt.srtt_ambiguous = ambiguous;
		return 0;
	}
	if (ambiguous)
		rtt = rtt_retransmitted_sample(req, now, rtt, &ambiguous);
	rtt_resolve_ambiguity(req, rtt, ambiguous);
	err = rtt > req->rtt.srtt ? rtt - req->rtt.srtt : req->rtt.srtt - rtt;
	req->rtt.rttvar += err / 4 - req->rtt.rttvar / 4;
	req->rtt.srtt += rtt / 8 - req->rtt.srtt / 8;
	return rtt;
}

/* Remove the samples that @end ends; return the newest, or NULL. */
static const struct roce_rtt_sample *pop_samples(struct roce_req *req, u32 end)
{
	const struct roce_rtt_sample *newest = NULL;

	while (req->rtt.count && !roce_psn_after(req->rtt.sample[req->rtt.first].end, end)) {
		newest = &req->rtt.sample[req->rtt.first];
		req->rtt.first = (req->rtt.first + 1) % ROCE_RTT_SAMPLES;
		req->rtt.count--;
	}
	return newest;
}

void roce_rtt_cancel_until(struct roce_req *req, u32 end)
{
	pop_samples(req, end);
}

u64 roce_rtt_update(struct roce_req *req, u64 now, u32 end)
{
	const struct roce_rtt_sample *sample = pop_samples(req, end);
	u64 rtt;

	if (!sample)
		return 0;
	rtt = max(now - sample->sent, 1ull);
	/* The response to a retransmission, too, has taken no longer than since the original. */
	if (!sample->ambiguous || req->rtt.srtt)
		update_min(req, now, rtt);
	if (!sample->ambiguous) {
		req->rtt.latest = rtt;
		req->rtt.max = max(req->rtt.max, rtt);
	}
	return update_srtt(req, now, rtt, sample->ambiguous);
}
