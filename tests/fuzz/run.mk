# SPDX-License-Identifier: GPL-2.0
# How libFuzzer targets are run, for a makefile in tests/fuzz or below that says what they are:
#
#   names         the targets: program fuzz_X, seeds in corpus/X
#   prefix        what stands before their names where results are printed
#   obj           where they are built
#   fuzz-flags    flags of libFuzzer for all of them
#   SMOKE_RUNS    inputs of a smoke run
#
#   make smoke            a few seconds each: are seeds and near inputs still fine?
#   make run SECONDS=60   each for so long; what it finds is left in $(obj)/X.*
#   make seeds-X          new seeds from what runs have found: few inputs that cover as much

SECONDS ?= 60
flags = -verbosity=0 -timeout=10 -rss_limit_mb=2048 $(fuzz-flags)

targets: $(addprefix $(obj)/fuzz_,$(names))
smoke: $(addprefix smoke-,$(names))
run: $(addprefix run-,$(names))

# Run one target with the flags of $(1) and its dictionary, if there is one; its report is shown if
# it finds something. New inputs are kept out of the tree.
define fuzz
@mkdir -p $(obj)/corpus/$*
@$< $(flags) $(1) $(patsubst %,-dict=%,$(wildcard $*.dict)) -artifact_prefix=$(obj)/$*. \
	$(obj)/corpus/$* corpus/$* >$(obj)/$*.log 2>&1 || { tail -n 60 $(obj)/$*.log >&2; exit 1; }
endef

smoke-%: $(obj)/fuzz_%
	$(call fuzz,-seed=1 -runs=$(SMOKE_RUNS))
	@echo "  ok $(prefix)fuzz_$*: $(words $(wildcard corpus/$*/*)) seeds, $(SMOKE_RUNS) runs"

run-%: $(obj)/fuzz_%
	$(call fuzz,-max_total_time=$(SECONDS))
	@echo "  ok $(prefix)fuzz_$*: $(SECONDS) s"

seeds-%: $(obj)/fuzz_%
	@$< -merge=1 -use_counters=0 $(flags) corpus/$* $(obj)/corpus/$*

clang:
	@echo 'int LLVMFuzzerTestOneInput(void){return 0;}' | \
	$(CC) -x c - -fsanitize=fuzzer -o /dev/null 2>/dev/null || { \
	echo "clang with libFuzzer is missing: install clang (Debian, SUSE), clang compiler-rt (Fedora)" >&2; \
	exit 1; }

clean:
	rm -rf $(obj)

.PHONY: all targets smoke run clang clean
.SECONDARY:
