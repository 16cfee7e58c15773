# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Targets that run something: the demos, the builds in other roots, the tests.
.PHONY: setup demo demo-xdp demo-split demo-chain demo-ncl demo-graft firmware firmware-graft me-image guest guest-7 guest-debug guest-kcsan ncl vm-deps
.PHONY: demo-guest image-guest demo-deps
.PHONY: quick check check-host check-vm check-tsan nightly fuzz lint

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

## demo-graft: a program of a microengine (PROGRAM=FILE.c) in the vendor's firmware file (30 s)
demo-graft: firmware
	+@$(MAKE_IN) O=build/host build/host/bin/nfpchan
	@scripts/demo-graft $(GRAFT_OBJECT)

## firmware: compile PROGRAM=FILE.c for microengine ME (36.8), in the root of ncl: build/ncl/FILE.o, .list
# If there is a FILE.chan, its processes are compiled for their microengine (scripts/firmware --help).
PROGRAM ?= fw/mecc/examples/primes.c
GRAFT_OBJECT = build/ncl/$(basename $(notdir $(PROGRAM))).o
firmware: ncl
	+@$(MAKE_IN) O=build/host build/host/gen/firmware/chan_table.h
	@scripts/firmware $(ME:%=--me %) "$(PROGRAM)" $(GRAFT_OBJECT)

## firmware-graft: put it into the vendor's file BASE, and write OUT
firmware-graft: firmware
	+@$(MAKE_IN) O=build/host build/host/bin/nfpchan
	@build/host/bin/nfpchan firmware graft --base "$(BASE)" --output "$(OUT)" $(GRAFT_OBJECT)

# The vendor's file for the emulated card, with ME processes of the tests' card as microcode
TEST_SOURCES = $(addprefix $(TEST_APPS)/,$(1))
ME.35.1 := fw/apps/echo.c
ME.35.2 := $(call TEST_SOURCES,capitals.c)
ME.35.3 := $(call TEST_SOURCES,rv.c signals.c)
ME.35.4 := $(call TEST_SOURCES,load.c pit.c signals.c)
ME.35.5 := $(call TEST_SOURCES,stream.c pit.c)
ME_IMAGES := 35.1 35.2 35.3 35.4 35.5
me-image: ncl
	+@$(MAKE_IN) O=build/host build/host/bin/nfpchan build/host/gen/firmware-test/chan_table.h
	@mkdir -p build/me && rm -f build/me/*
	@$(foreach m,$(ME_IMAGES),scripts/firmware --table build/host/gen/firmware-test --me $(m) $(ME.$(m)) \
		build/me/$(m).o &&) true
	@if base=$$(scripts/setup --print firmware); then \
		build/host/bin/nfpchan firmware graft --output build/me/card.nffw \
			--base "$$base/bpf/nic_AMDA0099-0001_2x25.nffw" build/me/*.o; \
	else echo 'me-image: objects only, no package firmware-netronome'; fi

# scripts/vm needs the board, and the module and the guest's programs, compiled inside the root.
IN_ROOT = env -u MAKEFLAGS make $(SHOWN) -j$(JOBS) WERROR=$(WERROR) KFLAGS="KCFLAGS=$(WERROR)"

guest demo-guest image-guest:
	@scripts/in-root -- $(IN_ROOT) O=build/guest \
		KDIR="/lib/modules/$$(scripts/setup --print kernel)/build" guest-$(patsubst guest,tree,$(@:-guest=))

guest-7 guest-debug guest-kcsan: guest-%:
	@scripts/in-root --kernel $* -- sh -c 'exec $(IN_ROOT) O=build/guest-$* \
		KDIR="$$(echo /lib/modules/*/build)" module $(if $(filter 7,$*),,test-modules)'

## ncl: NCL's compiler, its programs and their tests, in a separate root (2 GB more)
ncl:
	@scripts/in-root --ncl -- $(IN_ROOT) O=build/ncl ncl-tree

vm-deps: setup
	+@$(MAKE_IN) O=build/host board accel build/host/test/nfpboard
	+@$(MAKE_IN) guest
	+@[ $(KERNEL) = 6.12 ] || $(MAKE_IN) guest-$(KERNEL)
	+@[ "$(ROOT)" != ncl ] || $(MAKE_IN) ncl

# What the first make demo builds, in a third of the time
demo-deps: setup
	+@$(MAKE_IN) O=build/host board
	+@$(MAKE_IN) demo-guest
	+@[ $(KERNEL) = 6.12 ] || $(MAKE_IN) guest-$(KERNEL)

##@ Test (T="FILE...": only these; KERNEL=7|debug|kcsan; FIRMWARE=me: processes as microcode; CHECK_ARGS=-v: show each test)
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

## lint: checkpatch --strict, sparse, shellcheck, Python, Go, Rust (45 s)
lint: setup
	@scripts/lint
