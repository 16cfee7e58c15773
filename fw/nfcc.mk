# SPDX-License-Identifier: BSD-2-Clause
# Compile the firmware with the vendor's compiler nfcc. Each microengine's image is a list file.
# Nobody has run this file, because the SDK is not public. README.rst lists what is missing.
#
#   make -f fw/nfcc.mk SDK=/opt/netronome FLOWENV=../flowenv

SDK ?= /opt/netronome
FLOWENV ?= flowenv
O ?= build/nfcc
NFCC ?= $(SDK)/bin/nfcc
CHIP ?= nfp-4xxxc
comma := ,

INC := -I$(O)/gen -Iuapi -Ifw/nfcc -Ifw/abi -Ifw/chan -Ifw/apps \
	-I$(FLOWENV)/me/include -I$(FLOWENV)/me/lib \
	-I$(SDK)/components/standardlibrary/include \
	-I$(SDK)/components/standardlibrary/microc/include
NFCCFLAGS ?= -chip $(CHIP) -O2 -W3 -Qbigendian -Qnctx=8 -Qnctx_mode=8 -Qspill=7

CHANFILES := $(wildcard fw/apps/*.chan $(addsuffix /*.chan,$(APPS)))
SOURCES := $(wildcard fw/chan/*.c fw/apps/*.c $(addsuffix /*.c,$(APPS)))

# The sources of an image: those that define its entries, and NEEDS.IMAGE, which the entries call.
$(foreach l,$(shell scripts/chantab --images $(CHANFILES) | tr ' ' ,),\
	$(eval IMAGES += $(firstword $(subst $(comma), ,$(l)))))
sources = $(shell grep -lE "^void ($$(scripts/chantab --images $(CHANFILES) | \
	sed -n 's/^$(1) //p' | tr ' ' '|'))\(void\)" $(SOURCES))
NEEDS.i36.me0 := $(filter-out fw/chan/chan_proc.c,$(wildcard fw/chan/*.c))
NEEDS.i36.me1 := fw/chan/chan_dma.c
NEEDS.i32.me0 := $(addprefix fw/apps/,flow_parse.c flow_queue.c flow_table.c frames_bpf.c \
	frames_rss.c)
# Processes of tests: APPS=selftests/fw/apps
NEEDS.i35.me5 := $(filter %/pit.c,$(SOURCES))

.SECONDEXPANSION:
.PHONY: nfcc
nfcc: $(IMAGES:%=$(O)/%.list)

$(O)/gen/chan_table.c: scripts/chantab $(CHANFILES)
	scripts/chantab --out $(O)/gen $(CHANFILES)

$(O)/%.list: $$(sort $$(call sources,$$*) $$(NEEDS.$$*) fw/chan/chan_proc.c) $(O)/gen/chan_table.c
	$(NFCC) $(NFCCFLAGS) $(INC) -Fe$@ $^ $(O)/gen/$*.c
