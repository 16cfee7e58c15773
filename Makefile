# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# nfp-chan: build, demo and tests. `make help` lists the targets.

# Everything built goes below O. `make guest` runs this file again, with
# O=build/guest, inside the Debian 13 root whose kernel the test VM boots.
O ?= build/host
KDIR ?= /lib/modules/$(shell uname -r)/build
PREFIX ?= /usr/local
# Where Debian's Python looks: what is not a package's has a folder of the version.
PYTHONDIR ?= $(PREFIX)/lib/python$(if $(filter /usr,$(PREFIX)),3,$(shell \
	python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])'))/dist-packages
PCAP ?= selftests/data/real.pcap

VERSION := 0.1.0
SOVER := 0

CFLAGS ?= -O2 -g
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror
INC := -Iuapi $(addprefix -Ifw/board/,core cpp pci me nsp nic bpf wire vfio_user fault) \
	$(addprefix -Iselftests/,. rig rig/card rig/guest) -Ifw/hal -Ifw/chan -Ifw/apps -Iuserspace/lib -Iuserspace/tools \
	-I$(O)/gen
ALL_CFLAGS = -std=gnu11 -fPIC -pthread $(WARN) $(INC) -DNFPCHAN_VERSION='"$(VERSION)"' \
	$(if $(LIBBPF),-DNFPCHAN_LIBBPF) $(CFLAGS)

obj = $(patsubst %.c,$(O)/obj/%.o,$(1))

BOARD := $(call obj,$(filter-out fw/board/main.c,$(wildcard fw/board/*.c fw/board/*/*.c)) \
	selftests/rig/card/inproc.c)
