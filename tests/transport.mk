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
	      -I$(top)/tests/unit/shim -I$(top)/include -I$(top)/drivers/rxe $(CFLAGS)

# As Kbuild has them: x86-64 alone, and each for its own processors.
simd-srcs := $(top)/drivers/rxe/transport/wire/crc32_pclmul.c $(top)/drivers/rxe/transport/wire/crc32_vpclmul.c
core-srcs := $(sort $(wildcard $(top)/drivers/rxe/transport/*.c $(top)/drivers/rxe/transport/*/*.c))
ifneq ($(shell $(CC) -dumpmachine | cut -d- -f1),x86_64)
core-srcs := $(filter-out $(simd-srcs),$(core-srcs))
endif
core-objs := $(patsubst $(top)/drivers/rxe/%.c,$(obj)/%.o,$(core-srcs))

$(obj)/transport/wire/crc32_pclmul.o: core-cflags += -msse2
$(obj)/transport/wire/crc32_vpclmul.o: core-cflags += -mavx512f

glue-objs := $(obj)/qp/wqe.o
glue-cflags = $(core-cflags)

$(obj)/transport/%.o: $(top)/drivers/rxe/transport/%.c
	@mkdir -p $(@D)
	$(CC) $(core-cflags) -c $< -o $@

$(obj)/qp/%.o: $(top)/drivers/rxe/qp/%.c
	@mkdir -p $(@D)
	$(CC) $(glue-cflags) -c $< -o $@

# Or make would delete them as intermediate files.
.SECONDARY: $(core-objs) $(glue-objs)

-include $(wildcard $(obj)/*.d $(obj)/transport/*.d $(obj)/transport/*/*.d $(obj)/qp/*.d)
