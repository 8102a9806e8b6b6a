// SPDX-License-Identifier: GPL-2.0
#include <linux/jump_label.h>
#include <linux/ktime.h>
#include <linux/moduleparam.h>
#include <linux/static_call.h>

#include "lanes.h"
#include "simd.h"

/* Fewer bytes than this in all lanes are done without vectors before a section is begun. */
#define MIN_SIMD_BYTES 256

#define TRIALS	  8
#define TRIAL_LEN 4096

static int simd = -1;
module_param(simd, int, 0444);
MODULE_PARM_DESC(simd, "Bits of the vector registers that may be used for ICRCs: 0, 128 or 512; "
		       "by default what is fastest; read, those that are used");

static __ro_after_init DEFINE_STATIC_KEY_FALSE(rxe_have_simd);
DEFINE_STATIC_CALL(rxe_crc32_simd, roce_crc32);

static bool rxe_lanes_worth_simd(const struct rxe_lanes *l)
{
	size_t bytes = 0;
	u32 i;

	for (i = 0; i < l->n; i++)
		bytes += l->lane[i].len;
	return bytes >= MIN_SIMD_BYTES;
}

static void rxe_lanes_run_simd(struct rxe_lanes *l)
{
	struct rxe_lane *lane;

	rxe_simd_begin();
	for (lane = l->lane; lane < l->lane + l->n; lane++)
		lane->crc = static_call(rxe_crc32_simd)(lane->crc, lane->buf, lane->len);
	rxe_simd_end();
}

static void rxe_lanes_run_plain(struct rxe_lanes *l)
{
	struct rxe_lane *lane;

	for (lane = l->lane; lane < l->lane + l->n; lane++)
		lane->crc = roce_crc32(lane->crc, lane->buf, lane->len);
}

void rxe_lanes_run(struct rxe_lanes *l)
{
	if (static_branch_likely(&rxe_have_simd) && rxe_lanes_worth_simd(l) && rxe_simd_usable())
		rxe_lanes_run_simd(l);
	else
		rxe_lanes_run_plain(l);
}

/* Nanoseconds that full lanes take at best. */
static u64 __init rxe_lanes_time(void (*run)(struct rxe_lanes *l))
{
	static u8 __initdata buf[TRIAL_LEN];
	u64 start, best = U64_MAX;
	u32 i;

	for (i = 0; i < TRIALS; i++) {
		struct rxe_lanes l = { .n = 0 };

		while (!rxe_lanes_full(&l))
			rxe_lanes_add(&l, ~0u, buf, sizeof(buf));
		start = ktime_get_ns();
		run(&l);
		best = min(best, ktime_get_ns() - start);
	}
	return best;
}

/* An emulated processor has the instructions, but may be slower with them than without. */
static bool __init rxe_lanes_simd_is_faster(void)
{
	return rxe_lanes_time(rxe_lanes_run_simd) <= rxe_lanes_time(rxe_lanes_run_plain);
}

void __init rxe_lanes_init(void)
{
	bool chosen = simd >= 0;

	roce_crc32_init();
	roce_icrc_init();
	simd = rxe_simd_width(chosen ? simd : 512);
	if (!simd)
		return;
	static_call_update(rxe_crc32_simd, simd == 512 ? roce_crc32_vpclmul : roce_crc32_pclmul);
	if (chosen || rxe_lanes_simd_is_faster())
		static_branch_enable(&rxe_have_simd);
	else
		simd = 0;
}