FW := $(call obj,$(wildcard fw/hal/*.c fw/chan/*.c fw/apps/*.c)) $(O)/obj/gen/chan_table.o
LIB := $(call obj,$(wildcard userspace/lib/*.c))
TOOL := $(call obj,$(wildcard userspace/tools/*.c))
# nfpchan xdp needs libbpf 1.0 or later; without it, all else is built.
LIBBPF := $(shell pkg-config --libs 'libbpf >= 1.0' libelf 2>/dev/null)
ifneq ($(LIBBPF),)
TOOL += $(call obj,$(wildcard userspace/tools/explain/*.c userspace/tools/xdp/*.c))
endif
EXAMPLES := $(patsubst userspace/examples/%.c,$(O)/bin/%,$(wildcard userspace/examples/*.c))
UNIT := $(patsubst %.c,$(O)/test/%,$(notdir $(wildcard selftests/*/test_*.c)))
ifeq ($(LIBBPF),)
UNIT := $(filter-out %/test_explain_scalar %/test_explain_walk,$(UNIT))
endif
BENCH := $(patsubst selftests/bench/%.c,$(O)/bench/%,$(wildcard selftests/bench/*.c))
GUEST := $(patsubst %.c,$(O)/test/%,$(notdir $(wildcard selftests/*/guest/*.c)))
FUZZ := $(call obj,$(wildcard selftests/fuzz/xdp/*.c))
CHANFUZZ := $(call obj,$(wildcard selftests/fuzz/calls/*.c))
XDP := $(patsubst selftests/xdp/programs/%.c,$(O)/xdp/%.o,$(wildcard selftests/xdp/programs/*.c)) \
	$(patsubst userspace/examples/xdp/%.c,$(O)/xdp/%.o,$(wildcard userspace/examples/xdp/*.c))
XDPREFUSED := $(patsubst selftests/xdp/refused/%.c,$(O)/xdp-refused/%.o,$(wildcard selftests/xdp/refused/*.c))
XDPCRASH := $(patsubst selftests/xdp/crash/%.c,$(O)/xdp-crash/%.o,$(wildcard selftests/xdp/crash/*.c))
CHANFILES := $(wildcard fw/apps/*.chan)
GOSRC := $(shell find userspace/go -name '*.go' -o -name '*.s' -o -name go.mod)
GO := cd userspace/go && GOCACHE=$(abspath $(O))/go-cache GOTOOLCHAIN=local GOPROXY=off \
	GOFLAGS=-buildvcs=false CGO_ENABLED=0 go

LIBSO := $(O)/lib/libnfpchan.so.$(VERSION)
LIBA := $(O)/lib/libnfpchan.a
PC := $(O)/lib/pkgconfig/libnfpchan.pc

.DELETE_ON_ERROR:
.SUFFIXES:
.SECONDARY:

export PYTHONPATH := $(CURDIR)/selftests/rig:$(CURDIR)/userspace/python:$(CURDIR)/scripts

.PHONY: fuzz fuzz-card fuzz-calls all userspace module board host guest-tree guest guest-7 \
	guest-debug guest-kcsan vm-deps setup demo demo-xdp check check-unit check-vm check-tsan \
	check-stress check-soak soak check-nightly check-matrix check-debug check-storms \
	check-kcsan module-7 module-debug module-kcsan bench bench-tcp bench-xdp plots lint \
	go-vet go-test install clean help FORCE

## all: the module for the running kernel, library and tools (default)
all: module userspace

## userspace: libnfpchan, the nfpchan command, the examples
userspace: $(LIBSO) $(LIBA) $(PC) $(O)/bin/nfpchan $(EXAMPLES)

## board: the emulated card, build/host/bin/nfpboard
board: $(O)/bin/nfpboard

host: userspace board $(UNIT) $(BENCH)

# The module is built in a tree of links, so that one checkout serves several
# kernels and the build leaves no file in it. MAKEFLAGS holds our O=, which to
# kbuild is where the kernel itself was built.
KTREE := $(O)/kmod
KSRC := $(wildcard kmod/*.c kmod/*.h uapi/linux/*.h uapi/*.h) Kbuild

## module: nfp_chan.ko for KDIR (the running kernel's headers)
module: $(KTREE)/nfp_chan.ko

# Headers of a kernel are as old as that kernel: by their dates objects of another one,
# or of one that is configured differently, would stay.
KERNEL_ID := $(O)/kernel.id

$(KERNEL_ID): FORCE
	@mkdir -p $(@D)
	@id="$$(readlink -f "$(KDIR)") $$(cat "$(KDIR)/include/generated/autoconf.h" \
		"$(KDIR)/Module.symvers" 2>/dev/null | cksum)"; \
	[ "$$id" = "$$(cat $@ 2>/dev/null)" ] || \
		{ rm -rf $(KTREE) $(O)/splats && echo "$$id" >$@; }

$(KTREE)/nfp_chan.ko: $(KSRC) $(KERNEL_ID)
	@test -d "$(KDIR)" || { echo "make: no kernel headers in $(KDIR): install linux-headers-$$(uname -r) or set KDIR=" >&2; exit 1; }
	@mkdir -p $(KTREE)/kmod $(KTREE)/uapi/linux
	@for f in $(KSRC); do ln -sf "$(CURDIR)/$$f" "$(KTREE)/$$f"; done
	+env -u MAKEFLAGS $(MAKE) -C $(KDIR) M=$(abspath $(KTREE)) $(KFLAGS) modules
	@touch $@

$(O)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

# The channel table comes from the declarative files, and all firmware sees it.
$(O)/gen/chan_table.h: $(CHANFILES) scripts/chantab
	@mkdir -p $(@D)
	scripts/chantab --out $(O)/gen $(CHANFILES)

$(O)/gen/chan_table.c: $(O)/gen/chan_table.h ;

$(O)/obj/gen/chan_table.o: $(O)/gen/chan_table.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

$(FW) $(call obj,$(wildcard selftests/*/test_*.c selftests/bench/*.c)): | $(O)/gen/chan_table.h

$(O)/lib/libboard.a: $(BOARD)
	@mkdir -p $(@D)
	rm -f $@ && $(AR) rcs $@ $^

# FW_CFLAGS: of firmware alone, for scripts/fuzz
$(FW): ALL_CFLAGS += $(FW_CFLAGS)

# The firmware is linked whole: its contexts are found through the table.
$(O)/lib/firmware.o: $(FW)
	@mkdir -p $(@D)
	$(LD) -r -o $@ $^

$(O)/bin/nfpboard: $(O)/obj/fw/board/main.o $(O)/lib/firmware.o $(O)/lib/libboard.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -pthread -o $@ $^ -lpcap $(LDFLAGS)

$(LIBSO): $(LIB) userspace/lib/libnfpchan.map
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -pthread -shared -Wl,-soname,libnfpchan.so.$(SOVER) \
		-Wl,--version-script=userspace/lib/libnfpchan.map -o $@ $(LIB) $(LDFLAGS)
	ln -sf $(@F) $(O)/lib/libnfpchan.so.$(SOVER)
	ln -sf libnfpchan.so.$(SOVER) $(O)/lib/libnfpchan.so

$(LIBA): $(LIB)
	@mkdir -p $(@D)
	rm -f $@ && $(AR) rcs $@ $^

$(PC): userspace/lib/libnfpchan.pc.in Makefile
	@mkdir -p $(@D)
	sed -e 's|@PREFIX@|$(PREFIX)|g' -e 's|@VERSION@|$(VERSION)|g' $< > $@

$(O)/bin/nfpchan: $(TOOL) $(LIBSO)
	@mkdir -p $(@D)
	$(if $(LIBBPF),,@echo 'make: no libbpf 1.0 or later (libbpf-dev): nfpchan without "xdp"' >&2)
	$(CC) $(CFLAGS) -pthread -o $@ $(TOOL) -L$(O)/lib -lnfpchan \
		-Wl,-rpath,'$$ORIGIN/../lib' $(LIBBPF) $(LDFLAGS)

$(O)/bin/%: $(O)/obj/userspace/examples/%.o $(LIBSO)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -pthread -o $@ $< -L$(O)/lib -lnfpchan \
		-Wl,-rpath,'$$ORIGIN/../lib' $(LDFLAGS)

# For unit tests of the tool's printers
$(O)/lib/libtool.a: $(filter-out %/main.o,$(TOOL))
	@mkdir -p $(@D)
	rm -f $@ && $(AR) rcs $@ $^

# A test's program is named after its source, whatever the folder.
define test_program
$(O)/test/$(basename $(notdir $(1))): $(call obj,$(1)) $(2)
	@mkdir -p $$(@D)
	$$(CC) $$(CFLAGS) -pthread -o $$@ $$^ $(3) $$(LDFLAGS)
endef

$(foreach c,$(wildcard selftests/*/test_*.c),$(eval $(call test_program,$(c),$(O)/lib/firmware.o \
	$(O)/lib/libboard.a $(LIBA) $(O)/lib/libtool.a,-lcmocka -lpcap $(LIBBPF))))
