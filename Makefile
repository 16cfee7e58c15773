# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# nfp-chan: build, demos and tests. `make help` lists the targets. FOLDER/FOLDER.mk has the rules
# of a folder.

# Everything is built below O: build/host here, build/guest for the VM (`make guest`).
O ?= build/host
KDIR ?= /lib/modules/$(shell uname -r)/build
PREFIX ?= /usr/local
PCAP ?= selftests/data/real.pcap
KERNEL ?= 6.12
JOBS ?= $(shell nproc)

VERSION := 0.1.0

CFLAGS ?= -O2 -g
WERROR ?= # -Werror in this project's CI, which knows its compilers
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes

# Include paths of a folder's sources: INC.FOLDER, set in the folder's fragment
INC = $(INC.$(patsubst %/,%,$(dir $<)))
ALL_CFLAGS = -std=gnu11 -fPIC -pthread $(WARN) $(WERROR) $(INC) \
	-DNFPCHAN_VERSION='"$(VERSION)"' $(DEF) $(CPPFLAGS) $(CFLAGS)
LINK = $(CC) $(CFLAGS) -pthread

obj = $(patsubst %.c,$(O)/obj/%.o,$(1))
have = $(shell pkg-config --libs $(1) 2>/dev/null)
J = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(JOBS))

# What a build prints: a line for each file; the commands (V=1); nothing (make -s). $(call Q,WORD)
# begins a command that makes a file, $(q) any other. Scripts pass V on to the builds they start.
V := $(if $(findstring s,$(firstword -$(MAKEFLAGS))),,0)
export V
q = $(if $(filter 1,$(V)),,@)
Q = $(q)$(if $(filter 0,$(V)),printf '  %-7s %s\n' $(1) $@; )
SHOWN = --no-print-directory $(if $(filter 1,$(V)),,-s) V=$(V)
MAKE_IN = $(MAKE) $(SHOWN) $(J)

.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:

.PHONY: all board module userspace install clean help FORCE no-headers no-libpcap
.PHONY: setup demo demo-xdp demo-split host guest guest-tree guest-7 guest-debug guest-kcsan vm-deps
.PHONY: demo-chain demo-ncl ncl ncl-tree no-llvm
.PHONY: quick check check-host check-vm check-tsan nightly fuzz lint bench bench-tcp bench-xdp bench-split bench-ncl bench-chain plots

##@ Build (CC, CFLAGS, CPPFLAGS, LDFLAGS, WERROR=-Werror; O=DIR for what is built; APPS=DIR: ME processes too; V=1: show commands)
## all: all of these (default; 20 s)
## module: nfp_chan.ko for the kernel whose headers are in KDIR
## userspace: libnfpchan, the nfpchan command, the examples
## board: the emulated card, build/host/bin/nfpboard
## accel: emulated accelerators, build/host/bin/nfpaccel
## fabric: the model of a PCIe switch, build/host/bin/nfpfabric
## install: user space below PREFIX (/usr/local), in DESTDIR
all: userspace $(if $(call have,libpcap),board,no-libpcap) accel fabric \
	$(if $(wildcard $(KDIR)/Makefile),module,no-headers) $(if $(LLVM),,no-llvm)

FRAGMENTS := kmod/kmod.mk fw/image/image.mk userspace/userspace.mk userspace/ncl/ncl.mk userspace/ncl/examples/examples.mk \
	fw/fw.mk fw/emu/vfio_user/vfio_user.mk fw/emu/board/board.mk fw/emu/accel/accel.mk fw/emu/fabric/fabric.mk \
	selftests/selftests.mk
include $(FRAGMENTS)

no-headers:
	@echo 'make: no kernel headers in $(KDIR), so no module: install linux-headers-$(shell uname -r), or set KDIR=' >&2
no-libpcap:
	@echo 'make: no libpcap (libpcap-dev), so no board' >&2

no-llvm:
	@echo 'make: no headers of LLVM 17 or later (llvm-19-dev), so no nclc: make ncl builds it in a separate root' >&2

$(O)/obj/%.o: %.c Makefile $(FRAGMENTS)
	@mkdir -p $(@D)
	$(call Q,CC)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

##@ Run (as root; the first run puts 2 GB into NFPCHAN_CACHE, in two minutes)
## setup: install packages, build the test root and QEMU, once
setup:
	@scripts/setup

## demo: flow records of a capture (PCAP=FILE), from the card's firmware in the VM (10 s)
demo:
	@scripts/demo "$(PCAP)" $(addprefix --board ,$(BOARD))

## demo-xdp: TCP connections of a capture (PCAP=FILE), reported by an offloaded program (15 s)
demo-xdp:
	@scripts/demo-xdp "$(PCAP)" $(addprefix --board ,$(BOARD))

## demo-split: a firewall with its first programs on the card, the last on the host (PCAP=FILE, 15 s)
demo-split:
	@scripts/demo-split "$(PCAP)"

## demo-ncl: a card with firmware "full" sums arrays of four workers, then a plain XDP device (30 s)
demo-ncl:
	@scripts/demo-ncl

## demo-chain: devices that the card drives decrypt and classify images (CARDS=2, 20 s)
demo-chain:
	+@$(MAKE_IN) O=build/host fabric
	@scripts/demo-chain $(if $(CARDS),--cards $(CARDS))

# scripts/vm needs the board, and the module and the guest's programs, compiled inside the root.
IN_ROOT = env -u MAKEFLAGS make $(SHOWN) -j$(JOBS) WERROR=$(WERROR) KFLAGS="KCFLAGS=$(WERROR)"

