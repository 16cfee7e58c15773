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

VERSION := 0.2.0

CFLAGS ?= -O2 -g
OBJCOPY ?= objcopy
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
.PHONY: host guest-tree guest-demo guest-image ncl-tree no-llvm

##@ Build (CC, CFLAGS, CPPFLAGS, LDFLAGS, WERROR=-Werror; O=DIR for what is built; APPS=DIR: ME processes too; V=1: show commands)
## all: all of these (default; 20 s)
## module: nfp_chan.ko for the kernel whose headers are in KDIR
## userspace: libnfpchan, the nfpchan command, the examples
## board: the emulated card, build/host/bin/nfpboard
## rust: the Rust crate, with cargo, in build/host/rust
## accel: emulated accelerators, build/host/bin/nfpaccel
## fabric: the model of a PCIe switch, build/host/bin/nfpfabric
## install: user space below PREFIX (/usr/local), in DESTDIR; userspace/doc/INSTALL.rst has all folders
## install-board: the emulated card, accelerators and switch, likewise
## uninstall: remove what both have installed
all: userspace $(if $(call have,libpcap),board,no-libpcap) accel fabric \
	$(if $(wildcard $(KDIR)/Makefile),module,no-headers) $(if $(LLVM),,no-llvm) rust

FRAGMENTS := kmod/kmod.mk fw/image/image.mk userspace/userspace.mk userspace/ncl/ncl.mk userspace/ncl/examples/examples.mk \
	fw/mecc/mecc.mk fw/fw.mk fw/emu/vfio_user/vfio_user.mk fw/emu/board/board.mk fw/emu/accel/accel.mk fw/emu/fabric/fabric.mk \
	selftests/selftests.mk
include $(FRAGMENTS) scripts/packaging/install.mk scripts/packaging/packaging.mk scripts/run.mk selftests/bench/bench.mk

no-headers:
	@echo 'make: no kernel headers in $(KDIR), so no module: install linux-headers-$(shell uname -r), or set KDIR=' >&2
no-libpcap:
	@echo 'make: no libpcap (libpcap-dev), so no board' >&2

no-llvm:
	@echo 'make: no headers of LLVM 17 or later (llvm-19-dev), so no nclc: make ncl builds it in a separate root' >&2

$(O)/obj/%.o: %.c Makefile $(FRAGMENTS)
	@mkdir -p $(@D)
	$(call Q,CC)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

clean:
	rm -rf build

help:
	@awk '/^##@ / { printf "\n%s\n", substr($$0, 5) } /^## / { sub(/: /, "\t"); \
		split(substr($$0, 4), a, "\t"); printf "  %-12s %s\n", a[1], a[2] }' \
		Makefile scripts/packaging/packaging.mk scripts/run.mk selftests/bench/bench.mk

-include $(shell find $(O)/obj -name '*.d' 2>/dev/null)
