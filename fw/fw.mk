# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The firmware, compiled with fw/emu/hal for the machine that builds it.

INC.fw/emu/hal := -Iuapi -Ifw/abi -Ifw/emu/hal -Ifw/emu/board/core -I$(O)/gen
INC.fw/chan := -Iuapi -Ifw/abi -Ifw/chan -Ifw/emu/hal -I$(O)/gen
INC.fw/apps := -Iuapi -Ifw/abi -Ifw/apps -Iselftests/fw/apps -Ifw/chan -Ifw/emu/hal -I$(O)/gen
INC.build/gen = $(INC.fw/apps)

# APPS=DIR adds the apps of a folder outside the tree to the firmware: DIR/*.chan and DIR/*.c
# (scripts/new-app --dir DIR). DIR/test_*.c are unit tests of these apps.
ifneq ($(APPS),)
ifneq ($(words $(APPS))$(wildcard $(APPS)/.),1$(APPS)/.)
$(error APPS=$(APPS) is not a folder, or the name has blanks)
endif
override APPS := $(abspath $(APPS))
export APPS
APP_SRC := $(filter-out $(APPS)/test_%,$(wildcard $(APPS)/*.c))
$(call obj,$(APP_SRC)) $(APP_SRC:%.c=$(O)/obj/swap/%.o): INC = $(INC.fw/apps)
endif

FW := $(call obj,$(wildcard fw/emu/hal/*.c fw/chan/*.c fw/apps/*.c selftests/fw/apps/*.c) $(APP_SRC)) \
	$(O)/obj/gen/chan_table.o $(O)/obj/gen/chan_entries.o
CHANFILES := $(wildcard fw/apps/*.chan selftests/fw/apps/*.chan $(addsuffix /*.chan,$(APPS)))
TABLE := $(O)/gen/chan_table

# Make does not rebuild a target when one of its sources is removed. Therefore targets depend on
# this list of files, which is written when the list has changed.
LIST := $(O)/files.list

$(LIST): FORCE
	@mkdir -p $(@D)
	@[ "$(CHANFILES) $(FW) $(BOARD_OBJ) $(VFIO_USER_OBJ) $(ACCEL_OBJ)" = "$$(cat $@ 2>/dev/null)" ] || \
		echo "$(CHANFILES) $(FW) $(BOARD_OBJ) $(VFIO_USER_OBJ) $(ACCEL_OBJ)" >$@

# chantab generates the table of channels from the .chan files. All firmware includes the table.
$(TABLE).h: $(CHANFILES) $(LIST) scripts/chantab
	@mkdir -p $(@D)
	scripts/chantab --out $(O)/gen $(CHANFILES)

$(TABLE).c $(O)/gen/chan_entries.c: $(TABLE).h ;

$(O)/obj/gen/%.o: $(O)/gen/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

$(O)/obj/gen/%.o: INC = $(INC.fw/apps)
# scripts/fuzz sets FW_CFLAGS: additional flags for the firmware only.
$(FW): DEF = $(FW_CFLAGS)
# Firmware is C of 1989, the language of the vendor's compiler. See also: scripts/lint micro-c.
MICRO_C := -std=gnu89 -Wdeclaration-after-statement
$(filter-out $(O)/obj/fw/emu/hal/%,$(FW)): DEF = $(MICRO_C) $(FW_CFLAGS)
$(FW): | $(TABLE).h

# The firmware for unit tests. A context may give up the processor at each access to memory: gcc
# inserts calls for -fsanitize=thread, and hal/hal_access.c defines the functions that it calls.
# A build with a sanitizer in CFLAGS keeps that sanitizer, and gets no further calls.
SWAP_FW := $(patsubst $(O)/obj/%,$(O)/obj/swap/%,$(filter-out $(O)/obj/fw/emu/hal/%,$(FW)))
$(SWAP_FW): DEF = $(MICRO_C) $(FW_CFLAGS) $(if $(findstring -fsanitize,$(CFLAGS)),,-fsanitize=thread)
$(SWAP_FW): | $(TABLE).h
$(O)/obj/swap/%.o: %.c Makefile $(FRAGMENTS)
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@
$(O)/obj/swap/gen/%.o: $(O)/gen/%.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@
$(O)/obj/swap/gen/%.o: INC = $(INC.fw/apps)
$(O)/lib/firmware-swap.o: $(SWAP_FW) $(filter $(O)/obj/fw/emu/hal/%,$(FW)) $(LIST)
	@mkdir -p $(@D)
	$(LD) -r -o $@ $(filter %.o,$^)

# All firmware, in one object file. hal_entries, a table in it, has the entries of the contexts.
$(O)/lib/firmware.o: $(FW) $(LIST)
	@mkdir -p $(@D)
	$(LD) -r -o $@ $(FW)