guest:
	@scripts/in-root -- $(IN_ROOT) O=build/guest \
		KDIR="/lib/modules/$$(scripts/setup --print kernel)/build" guest-tree

guest-7 guest-debug guest-kcsan: guest-%:
	@scripts/in-root --kernel $* -- sh -c 'exec $(IN_ROOT) O=build/guest-$* \
		KDIR="$$(echo /lib/modules/*/build)" module $(if $(filter 7,$*),,splats)'

## ncl: NCL's compiler, its programs and their tests, in a separate root (2 GB more)
ncl:
	@scripts/in-root --ncl -- $(IN_ROOT) O=build/ncl ncl-tree

vm-deps: setup
	+@$(MAKE_IN) O=build/host board accel build/host/test/nfpboard
	+@$(MAKE_IN) guest
	+@[ $(KERNEL) = 6.12 ] || $(MAKE_IN) guest-$(KERNEL)
	+@[ "$(ROOT)" != ncl ] || $(MAKE_IN) ncl

##@ Test (T="FILE...": only these; KERNEL=7|debug|kcsan: with that kernel; CHECK_ARGS=-v: show each test)
## quick: compiled unit tests; needs no root, no VM, no cache (40 s)
quick:
	@$(if $(call have,cmocka libpcap),,$(error quick needs libcmocka-dev and libpcap-dev))
	@scripts/check --quick $(T)

## check: every test except the nightly ones (19 min)
check:
	+@$(if $(T),,$(MAKE_IN) check-tsan)
	@KERNEL=$(KERNEL) scripts/check $(T)

## check-host: tests that need no VM (1.5 min)
check-host:
	@scripts/check --host $(T)

## check-vm: tests that need the VM (15 min; KERNEL=debug 3.5 h, KERNEL=kcsan 1 h)
check-vm:
	@KERNEL=$(KERNEL) scripts/check --vm $(T)

## check-tsan: tests with threads, under ThreadSanitizer (20 s; part of check)
check-tsan: setup
	+@$(MAKE_IN) O=build/tsan CFLAGS='-O1 -g -fsanitize=thread -Wno-tsan' $(TSAN)
	@rm -rf build/tsan/log && mkdir build/tsan/log
	@CMOCKA_MESSAGE_OUTPUT=TAP NFPCHAN_CHECK_LOGS=build/tsan/log \
		prove --timer --merge --exec 'setarch -R scripts/check-one' $(TSAN) || \
		{ scripts/check-why build/tsan/log/*; exit 1; }

## nightly: many random programs, calls and storms; crashes of the driver (hours; COUNT=, SEED=, TIME=, LOOPS=)
nightly:
	@KERNEL=$(KERNEL) scripts/check --nightly $(T)

## fuzz: libFuzzer on the card's vfio-user server, for TIME seconds (60)
fuzz: setup
	@env -u MAKEFLAGS scripts/fuzz --time $(or $(TIME),60) vfio_user

## lint: checkpatch --strict, sparse, shellcheck, Python, Go (40 s)
lint: setup
	@scripts/lint

##@ Measure
## bench: all benchmarks in one run, as a table (5 min; BENCH_JSON=FILE, BENCH_ARGS=)
BENCH_JSON ?= build/bench.json
bench: setup
	+@$(MAKE_IN) host
	@scripts/bench --json "$(BENCH_JSON)" $(BENCH_ARGS)

## plots: PNG plots of what bench has measured (BENCH_JSON=FILE), in build/plots
plots:
	@[ -s "$(BENCH_JSON)" ] || $(MAKE) --no-print-directory bench BENCH_JSON="$(BENCH_JSON)"
	@scripts/bench-plots "$(BENCH_JSON)"

## bench-xdp: a million events of an XDP program, by the stock driver and by a channel (3 min)
## bench-split: a firewall natively on the host, and with its first programs on the card (3 min)
## bench-tcp: TCP between the card's ports, compared with QEMU's e1000e (3 min)
BENCH_xdp := xdp_events
BENCH_split := xdp_split
bench-xdp bench-split bench-tcp: bench-%: vm-deps
	@PYTHONPATH=selftests/rig NFPCHAN_NO_BUILD=1 selftests/bench/$(or $(BENCH_$*),$*) $(BENCH_ARGS)

## bench-ncl: NCL's compiler, AllReduce compared with Open MPI and a server, a cache (5 min; BENCH_ARGS=--help)
bench-ncl: ROOT = ncl
bench-ncl: vm-deps
	@scripts/in-root --ncl -- $(IN_ROOT) O=build/ncl ncl-bench
	@PYTHONPATH=selftests/rig NFPCHAN_NO_BUILD=1 selftests/bench/ncl/measure $(BENCH_ARGS)

## bench-chain: streams between devices, with and without the CPU (BENCH_JSON=FILE)
CHAIN_JSON = $(if $(filter file,$(origin BENCH_JSON)),build/bench-chain.json,$(BENCH_JSON))
bench-chain:
	+@$(MAKE_IN) O=build/host fabric build/host/bench/chain_oncard
	@selftests/bench/chain --json "$(CHAIN_JSON)" $(BENCH_ARGS)

clean:
	rm -rf build

help:
	@awk '/^##@ / { printf "\n%s\n", substr($$0, 5) } /^## / { sub(/: /, "\t"); \
		split(substr($$0, 4), a, "\t"); printf "  %-12s %s\n", a[1], a[2] }' Makefile

-include $(shell find $(O)/obj -name '*.d' 2>/dev/null)
