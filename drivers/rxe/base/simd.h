/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Vector registers in the kernel: what the processor has, and where they may be
 * used. None but on x86-64, User-Mode Linux there included: its own registers are
 * those of an ordinary process, which its host saves.
 */
#ifndef RXE_SIMD_H
#define RXE_SIMD_H

#include <linux/types.h>

#ifdef CONFIG_X86_64
#include <asm/cpufeature.h>
#include <asm/fpu/api.h>

static inline bool rxe_simd_has_512(void)
{
	return boot_cpu_has(X86_FEATURE_VPCLMULQDQ) && boot_cpu_has(X86_FEATURE_AVX512F) &&
	       cpu_has_xfeatures(XFEATURE_MASK_AVX512, NULL);
}

/* Bits of the widest registers, @max at most, that can be multiplied without carries. */
static inline u32 rxe_simd_width(u32 max)
{
	if (max < 128 || !boot_cpu_has(X86_FEATURE_PCLMULQDQ))
		return 0;
	return max >= 512 && rxe_simd_has_512() ? 512 : 128;
}

/* A real-time kernel's locks may sleep, as nothing may in a section; nor does it want long ones. */
static inline bool rxe_simd_usable(void)
{
	return !IS_ENABLED(CONFIG_PREEMPT_RT) && irq_fpu_usable();
}

/* Not to be nested; nothing between may sleep. */
static inline void rxe_simd_begin(void)
{
	kernel_fpu_begin();
}

static inline void rxe_simd_end(void)
{
	kernel_fpu_end();
}
#else
static inline u32 rxe_simd_width(u32 max)
{
	return 0;
}

static inline bool rxe_simd_usable(void)
{
	return false;
}

static inline void rxe_simd_begin(void)
{
}

static inline void rxe_simd_end(void)
{
}
#endif

#endif
