// SPDX-License-Identifier: GPL-2.0
/* READ chunks of a READ in progress: their size, and how many of them are outstanding. */
#include "unit.h"
#include <roce/psn.h>
#include <roce/qp.h>
#include "transport/requester/read_chunk.h"

#define FIRST 0xfffff0u /* PSNs wrap in the first chunk */

/**
 * struct row - a READ of 1024 responses on a congested path
 * @depth: initiator depth
 * @window: congestion window, packets
 * @chunk: size of its chunks so far
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
	u32 requested;
	u32 received;
	u32 others;
	u32 want;
	u32 outstanding;
};

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
	qp.req.snd.read_chunks = row->requested / row->chunk - row->received / row->chunk;
	wqe = (struct roce_send_wqe){
		.opcode = ROCE_WR_READ,
		.read_chunk = row->chunk,
		.first_psn = FIRST,
		.last_psn = roce_psn_add(FIRST, 1023),
	};
	roce_read_chunk_reduce(&qp, &wqe);
	ok = wqe.read_chunk == row->want && qp.req.snd.read_chunks == row->outstanding &&
	     (wqe.read_chunk == row->chunk || qp.req.hole.split_end == qp.req.snd.max);
	if (!ok)
		print_error("row \"%s\": %u, %u outstanding, split_end %x\n", row->name, wqe.read_chunk,
			    qp.req.snd.read_chunks, qp.req.hole.split_end);
	return ok;
}

static void chunks(void **state)
{
	static const struct row rows[] = {
		{ "a window of 64: chunks of 16", 16, 64, 128, 128, 127, 0, 16, 1 },
		{ "not below the size wanted", 16, 100, 128, 128, 127, 0, 32, 1 },
		{ "nor below four packets", 16, 1, 128, 128, 127, 0, 4, 1 },
		{ "an odd size stays", 16, 16, 171, 171, 170, 0, 171, 1 },
		{ "those outstanding are counted anew", 16, 64, 128, 256, 100, 0, 16, 10 },
		{ "but are no more than the initiator depth", 4, 16, 128, 128, 0, 0, 64, 2 },
		{ "together with those of other READs", 16, 64, 128, 256, 100, 10, 32, 5 },
		{ "none is outstanding", 16, 64, 128, 256, 256, 15, 16, 0 },
		{ "an initiator depth that has become 0 counts as 1", 0, 64, 128, 128, 127, 0, 128, 1 },
		{ "smaller ones stay", 16, 1024, 128, 256, 100, 0, 128, 2 },
	};
	size_t i, failed = 0;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		failed += !run_row(&rows[i]);
	assert_int_equal(failed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(chunks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
