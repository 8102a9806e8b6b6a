// SPDX-License-Identifier: GPL-2.0
/* READ chunks of a READ in progress: their size, how many are outstanding, which must wait. */
#include "unit.h"
#include <roce/psn.h>
#include <roce/qp.h>
#include "transport/requester/read_chunk.h"

#define FIRST 0xfffff0u /* PSNs wrap in the first chunk */

/**
 * struct row - a READ of 1024 responses on a congested path
 * @depth: initiator depth
 * @window: congestion window, packets
 * @chunk: size of its chunks so far; @growth: of the first ones, which double so often
 * @requested: responses that have been requested
 * @received: of these, responses that have arrived
 * @others: outstanding requests of other READs
 * @want: size of the chunks from now on
 * @outstanding: outstanding chunks, but for the last ones of READs
 */
struct row {
	const char *name;
	u32 depth;
	u32 window;
	u32 chunk;
	u32 growth;
	u32 requested;
	u32 received;
	u32 others;
	u32 want;
	u32 outstanding;
};

/* Chunks of which the last response is one of [@from, @to). */
static u32 ended_between(const struct roce_send_wqe *wqe, u32 from, u32 to)
{
	u32 n = 0;

	for (; from < to; from++)
		n += roce_chunk_ends(wqe, roce_psn_add(FIRST, from));
	return n;
}

static bool run_row(const struct row *row)
{
	static struct roce_qp qp;
	static struct roce_send_wqe wqe;
	bool ok;

	memset(&qp, 0, sizeof(qp));
	qp.attr.max_rd_atomic = row->depth;
	qp.req.cc.ops = &roce_cc_delay;
	qp.req.cc.cwnd = row->window * ROCE_CC_PKT;
	qp.req.cc.cwnd_clamp = ROCE_CC_MAX_CWND;
	qp.req.cc.congested = true;
	qp.req.loss.window = ROCE_LOSS_WINDOW_INFINITE;
	qp.req.snd.una = roce_psn_add(FIRST, row->received);
	qp.req.snd.max = roce_psn_add(FIRST, row->requested);
	qp.req.hole.split_end = FIRST;
	qp.req.snd.rd_atomic_inflight = 1 + row->others;
	wqe = (struct roce_send_wqe){
		.opcode = ROCE_WR_READ,
		.read_chunk = row->chunk,
		.read_growth = row->growth,
		.first_psn = FIRST,
		.last_psn = roce_psn_add(FIRST, 1023),
	};
	qp.req.snd.read_chunks = ended_between(&wqe, row->received, row->requested);
	roce_read_chunk_reduce(&qp, &wqe);
	ok = (wqe.read_chunk << wqe.read_growth) == row->want &&
	     qp.req.snd.read_chunks == row->outstanding &&
	     (row->want == row->chunk << row->growth || qp.req.hole.split_end == qp.req.snd.max);
	if (!ok)
		print_error("row \"%s\": %u, %u outstanding, split_end %x\n", row->name, wqe.read_chunk,
			    qp.req.snd.read_chunks, qp.req.hole.split_end);
	return ok;
}

static void chunks(void **state)
{
	static const struct row rows[] = {
		{ "a window of 64: chunks of 16", 16, 64, 128, 0, 128, 127, 0, 16, 1 },
		{ "not below the size wanted", 16, 100, 128, 0, 128, 127, 0, 32, 1 },
		{ "down to one packet", 16, 1, 128, 0, 128, 127, 0, 1, 1 },
		{ "an odd size stays", 16, 16, 171, 0, 171, 170, 0, 171, 1 },
		{ "those outstanding are counted anew", 16, 64, 128, 0, 256, 100, 0, 16, 10 },
		{ "but are no more than the initiator depth", 4, 16, 128, 0, 128, 0, 0, 64, 2 },
		{ "together with those of other READs", 16, 64, 128, 0, 256, 100, 10, 32, 5 },
		{ "none is outstanding", 16, 64, 128, 0, 256, 256, 15, 16, 0 },
		{ "an initiator depth that has become 0 counts as 1", 0, 64, 128, 0, 128, 127, 0, 128, 1 },
		{ "smaller ones stay", 16, 1024, 128, 0, 256, 100, 0, 128, 2 },
		{ "the first chunks of 16 double up to 128", 16, 512, 16, 3, 256, 100, 0, 128, 2 },
		{ "the largest of them are halved", 16, 128, 16, 3, 256, 100, 0, 32, 5 },
		{ "then all", 16, 4, 16, 3, 64, 63, 0, 1, 1 },
		{ "as far as the initiator depth allows", 4, 4, 16, 3, 128, 40, 0, 32, 3 },
	};
	size_t i, failed = 0;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		failed += !run_row(&rows[i]);
	assert_int_equal(failed, 0);
}

/**
 * struct start_row - the requests of a READ that starts
 * @depth: initiator depth
 * @window: congestion window, packets
 * @npkts: responses
 * @no_rtt: the RTT is not known
 * @congested: the path is congested
 * @want: their sizes, up to eight
 * @flight: responses that may be in flight
 */
struct start_row {
	const char *name;
	u32 depth;
	u32 window;
	u32 npkts;
	bool no_rtt;
	bool congested;
	u32 want[8];
	u32 flight;
};

static bool report(const char *row, const char *what, u32 got)
{
	print_error("row \"%s\": %s %u\n", row, what, got);
	return false;
}

