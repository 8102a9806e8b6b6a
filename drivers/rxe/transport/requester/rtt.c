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

void roce_rtt_on_tlp(struct roce_req *req, u64 now, bool first)
{
	roce_rtt_mark_ambiguous(req);
	if (!first)
		return;
	req->rtt.sample_psn = roce_psn_prev(req->snd.max);
	req->rtt.sample_start = now;
}

/*
 * The first unambiguous sample restores the estimate from before the ambiguous ones. If the sample
 * is larger than the restored SRTT, the path has become slower, and SRTT is set to the sample.
 */
static void rtt_resolve_ambiguity(struct roce_req *req, u64 rtt)
{
	if (req->rtt.sample_ambiguous == req->rtt.srtt_ambiguous)
		return;
	req->rtt.srtt_ambiguous = req->rtt.sample_ambiguous;
	if (req->rtt.sample_ambiguous) {
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
static u64 rtt_retransmitted_sample(struct roce_req *req, u64 now, u64 rtt)
{
	u64 since = now - req->loss.last_rexmit_time;

	if (req->rtt.min && since >= req->rtt.min && since <= 2 * req->rtt.min) {
		req->rtt.sample_ambiguous = false;
		return since;
	}
	return min(rtt, max(4 * req->rtt.srtt, since));
}

u64 roce_rtt_update(struct roce_req *req, u64 now, u32 end)
{
	u64 rtt, err;

	if (!req->rtt.sample_start || !roce_psn_after(end, req->rtt.sample_psn))
		return 0;
	rtt = max(now - req->rtt.sample_start, 1ull);
	req->rtt.sample_start = 0;
	if (!req->rtt.sample_ambiguous && (!req->rtt.min || rtt < req->rtt.min))
		req->rtt.min = rtt;
	if (!req->rtt.srtt) {
		req->rtt.srtt = rtt;
		req->rtt.rttvar = rtt / 2;
		req->rtt.srtt_ambiguous = req->rtt.sample_ambiguous;
		return 0;
	}
	if (req->rtt.sample_ambiguous)
		rtt = rtt_retransmitted_sample(req, now, rtt);
	rtt_resolve_ambiguity(req, rtt);
	err = rtt > req->rtt.srtt ? rtt - req->rtt.srtt : req->rtt.srtt - rtt;
	req->rtt.rttvar += err / 4 - req->rtt.rttvar / 4;
	req->rtt.srtt += rtt / 8 - req->rtt.srtt / 8;
	return rtt;
}
