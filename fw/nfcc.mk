# SPDX-License-Identifier: BSD-2-Clause
# Compile the firmware's sources with the vendor's nfcc, one list file for each
# microengine. Never run: the SDK is not public. See README.rst for what is
# missing on that side.
#
#   make -f fw/nfcc.mk SDK=/opt/netronome FLOWENV=../flowenv

SDK ?= /opt/netronome
FLOWENV ?= flowenv
O ?= build/nfcc
NFCC ?= $(SDK)/bin/nfcc
CHIP ?= nfp-4xxxc

INC := -I$(O)/gen -Iuapi -Ifw/nfcc -Ifw/abi -Ifw/chan -Ifw/apps \
	-I$(FLOWENV)/me/include -I$(FLOWENV)/me/lib \
	-I$(SDK)/components/standardlibrary/include \
	-I$(SDK)/components/standardlibrary/microc/include
NFCCFLAGS ?= -chip $(CHIP) -O2 -W3 -Qbigendian -Qnctx=8 -Qnctx_mode=8 -Qspill=7

MANAGERS := $(filter-out fw/chan/chan_proc.c,$(wildcard fw/chan/*.c))
PROC := fw/chan/chan_proc.c

i36.me0 := $(MANAGERS) $(PROC)
i36.me1 := fw/apps/glue.c fw/chan/chan_dma.c $(PROC)
i32.me0 := fw/apps/flowmeter.c fw/apps/flow_parse.c fw/apps/flow_table.c $(PROC)
i33.me0 := fw/apps/echo.c $(PROC)
i33.me1 := fw/apps/load.c $(PROC)
IMAGES := i36.me0 i36.me1 i32.me0 i33.me0 i33.me1

.SECONDEXPANSION:
.PHONY: nfcc
nfcc: $(IMAGES:%=$(O)/%.list)

$(O)/gen/chan_table.c: scripts/chantab $(wildcard fw/apps/*.chan)
	scripts/chantab --out $(O)/gen $(wildcard fw/apps/*.chan)

$(O)/%.list: $$($$*) $(O)/gen/chan_table.c
	$(NFCC) $(NFCCFLAGS) $(INC) -Fe$@ $^
