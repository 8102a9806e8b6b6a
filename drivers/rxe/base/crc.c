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
#ifdef CONFIG_ARM64
static __ro_after_init DEFINE_STATIC_KEY_FALSE(rxe_have_crc32_insn);
#endif
DEFINE_STATIC_CALL(rxe_crc32_simd, roce_crc32);
DEFINE_STATIC_CALL(rxe_crc32_copy_simd, roce_crc32_copy);

void rxe_crc_begin(struct rxe_crc *c, u32 bytes)
{
	if (!static_branch_likely(&rxe_have_simd) || c->simd || bytes < MIN_SIMD_BYTES ||
	    !rxe_simd_usable())
		return;
	rxe_simd_begin(&c->state);
	c->simd = true;
}

void rxe_crc_end(struct rxe_crc *c)
{
	if (!c->simd)
		return;
	rxe_simd_end(&c->state);
	c->simd = false;
}

u32 rxe_crc32(const struct rxe_crc *c, u32 crc, const void *buf, u32 len)
{
	if (c->simd)
		return static_call(rxe_crc32_simd)(crc, buf, len);
#ifdef CONFIG_ARM64
	if (static_branch_likely(&rxe_have_crc32_insn))
		return roce_crc32_insn(crc, buf, len);
#endif
	return roce_crc32(crc, buf, len);
}

u32 rxe_crc32_copy(const struct rxe_crc *c, u32 crc, void *to, const void *from, u32 len)
{
	if (c->simd)
		return static_call(rxe_crc32_copy_simd)(crc, to, from, len);
#ifdef CONFIG_ARM64
	if (static_branch_likely(&rxe_have_crc32_insn))
		return roce_crc32_copy_insn(crc, to, from, len);
#endif
	return roce_crc32_copy(crc, to, from, len);
}

/**
 * struct rxe_crc_impl - an implementation that needs a SIMD section
 * @width: bits of its registers
 * @crc32: roce_crc32()
 * @copy: roce_crc32_copy()
 */
struct rxe_crc_impl {
	u32 width;
	u32 (*crc32)(u32 crc, const void *buf, size_t len);
	u32 (*copy)(u32 crc, void *to, const void *from, size_t len);
};

static const struct rxe_crc_impl rxe_crc_impls[] __initconst = {
#if defined(CONFIG_X86_64)
	{ 512, roce_crc32_vpclmul, roce_crc32_copy_vpclmul },
	{ 128, roce_crc32_pclmul, roce_crc32_copy_pclmul },
#elif defined(CONFIG_ARM64) && defined(CONFIG_KERNEL_MODE_NEON)
	{ 128, roce_crc32_pmull, roce_crc32_copy_pmull },
#endif
	{}
};

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

static u64 __init rxe_crc_time_simd(const struct rxe_crc_impl *impl)
{
	static struct rxe_simd_state state __initdata;
	u64 time;

	rxe_simd_begin(&state);
	time = rxe_crc_time(impl->crc32);
	rxe_simd_end(&state);
	return time;
}

/* Use the CRC32 instructions if they are as fast as the tables. Return the shorter duration, ns. */
#ifdef CONFIG_ARM64
static u64 __init rxe_crc_init_insn(u64 by_table)
{
	u64 time = rxe_has_crc32_insn() ? rxe_crc_time(roce_crc32_insn) : U64_MAX;

	if (time > by_table)
		return by_table;
	static_branch_enable(&rxe_have_crc32_insn);
	return time;
}
#else
static u64 __init rxe_crc_init_insn(u64 by_table)
{
	return by_table;
}
#endif

static const struct rxe_crc_impl *__init rxe_crc_of_width(u32 width)
{
	const struct rxe_crc_impl *impl = rxe_crc_impls;

	while (impl->width > width)
		impl++;
	return impl;
}

/* Measured, because an emulated CPU may run special instructions slower than the tables. */
void __init rxe_crc_init(void)
{
	bool chosen = rxe_param_simd >= 0;
	const struct rxe_crc_impl *impl;
	u64 time;

	roce_crc32_init();
	roce_icrc_init();
	time = rxe_crc_init_insn(rxe_crc_time(roce_crc32));
	impl = rxe_crc_of_width(rxe_simd_width(chosen ? rxe_param_simd : 512));
	if (impl->width && !chosen && rxe_crc_time_simd(impl) > time)
		impl = rxe_crc_of_width(0);
	rxe_param_simd = impl->width;
	if (!impl->width)
		return;
	static_call_update(rxe_crc32_simd, impl->crc32);
	static_call_update(rxe_crc32_copy_simd, impl->copy);
	static_branch_enable(&rxe_have_simd);
}