$(foreach c,$(wildcard selftests/*/guest/*.c),$(eval $(call test_program,$(c),$(LIBA),)))

$(filter $(O)/test/xdp_%,$(GUEST)): LDFLAGS += -lbpf
$(O)/test/chan_uring $(O)/test/chan_port $(O)/test/chan_kill_in: LDFLAGS += -luring
$(O)/test/soak $(O)/test/storm_card $(O)/test/fail_nth: LDFLAGS += -lbpf

$(O)/bench/%: $(O)/obj/selftests/bench/%.o $(O)/lib/firmware.o $(O)/lib/libboard.a $(LIBA)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -pthread -o $@ $^ -lpcap $(LDFLAGS)

$(O)/test/xdp_fuzz: $(FUZZ)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $^ -lbpf $(LDFLAGS)

# By scripts/fuzz, in a root that has libFuzzer
$(O)/fuzz/%: $(O)/obj/selftests/fuzz/%.o $(O)/lib/firmware.o $(O)/lib/libboard.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -fsanitize=fuzzer -pthread -o $@ $^ -lpcap $(LDFLAGS)

$(O)/test/chan_fuzz: $(CHANFUZZ)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -pthread -o $@ $^ -luring -lbpf $(LDFLAGS)

# The card's JIT knows no instruction that came after BPF version 3.
BPF_CPU = v3
BPF_CC = clang -target bpf -mcpu=$(BPF_CPU) -O2 -g -Wall -Werror \
	-I/usr/include/$(shell $(CC) -print-multiarch)

$(O)/xdp/%.o: selftests/xdp/programs/%.c $(wildcard selftests/xdp/programs/*.h)
	@mkdir -p $(@D)
	$(BPF_CC) -c $< -o $@

$(O)/xdp/%.o: userspace/examples/xdp/%.c $(wildcard userspace/examples/xdp/*.h)
	@mkdir -p $(@D)
	$(BPF_CC) -c $< -o $@

# Programs that the card does not take, some for being of version 4
$(O)/xdp-refused/%_v4.o: BPF_CPU = v4

$(O)/xdp-refused/%.o: selftests/xdp/refused/%.c selftests/xdp/programs/diff.h
	@mkdir -p $(@D)
	$(BPF_CC) -c $< -o $@

$(O)/xdp-crash/%.o: selftests/xdp/crash/%.c selftests/xdp/programs/diff.h
	@mkdir -p $(@D)
	$(BPF_CC) -c $< -o $@

## setup: packages, test root and QEMU, once, in the cache (see README.rst)
setup:
	scripts/setup

# The Go package is used as source; what is built of it is for the VM's tests.
$(O)/bin/flows-go: $(GOSRC)
	@mkdir -p $(@D)
	$(GO) build -trimpath -o $(abspath $@) ./examples/flows

$(O)/test/lang_go: $(GOSRC)
	@mkdir -p $(@D)
	$(GO) test -c -trimpath -o $(abspath $@) ./nfpchan

# Both inside the root, for lint and for the unit tests
go-vet:
	@cd userspace/go && test -z "$$(gofmt -l . | tee /dev/stderr)"
	@$(GO) vet ./...
	@export GOARCH=arm64; $(GO) vet ./...

go-test:
	@$(GO) test -v -run '^TestRing' ./nfpchan

# What runs in the guest; called inside the root by `make guest`.
guest-tree: userspace module $(GUEST) $(XDP) $(XDPREFUSED) $(XDPCRASH) $(O)/test/xdp_fuzz \
	$(O)/test/chan_fuzz \
	$(O)/bin/flows-go $(O)/test/lang_go

# No kernel of ours builds the module with a warning
WERROR := KFLAGS=KCFLAGS=-Werror

## guest: module, tools and test programs for the VM's kernel
guest:
	@scripts/in-root -- make --no-print-directory -j2 O=build/guest \
		KDIR="/lib/modules/$$(scripts/setup --print kernel)/build" $(WERROR) guest-tree

# The module alone, for another kernel (scripts/vm --kernel), by its own compiler
guest-7 guest-debug guest-kcsan: guest-%:
	@scripts/in-root --kernel $* -- sh -c 'exec make --no-print-directory -j2 \
		O=build/guest-$* KDIR="$$(echo /lib/modules/*/build)" $(WERROR) module-$*'

module-7: module
module-debug module-kcsan: module $(O)/splats/splats.ko

# For selftests/debug
SPLATS := $(addprefix selftests/kmod/splats/,splats.c Kbuild)

$(O)/splats/splats.ko: $(SPLATS) $(KERNEL_ID)
	@mkdir -p $(@D)
	@ln -sf $(addprefix $(CURDIR)/,$(SPLATS)) $(@D)/
	+env -u MAKEFLAGS $(MAKE) -C $(KDIR) M=$(abspath $(@D)) $(KFLAGS) modules
	@touch $@

# KERNEL: the one of scripts/vm --kernel
KERNEL ?= 6.12

vm-deps: setup
	@$(MAKE) --no-print-directory -s O=build/host board
	@$(MAKE) --no-print-directory -s guest
	@[ $(KERNEL) = 6.12 ] || $(MAKE) --no-print-directory -s guest-$(KERNEL)

## demo: flow records of a capture (PCAP=FILE), end to end in the VM
demo:
	@scripts/demo "$(PCAP)"

## demo-xdp: TCP connections of a capture (PCAP=FILE), told by an offloaded program
demo-xdp:
	@scripts/demo-xdp "$(PCAP)"

## check: every test, with prove (check-unit: those without a VM)
check: setup
	@scripts/setup --print opcodes >/dev/null
	@$(MAKE) --no-print-directory -s -j2 host
	@$(MAKE) --no-print-directory -s guest
	@$(MAKE) --no-print-directory -s check-tsan
	@scripts/check $(UNITTESTS) $(VMTESTS)

check-unit: setup
	@scripts/setup --print opcodes >/dev/null
	@$(MAKE) --no-print-directory -s -j2 host
	@scripts/check $(UNITTESTS)

check-vm: setup
	@$(MAKE) --no-print-directory -s -j2 host
	@$(MAKE) --no-print-directory -s guest
	@scripts/check $(VMTESTS)

# The library in threads, and the firmware, whose contexts are fibers to it. A
# random address space of more than 28 bits leaves ThreadSanitizer no room.
TSAN := $(patsubst %,build/tsan/test/test_%,ring_threads stress stream chan_race port_lib)

## check-tsan: tests that have threads, built with ThreadSanitizer (part of check)
check-tsan: setup
	@$(MAKE) --no-print-directory -s -j2 O=build/tsan \
		CFLAGS='-O1 -g -fsanitize=thread -Wno-tsan' $(TSAN)
	@CMOCKA_MESSAGE_OUTPUT=TAP prove --timer --merge --exec 'setarch -R' $(TSAN)

## check-stress: all kinds of channels at once for STRESS seconds (120)
check-stress: setup
	@$(MAKE) --no-print-directory -s -j2 build/host/test/test_stress
	@STRESS=$(or $(STRESS),120) CMOCKA_MESSAGE_OUTPUT=TAP \
		prove --timer --merge --verbose --exec '' build/host/test/test_stress

# Random calls run on this one, which sees and guides more than the root's.
CALLS_KERNEL = $(or $(NFPCHAN_KERNEL),debug)
CALLS_GUEST = guest $(addprefix guest-,$(filter-out 6.12,$(CALLS_KERNEL)))

## fuzz: what the card is given by its client, and the module by users, for TIME seconds (60)
fuzz: setup
	@$(MAKE) --no-print-directory -s -j2 host
	@$(MAKE) --no-print-directory -s $(CALLS_GUEST)
	@$(MAKE) --no-print-directory -s -j2 fuzz-card fuzz-calls

# Both at once: an hour of fuzzing is an hour.
fuzz-card:
	@env -u MAKEFLAGS scripts/fuzz --time $(or $(TIME),60) vfio_user

fuzz-calls:
	@env -u MAKEFLAGS TIME=$(or $(TIME),60) scripts/check selftests/fuzz/calls.t

## soak: all kinds of channels by two dozen processes for MINUTES (5), with kills and faults, too
soak: setup
	@$(MAKE) --no-print-directory -s -j2 host
	@$(MAKE) --no-print-directory -s guest
	@MINUTES=$(or $(MINUTES),5) CHECK_ARGS=-v scripts/check selftests/stress/soak.t

## check-soak: the vNICs' test with traffic of SOAK seconds (60) at full speed
check-soak: setup
	@$(MAKE) --no-print-directory -s -j2 host
	@$(MAKE) --no-print-directory -s guest
	@SOAK=$(or $(SOAK),60) scripts/check selftests/board/vnic.t

## check-nightly: 10,000 random XDP programs (COUNT=, SEED=), what they avoid, what crashes the driver
check-nightly: setup
	@scripts/setup --print opcodes >/dev/null
	@$(MAKE) --no-print-directory -s -j2 host
	@$(MAKE) --no-print-directory -s $(CALLS_GUEST)
	@scripts/check selftests/nightly

## check-matrix: VM tests on the root's kernel, and on the newest one of the backports
check-matrix: setup
	@$(MAKE) --no-print-directory -s -j2 host
	@$(MAKE) --no-print-directory -s guest guest-7
	@status=0; scripts/check selftests/vm || status=1; \
	NFPCHAN_KERNEL=7 NFPCHAN_CHECK_LOGS=build/check-7 \
		scripts/check $(filter-out $(ROOT_KERNEL),$(VMTESTS)) || status=1; exit $$status

## check-debug: VM tests, and selftests/debug, on the debug kernel; DEBUG_T= names some only
check-debug: setup
	@$(MAKE) --no-print-directory -s -j2 host
	@$(MAKE) --no-print-directory -s guest guest-debug
	@NFPCHAN_KERNEL=debug scripts/check $(or $(DEBUG_T),\
		$(filter-out $(ROOT_KERNEL),$(VMTESTS)) $(DEBUG_ONLY))

## check-storms: every storm LOOPS (200) times on the debug kernel, without kmemleak
STORMS := selftests/fuzz/storm_debug.t selftests/stress/reboot.t
DEBUG_ONLY = $(filter-out selftests/fuzz/storm_debug.t,$(wildcard selftests/debug/*.t))

check-storms: setup
	@$(MAKE) --no-print-directory -s -j2 host
	@$(MAKE) --no-print-directory -s guest guest-debug
	@LOOPS=$(or $(LOOPS),200) NFPCHAN_KERNEL=debug \
		NFPCHAN_KMEMLEAK=$(or $(NFPCHAN_KMEMLEAK),off) scripts/check $(STORMS)

## check-kcsan: what has most at once, on a kernel that looks for data races; KCSAN_T= names others
KCSAN_T ?= selftests/kcsan $(patsubst %,selftests/vm/%.t,kmod chan lib hostile storm fault)

check-kcsan: setup
	@$(MAKE) --no-print-directory -s -j2 host
	@$(MAKE) --no-print-directory -s guest guest-kcsan
	@NFPCHAN_KERNEL=kcsan scripts/check $(KCSAN_T)

# These run with the root's own kernel only: vm.t compares it with the package.
ROOT_KERNEL := selftests/tool/vm.t
VMTESTS := $(wildcard selftests/vm/*.t)

## bench: all benchmarks in one run, as a table; BENCH_JSON=FILE writes them
BENCH_JSON ?= build/bench.json

bench: setup
	@$(MAKE) --no-print-directory -s -j2 board userspace $(BENCH)
	@scripts/bench --json "$(BENCH_JSON)" $(BENCH_ARGS)

## plots: what make bench measured (BENCH_JSON=FILE), as PNG in build/plots
plots:
	@[ -s "$(BENCH_JSON)" ] || $(MAKE) --no-print-directory bench BENCH_JSON="$(BENCH_JSON)"
	@scripts/bench-plots "$(BENCH_JSON)"

## bench-xdp: a million events of a program, the stock way and into a channel
bench-xdp: setup
	@$(MAKE) --no-print-directory -s -j2 host
	@$(MAKE) --no-print-directory -s guest
	@NFPCHAN_NO_BUILD=1 selftests/bench/xdp_events $(BENCH_ARGS)

## bench-tcp: TCP between the card's ports, against a NIC of QEMU's own
bench-tcp: setup
	@$(MAKE) --no-print-directory -s -j2 host
	@$(MAKE) --no-print-directory -s guest
	@NFPCHAN_NO_BUILD=1 selftests/bench/tcp $(BENCH_ARGS)

## lint: checkpatch --strict, sparse, shellcheck, Python, Go
lint: setup
	@scripts/lint

## install: library, headers, tool, Python package, man pages, udev rule below PREFIX
install: userspace
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/pkgconfig \
		$(DESTDIR)$(PREFIX)/include/linux $(DESTDIR)$(PREFIX)/share/man/man1 \
		$(DESTDIR)$(PREFIX)/share/man/man3 $(DESTDIR)/etc/udev/rules.d \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions
	install -m 755 $(O)/bin/nfpchan $(DESTDIR)$(PREFIX)/bin
	install -m 644 $(LIBSO) $(LIBA) $(DESTDIR)$(PREFIX)/lib
	ln -sf $(notdir $(LIBSO)) $(DESTDIR)$(PREFIX)/lib/libnfpchan.so.$(SOVER)
	ln -sf libnfpchan.so.$(SOVER) $(DESTDIR)$(PREFIX)/lib/libnfpchan.so
	install -m 644 $(PC) $(DESTDIR)$(PREFIX)/lib/pkgconfig
	install -m 644 userspace/lib/nfpchan.h userspace/lib/nfpchan_port.h $(DESTDIR)$(PREFIX)/include
	install -m 644 uapi/linux/*.h $(DESTDIR)$(PREFIX)/include/linux
	install -m 644 userspace/man/*.1 $(DESTDIR)$(PREFIX)/share/man/man1
	install -m 644 userspace/man/*.3 $(DESTDIR)$(PREFIX)/share/man/man3
	install -m 644 userspace/completion/nfpchan.bash \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/nfpchan
	install -d $(DESTDIR)$(PYTHONDIR)/nfpchan
	install -m 644 userspace/python/nfpchan/*.py $(DESTDIR)$(PYTHONDIR)/nfpchan
	install -m 644 userspace/udev/60-nfp-chan.rules $(DESTDIR)/etc/udev/rules.d
	$(if $(DESTDIR),,ldconfig)

clean:
	rm -rf build

help:
	@sed -n 's/^## //p' Makefile

-include $(shell find $(O)/obj -name '*.d' 2>/dev/null)
