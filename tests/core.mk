# SPDX-License-Identifier: GPL-2.0
# Included by the Makefiles of unit, sim and fuzz: builds the transport core in user space.
# Set before: obj (a directory for objects of these flags), and optionally CC, SANITIZE, CFLAGS.
# Gives: $(core-objs), and $(core-cflags) to compile whatever includes the core's headers;
# $(glue-objs), those parts of the kernel glue that are pure functions, and $(glue-cflags).

top := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/..)

CFLAGS ?= -O1 -g
SANITIZE ?= address,undefined

core-cflags = -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Werror -MMD -MP -fno-omit-frame-pointer \
	      $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all) \
	      -I$(top)/tests/unit/shim -I$(top)/include $(CFLAGS)

# As Kbuild has them: x86-64 alone, and each for its own processors.
simd-srcs := $(top)/drivers/rxe/core/crc32_pclmul.c $(top)/drivers/rxe/core/crc32_vpclmul.c
core-srcs := $(sort $(wildcard $(top)/drivers/rxe/core/*.c))
ifneq ($(shell $(CC) -dumpmachine | cut -d- -f1),x86_64)
core-srcs := $(filter-out $(simd-srcs),$(core-srcs))
endif
core-objs := $(patsubst $(top)/drivers/rxe/core/%.c,$(obj)/core/%.o,$(core-srcs))

$(obj)/core/%.o: $(top)/drivers/rxe/core/%.c
	@mkdir -p $(@D)
	$(CC) $(core-cflags) -c $< -o $@

$(obj)/core/crc32_pclmul.o: core-cflags += -msse2
$(obj)/core/crc32_vpclmul.o: core-cflags += -mavx512f

glue-objs := $(obj)/glue/wqe.o
glue-cflags = $(core-cflags) -I$(top)/drivers/rxe

$(obj)/glue/%.o: $(top)/drivers/rxe/%.c
	@mkdir -p $(@D)
	$(CC) $(glue-cflags) -c $< -o $@

# Or make would delete them as intermediate files.
.SECONDARY: $(core-objs) $(glue-objs)

-include $(wildcard $(obj)/*.d $(obj)/core/*.d $(obj)/glue/*.d)
