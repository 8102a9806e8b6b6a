/* SPDX-License-Identifier: GPL-2.0 */
/* Vector registers of arm64 in the kernel: no memory for a section before Linux 6.19. */
#ifndef COMPAT_ASM_NEON_H
#define COMPAT_ASM_NEON_H

#include_next <asm/neon.h>

#ifdef RXE_HAVE_NEON_STATE
typedef struct user_fpsimd_state rxe_neon_state;
#else
typedef struct {
} rxe_neon_state;

#define kernel_neon_begin(state) (kernel_neon_begin)()
#define kernel_neon_end(state)	 (kernel_neon_end)()
#endif

#endif
