// SPDX-License-Identifier: GPL-2.0
/* Fuzz the responder: any sequence of valid and invalid request packets. */
#include "fuzz_qp.h"

static void step(struct world *w)
{
	u8 what = take8(&w->in);

	if (what < 0x90)
		step_request(w);
	else if (what < 0xb0)
		step_tx(w);
	else if (what < 0xc0)
		step_recv(w);
	else if (what < 0xe8)
		step_common(w, what);
	else if (what < 0xf0)
		world_resources(w);
	else
		w->faults = take8(&w->in) & take8(&w->in) & take8(&w->in);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t len);
int LLVMFuzzerTestOneInput(const u8 *data, size_t len)
{
	world_run(data, len, step);
	return 0;
}
