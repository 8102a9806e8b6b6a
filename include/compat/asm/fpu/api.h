/* SPDX-License-Identifier: GPL-2.0 */
/* Vector registers in the kernel: the feature query that User-Mode Linux lacks. */
#ifndef COMPAT_ASM_FPU_API_H
#define COMPAT_ASM_FPU_API_H

#include_next <asm/fpu/api.h>

#ifdef CONFIG_UML
/* CPU flags of User-Mode Linux are those of the host: features whose state it saves. */
#define XFEATURE_MASK_AVX512			   0
#define cpu_has_xfeatures(xfeatures_mask, feature) true
#else
#include <asm/fpu/types.h>
#endif

#endif