static bool run_start_row(const struct start_row *row)
{
	struct roce_send_wqe wqe = { .opcode = ROCE_WR_READ, .first_psn = FIRST };
	u32 i, psn = FIRST, npkts, left = row->npkts, flight;
	static struct roce_req req;

	memset(&req, 0, sizeof(req));
	req.cc.ops = &roce_cc_delay;
	req.cc.cwnd = row->window * ROCE_CC_PKT;
	req.cc.cwnd_clamp = ROCE_CC_MAX_CWND;
	req.cc.congested = row->congested;
	req.loss.window = ROCE_LOSS_WINDOW_INFINITE;
	req.rtt.srtt = row->no_rtt ? 0 : 1000;
	wqe.last_psn = roce_psn_add(FIRST, row->npkts - 1);
	roce_read_chunk_choose(&req, &wqe, row->depth, row->npkts);
	for (i = 0; i < ARRAY_SIZE(row->want) && left; i++) {
		npkts = roce_chunk_left(&wqe, psn);
		if (npkts != row->want[i])
			return report(row->name, "request", npkts);
		if (roce_chunk_first(&wqe, roce_psn_add(psn, npkts - 1)) != psn)
			return report(row->name, "first response", psn);
		psn = roce_psn_add(psn, npkts);
		left -= npkts;
	}
	flight = roce_read_window(&req);
	if (flight != row->flight)
		return report(row->name, "in flight", flight);
	return true;
}

static void starts(void **state)
{
	static const struct start_row rows[] = {
		{ "a new QP: a window, and twice as many each",
		  16,
		  16,
		  512,
		  true,
		  false,
		  { 16, 16, 32, 64, 128, 128, 128 },
		  16 },
		{ "two windows may be in flight once the RTT is known",
		  16,
		  16,
		  512,
		  false,
		  false,
		  { 16, 16, 32, 64, 128, 128, 128 },
		  32 },
		{ "as large as the initiator depth needs",
		  16,
		  100,
		  8192,
		  false,
		  false,
		  { 100, 100, 200, 400, 800, 800, 800, 800 },
		  200 },
		{ "with a depth of 1 what may be in flight",
		  1,
		  64,
		  2048,
		  false,
		  false,
		  { 128, 128, 256, 512, 512, 512 },
		  128 },
		{ "a READ that is no longer than the window", 16, 64, 64, false, false, { 64 }, 128 },
		{ "a window of 128: as before",
		  16,
		  128,
		  1024,
		  false,
		  false,
		  { 128, 128, 128, 128, 128, 128, 128, 128 },
		  256 },
		{ "a congested path: a quarter of the window",
		  16,
		  64,
		  48,
		  false,
		  true,
		  { 16, 16, 16 },
		  128 },
	};
	size_t i, failed = 0;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		failed += !run_start_row(&rows[i]);
	assert_int_equal(failed, 0);
}

/**
 * struct wait_row - a READ of 64 responses, all of which have been requested
 * @halved_end: responses that were requested in larger chunks
 * @una: responses before snd.una; negative: the READ before it has as many missing
 * @nxt: the first response of the next request
 * @received: responses that have arrived, from @from on
 * @buffers: the peer is known to keep requests that arrive out of order
 * @want: the request has to wait
 */
struct wait_row {
	const char *name;
	s32 halved_end;
	s32 una;
	s32 nxt;
	u32 from;
	u32 received;
	bool buffers;
	bool want;
};

static bool run_wait_row(const struct wait_row *row)
{
	static struct roce_qp qp;
	struct roce_send_wqe wqe = {
		.opcode = ROCE_WR_READ,
		.read_chunk = 16,
		.first_psn = FIRST,
		.last_psn = roce_psn_add(FIRST, 63),
	};
	u32 i, psn;

	memset(&qp, 0, sizeof(qp));
	qp.req.snd.una = roce_psn_add(FIRST, row->una);
	qp.req.snd.nxt = roce_psn_add(FIRST, row->nxt);
	qp.req.snd.max = roce_psn_add(FIRST, 64);
	qp.req.hole.halved_end = roce_psn_add(FIRST, row->halved_end);
	qp.req.loss.peer_buffers = row->buffers;
	for (i = 0; i < row->received; i++) {
		psn = roce_psn_add(FIRST, row->from + i) % ROCE_OOO_READ_WINDOW;
		qp.req.hole.ooo_bitmap[psn / 64] |= 1ull << psn % 64;
	}
	if (roce_read_chunk_must_wait(&qp, &wqe) == row->want)
		return true;
	print_error("row \"%s\": want %d\n", row->name, row->want);
	return false;
}

static void waiting(void **state)
{
	static const struct wait_row rows[] = {
		{ "the first missing response", 64, 5, 5, 0, 0, false, false },
		{ "a response before it is missing", 64, 5, 20, 6, 14, false, true },
		{ "the peer keeps requests out of order", 64, 5, 20, 6, 14, true, false },
		{ "chunks have not been halved", 0, 5, 20, 6, 14, false, false },
		{ "nor behind those that have", 20, 5, 20, 6, 14, false, false },
		{ "the READ before it has a hole", 64, -3, 20, 0, 20, false, false },
		{ "both have", 64, -3, 20, 1, 19, false, true },
		{ "a new request", 64, 5, 64, 6, 14, false, false },
	};
	size_t i, failed = 0;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		failed += !run_wait_row(&rows[i]);
	assert_int_equal(failed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chunks),
		cmocka_unit_test(starts),
		cmocka_unit_test(waiting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
