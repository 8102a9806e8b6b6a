// SPDX-License-Identifier: GPL-2.0
#include <linux/jump_label.h>
#include <linux/moduleparam.h>
#include <linux/static_call.h>

#include "lanes.h"
#include "simd.h"

/* Fewer bytes than this in all lanes are done by table before a section is begun. */
#define MIN_SIMD_BYTES 256

static uint simd = 512;
module_param(simd, uint, 0444);
MODULE_PARM_DESC(simd, "Bits of the vector registers that may be used for ICRCs: 0, 128 or 512; "
		       "read, those that are used");

static __ro_after_init DEFINE_STATIC_KEY_FALSE(rxe_have_simd);
DEFINE_STATIC_CALL(rxe_crc32_simd, roce_crc32);

void __init rxe_lanes_init(void)
{
	roce_crc32_init();
	simd = rxe_simd_width(simd);
	if (!simd)
		return;
	static_call_update(rxe_crc32_simd, simd == 512 ? roce_crc32_vpclmul : roce_crc32_pclmul);
	static_branch_enable(&rxe_have_simd);
}

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
	struct roce_crc_lane *lane;

	rxe_simd_begin();
	for (lane = l->lane; lane < l->lane + l->n; lane++)
		lane->crc = static_call(rxe_crc32_simd)(lane->crc, lane->buf, lane->len);
	rxe_simd_end();
}

void rxe_lanes_run(struct rxe_lanes *l)
{
	if (static_branch_likely(&rxe_have_simd) && rxe_lanes_worth_simd(l) && rxe_simd_usable())
		rxe_lanes_run_simd(l);
	else if (l->n)
		roce_crc32_lanes(l->lane, l->n);
}
