# SPDX-License-Identifier: GPL-2.0
# Top-level makefile; "make help" lists the targets. kbuild reads Kbuild instead.

KVER ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KVER)/build
KO ?= $(CURDIR)/rdma_rxe.ko
PREFIX ?= /usr/local

# The version is defined in Kbuild, since the module reports it.
VERSION := $(shell sed -n 's/^rxe-version := //p' Kbuild)
rxectl = @$(MAKE) --no-print-directory -C tools/rxectl VERSION=$(VERSION) PREFIX='$(PREFIX)'

# UTS_RELEASE of the kernel that the module is built for.
release = $(or $(shell sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' \
	$(KDIR)/include/generated/utsrelease.h 2>/dev/null),$(KVER))
moddir = $(DESTDIR)/lib/modules/$(release)/updates

# A staged tree needs no depmod: the package runs it when it is installed.
depmod = $(if $(DESTDIR),@:,depmod -a $(release))

all: modules tools

modules:
	+@KDIR='$(KDIR)' KO='$(KO)' scripts/build-module

tools:
	$(rxectl)

check:
	@scripts/check

matrix:
	@scripts/matrix

coverage:
	@scripts/coverage

coverage-glue:
	@scripts/coverage-glue

test:
	@scripts/test '$(ONLY)'

test-full:
	@RXE_TEST_FULL=1 scripts/test '$(ONLY)'

soak:
	@scripts/soak $(HOURS)

demo:
	@scripts/demo

bench:
	@scripts/bench

bench-apps:
	@scripts/bench-apps

bench-core:
	@scripts/bench-core

packaging = @DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' packaging/install

install: all
	$(packaging) check
	install -D -m 0644 $(KO) $(moddir)/rdma_rxe.ko
	$(depmod)
	$(rxectl) install
	$(packaging) install

uninstall:
	$(packaging) remove /lib/modules/$(release)/updates/rdma_rxe.ko
	@rmdir $(moddir) 2>/dev/null || :
	$(depmod)
	$(rxectl) uninstall
	$(packaging) uninstall

dkms:
	@KVER='$(KVER)' scripts/dkms install

dkms-remove:
	@scripts/dkms remove

deb:
	@packaging/deb

rpm:
	@packaging/rpm

rpm-kmp:
	@$(if $(filter-out file default undefined,$(origin KDIR) $(origin KVER)),KDIR='$(KDIR)') packaging/rpm kmp

clean:
	rm -rf build rdma_rxe.ko
	@$(MAKE) --no-print-directory -C tests/unit clean
	@$(MAKE) --no-print-directory -C tests/unit/rxectl clean
	@$(MAKE) --no-print-directory -C tests/sim clean
	@$(MAKE) --no-print-directory -C tests/explore clean
	@$(MAKE) --no-print-directory -C tests/mutation clean
	@$(MAKE) --no-print-directory -C tests/bench clean
	@$(MAKE) --no-print-directory -C tests/fuzz clean
	@$(MAKE) --no-print-directory -C tests/fuzz/rxectl clean
	$(rxectl) clean

help:
	@sed -n 's/^##//p' Makefile

##Build
##  make              the module for the running kernel, and rxectl
##  make modules      the module alone, as rdma_rxe.ko; KDIR=TREE for another kernel's headers
##                    or source tree, ARCH=um for User-Mode Linux, KO=PATH for another place
##  make tools        tools/rxectl/rxectl
##  make clean        removes all build output
##Install (as root)
##  make install      the module into /lib/modules/VERSION/updates, which takes precedence over
##                    the kernel's own, and rxectl with its manual below PREFIX (/usr/local);
##                    DESTDIR=DIR stages all of it below DIR
##  make uninstall    removes the files that install has copied
##  make dkms         hands the sources to DKMS, which rebuilds the module for each new kernel
##  make dkms-remove  removes them from DKMS
##  make deb          Debian packages rxectl and rdma-rxe-dkms, in build/deb (needs no root)
##  make rpm          the same as RPM packages, in build/rpm; rxectl-slingshot in build/rpm/slingshot
##  make rpm-kmp      an RPM package of the module for one kernel, for machines without a compiler, in
##                    build/rpm-kmp: the newest whose headers are installed, or that of KDIR=TREE
##Test
##  make demo         two virtual machines, a link on each, traffic between them (as root)
##  make check        style, unit tests, simulator, fuzzers; no root, no virtual machine
##  make matrix       builds against each supported kernel; any warning fails (as root)
##  make coverage     lines of the transport that the unit tests and simulator execute
##  make coverage-glue    lines of the rest of the module that guest cases execute
##  make test         all checks, and all cases on real kernels (as root); ONLY=REGEX for some
##  make test-full    also the slow cases on emulated machines; needs an idle machine
##  make soak         uses everything for HOURS hours (2 if not given), draws memory, objects and latency,
##                    and fails if they grow; needs an idle machine
##  make bench-core   the ICRC and the transport alone, in user space: time, instructions
##  make bench        this driver beside the kernel's own, siw, TCP and UDP, on User-Mode Linux;
##                    needs an idle machine (scripts/bench --help: other kernels and MTUs)
##  make bench-apps   NVMe, NFS, sockets, UCX and libfabric over this driver, TCP and the kernel's own

.PHONY: all modules tools check matrix coverage coverage-glue test test-full soak demo bench bench-apps bench-core \
	install uninstall dkms dkms-remove deb rpm rpm-kmp clean help
