// SPDX-License-Identifier: GPL-2.0
/* Fuzz a QP of an unreliable service: any packets and any work requests. */
#include "fuzz_qp.h"

static void step(struct world *w)
{
	u8 what = take8(&w->in);

	if (what < 0x70)
		step_request(w);
	else if (what < 0x90)
		step_post(w);
	else if (what < 0xb0)
		step_tx(w);
	else if (what < 0xc0)
		step_recv(w);
	else if (what < 0xe8)
		step_common(w, what);
	else if (what < 0xf0)
		roce_flush(&w->qp, take8(&w->in));
	else
		w->faults = take8(&w->in) & take8(&w->in);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t len);
int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	u8 how = len ? *data : 0;

	if (!len)
		return 0;
	world_run_service(how & 1 ? ROCE_OP_UD : ROCE_OP_UC, how & 2, data + 1, len - 1, step);
	return 0;
}
