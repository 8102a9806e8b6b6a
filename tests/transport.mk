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

# As in Kbuild: each with the flags of its instruction set, which one architecture has.
x86_64-crc := crc32_pclmul.c crc32_vpclmul.c
aarch64-crc := crc32_insn.c crc32_pmull.c
machine := $(shell $(CC) -dumpmachine | cut -d- -f1)
absent-crc := $(filter-out $($(machine)-crc),$(x86_64-crc) $(aarch64-crc))
transport-srcs := $(sort $(wildcard $(top)/drivers/rxe/transport/*.c $(top)/drivers/rxe/transport/*/*.c))
transport-srcs := $(filter-out $(addprefix $(top)/drivers/rxe/transport/wire/,$(absent-crc)),$(transport-srcs))
transport-objs := $(patsubst $(top)/drivers/rxe/%.c,$(obj)/%.o,$(transport-srcs))

$(obj)/transport/wire/crc32_pclmul.o: transport-cflags += -msse2
$(obj)/transport/wire/crc32_vpclmul.o: transport-cflags += -mavx512f
$(obj)/transport/wire/crc32_pmull.o: transport-cflags += -march=armv8-a+crypto

glue-objs := $(obj)/qp/wqe.o $(obj)/tx/gso_watch.o
glue-cflags = $(transport-cflags)

$(obj)/transport/%.o: $(top)/drivers/rxe/transport/%.c
	@mkdir -p $(@D)
	$(CC) $(transport-cflags) -c $< -o $@

$(obj)/qp/%.o: $(top)/drivers/rxe/qp/%.c
	@mkdir -p $(@D)
	$(CC) $(glue-cflags) -c $< -o $@

$(obj)/tx/%.o: $(top)/drivers/rxe/tx/%.c
	@mkdir -p $(@D)
	$(CC) $(glue-cflags) -c $< -o $@

# Without this, make deletes them as intermediate files.
.SECONDARY: $(transport-objs) $(glue-objs)

-include $(wildcard $(obj)/*.d $(obj)/transport/*.d $(obj)/transport/*/*.d $(obj)/qp/*.d $(obj)/tx/*.d)
