# SPDX-License-Identifier: GPL-2.0
# Build the transport in user space. Included by the Makefiles of unit, sim, fuzz and bench.
# Input: obj, the directory of the objects; optionally CC, SANITIZE and CFLAGS.
# Output: $(transport-objs), and $(transport-cflags) for sources that include the transport's headers;
# $(glue-objs), the parts of the kernel glue that are pure functions, and $(glue-cflags).

top := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/..)

CFLAGS ?= -O1 -g
SANITIZE ?= address,undefined

transport-cflags = -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Werror -MMD -MP -fno-omit-frame-pointer \
		   $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-sanitize-recover=all) \
		   -I$(top)/tests/unit/shim -I$(top)/include -I$(top)/drivers/rxe $(CFLAGS)

# As in Kbuild: on x86-64 only, each with the flags of its instruction set.
simd-srcs := $(top)/drivers/rxe/transport/wire/crc32_pclmul.c $(top)/drivers/rxe/transport/wire/crc32_vpclmul.c
transport-srcs := $(sort $(wildcard $(top)/drivers/rxe/transport/*.c $(top)/drivers/rxe/transport/*/*.c))
ifneq ($(shell $(CC) -dumpmachine | cut -d- -f1),x86_64)
transport-srcs := $(filter-out $(simd-srcs),$(transport-srcs))
endif
transport-objs := $(patsubst $(top)/drivers/rxe/%.c,$(obj)/%.o,$(transport-srcs))

$(obj)/transport/wire/crc32_pclmul.o: transport-cflags += -msse2
$(obj)/transport/wire/crc32_vpclmul.o: transport-cflags += -mavx512f

glue-objs := $(obj)/qp/wqe.o
glue-cflags = $(transport-cflags)

$(obj)/transport/%.o: $(top)/drivers/rxe/transport/%.c
	@mkdir -p $(@D)
	$(CC) $(transport-cflags) -c $< -o $@

$(obj)/qp/%.o: $(top)/drivers/rxe/qp/%.c
	@mkdir -p $(@D)
	$(CC) $(glue-cflags) -c $< -o $@

# Without this, make deletes them as intermediate files.
.SECONDARY: $(transport-objs) $(glue-objs)

-include $(wildcard $(obj)/*.d $(obj)/transport/*.d $(obj)/transport/*/*.d $(obj)/qp/*.d)
