// SPDX-License-Identifier: GPL-2.0
/*
 * CRC-32 dispatch: static calls to the implementation that rxe_crc_init() has selected.
 */
#include <linux/jump_label.h>
#include <linux/ktime.h>
#include <linux/static_call.h>
#include <roce/icrc.h>

#include "base/crc.h"
#include "base/params.h"
#include "base/simd.h"

/* Bytes below which no SIMD section begins: entering it would cost as much as it saves. */
#define MIN_SIMD_BYTES 256

/* Benchmark at module load: the best of TRIALS CRCs of TRIAL_LEN bytes. */
#define TRIALS	  8
#define TRIAL_LEN 4096

static __ro_after_init DEFINE_STATIC_KEY_FALSE(rxe_have_simd);
DEFINE_STATIC_CALL(rxe_crc32_simd, roce_crc32);
DEFINE_STATIC_CALL(rxe_crc32_copy_simd, roce_crc32_copy);

void rxe_crc_begin(struct rxe_crc *c, u32 bytes)
{
	if (!static_branch_likely(&rxe_have_simd) || c->simd || bytes < MIN_SIMD_BYTES ||
	    !rxe_simd_usable())
		return;
	rxe_simd_begin();
	c->simd = true;
}

void rxe_crc_end(struct rxe_crc *c)
{
	if (!c->simd)
		return;
	rxe_simd_end();
	c->simd = false;
}

u32 rxe_crc32(const struct rxe_crc *c, u32 crc, const void *buf, u32 len)
{
	if (c->simd)
		return static_call(rxe_crc32_simd)(crc, buf, len);
	return roce_crc32(crc, buf, len);
}

u32 rxe_crc32_copy(const struct rxe_crc *c, u32 crc, void *to, const void *from, u32 len)
{
	if (c->simd)
		return static_call(rxe_crc32_copy_simd)(crc, to, from, len);
	return roce_crc32_copy(crc, to, from, len);
}

/* Return the shortest duration of a CRC of TRIAL_LEN bytes, ns: interrupts only add to it. */
static u64 __init rxe_crc_time(u32 (*crc32)(u32 crc, const void *buf, size_t len))
{
	static u8 __initdata buf[TRIAL_LEN];
	u64 start, best = U64_MAX;
	u32 i;

	for (i = 0; i < TRIALS; i++) {
		start = ktime_get_ns();
		WRITE_ONCE(buf[0], crc32(~0u, buf, sizeof(buf)));
		best = min(best, ktime_get_ns() - start);
	}
	return best;
}

/* Measured, because an emulated CPU may run the vector instructions slower than the tables. */
static bool __init rxe_crc_simd_is_faster(u32 (*crc32)(u32 crc, const void *buf, size_t len))
{
	u64 time;

	rxe_simd_begin();
	time = rxe_crc_time(crc32);
	rxe_simd_end();
	return time <= rxe_crc_time(roce_crc32);
}

void __init rxe_crc_init(void)
{
	bool wide, chosen = rxe_param_simd >= 0;
	int simd;

	roce_crc32_init();
	roce_icrc_init();
	simd = rxe_simd_width(chosen ? rxe_param_simd : 512);
	wide = simd == 512;
	if (simd && !chosen &&
	    !rxe_crc_simd_is_faster(wide ? roce_crc32_vpclmul : roce_crc32_pclmul))
		simd = 0;
	rxe_param_simd = simd;
	if (!simd)
		return;
	static_call_update(rxe_crc32_simd, wide ? roce_crc32_vpclmul : roce_crc32_pclmul);
	static_call_update(rxe_crc32_copy_simd,
			   wide ? roce_crc32_copy_vpclmul : roce_crc32_copy_pclmul);
	static_branch_enable(&rxe_have_simd);
}
