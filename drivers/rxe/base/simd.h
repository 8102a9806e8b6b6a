/* SPDX-License-Identifier: GPL-2.0 */
/*
 * SIMD (FPU) sections: the vector registers that the CPU has, and their use in the kernel.
 *
 * x86-64 has them, including User-Mode Linux on x86-64, whose host saves its registers as those of
 * any process, and arm64. On other architectures rxe_simd_width() is 0.
 */
#ifndef RXE_SIMD_H
#define RXE_SIMD_H

#include <linux/types.h>
#ifdef CONFIG_ARM64
#include <asm/cpufeature.h>
#endif

/**
 * struct rxe_simd_state - memory of a SIMD section, from rxe_simd_begin() to rxe_simd_end()
 *
 * Linux 6.19 and later save the registers of an interrupted section in it on arm64.
 */
#if defined(CONFIG_X86_64)
#include <asm/cpufeature.h>
#include <asm/fpu/api.h>

struct rxe_simd_state {
};

/* Whether carry-less multiplication of 512-bit registers is available. */
static inline bool rxe_simd_has_512(void)
{
	return boot_cpu_has(X86_FEATURE_VPCLMULQDQ) && boot_cpu_has(X86_FEATURE_AVX512F) &&
	       cpu_has_xfeatures(XFEATURE_MASK_AVX512, NULL);
}

/* Return the register width for carry-less multiplication, at most @max bits: 0, 128 or 512. */
static inline u32 rxe_simd_width(u32 max)
{
	if (max < 128 || !boot_cpu_has(X86_FEATURE_PCLMULQDQ))
		return 0;
	return max >= 512 && rxe_simd_has_512() ? 512 : 128;
}

/*
 * Whether this context may begin a SIMD section. Never on PREEMPT_RT: a section disables
 * preemption, within which spinlocks of that kernel must not be taken, and adds to its latency.
 */
static inline bool rxe_simd_usable(void)
{
	return !IS_ENABLED(CONFIG_PREEMPT_RT) && irq_fpu_usable();
}

/*
 * Begin and end a SIMD section, in which the caller must not sleep. Sections do not nest.
 * Context: rxe_simd_usable() is true.
 */
static inline void rxe_simd_begin(struct rxe_simd_state *state)
{
	kernel_fpu_begin();
}

static inline void rxe_simd_end(struct rxe_simd_state *state)
{
	kernel_fpu_end();
}
#elif defined(CONFIG_ARM64) && defined(CONFIG_KERNEL_MODE_NEON)
#include <asm/neon.h>
#include <asm/simd.h>

struct rxe_simd_state {
	rxe_neon_state neon;
};

static inline u32 rxe_simd_width(u32 max)
{
	return max >= 128 && cpu_have_named_feature(PMULL) ? 128 : 0;
}

static inline bool rxe_simd_usable(void)
{
	return !IS_ENABLED(CONFIG_PREEMPT_RT) && may_use_simd();
}

static inline void rxe_simd_begin(struct rxe_simd_state *state)
{
	kernel_neon_begin(&state->neon);
}

static inline void rxe_simd_end(struct rxe_simd_state *state)
{
	kernel_neon_end(&state->neon);
}
#else
struct rxe_simd_state {
};

static inline u32 rxe_simd_width(u32 max)
{
	return 0;
}

static inline bool rxe_simd_usable(void)
{
	return false;
}

static inline void rxe_simd_begin(struct rxe_simd_state *state)
{
}

static inline void rxe_simd_end(struct rxe_simd_state *state)
{
}
#endif

/* True if the CPU has the CRC32 instructions of arm64, which need no SIMD section. */
static inline bool rxe_has_crc32_insn(void)
{
#ifdef CONFIG_ARM64
	return cpu_have_named_feature(CRC32);
#else
	return false;
#endif
}

#endif
