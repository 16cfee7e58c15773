# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# The firmware, compiled with fw/emu/hal for the machine that builds it.

INC.fw/emu/hal := -Iuapi -Ifw/abi -Ifw/emu/hal -Ifw/emu/board/core
INC.fw/chan := -Iuapi -Ifw/abi -Ifw/chan -Ifw/emu/hal
INC.fw/apps := $(INC.fw/chan) -Ifw/apps

# APPS=DIR adds the apps of a folder outside the tree to the firmware: DIR/*.chan and DIR/*.c
# (scripts/new-app --dir DIR). DIR/test_*.c are unit tests of these apps.
ifneq ($(APPS),)
ifneq ($(words $(APPS))$(wildcard $(APPS)/.),1$(APPS)/.)
$(error APPS=$(APPS) is not a folder, or the name has blanks)
endif
override APPS := $(abspath $(APPS))
export APPS
endif

# Processes that only tests use
TEST_APPS := selftests/fw/apps
HAL_OBJ := $(call obj,$(wildcard fw/emu/hal/*.c))
# Firmware is C of 1989, the language of the vendor's compiler. See also: scripts/lint micro-c.
MICRO_C := -std=gnu89 -Wdeclaration-after-statement

# Make does not rebuild a target when one of its sources is removed. Therefore targets depend on
# this list of files, which is written when the list has changed.
LIST := $(O)/files.list
LISTED = $(CHANFILES) $(FW) $(HAL_OBJ) $(BOARD_OBJ) $(VFIO_USER_OBJ) $(ACCEL_OBJ)

$(LIST): FORCE
	@mkdir -p $(@D)
	@[ "$(LISTED)" = "$$(cat $@ 2>/dev/null)" ] || echo "$(LISTED)" >$@

# firmware NAME, FOLDERS, FLAGS: lib/NAME.o has the managers and the processes of FOLDERS, and
# hal_entries, a table of the contexts' entries. chantab generates the table of channels in gen/NAME
# from the .chan files. scripts/fuzz sets FW_CFLAGS: additional flags for the firmware only.
define firmware
FW.$(1) := $$(patsubst %.c,$(O)/obj/$(1)/%.o,$$(filter-out $(APPS)/test_%,$$(wildcard fw/chan/*.c $(2:%=%/*.c))) \
	gen/chan_table.c gen/chan_entries.c)
CHANFILES.$(1) := $$(wildcard $(2:%=%/*.chan))
FW += $$(FW.$(1))
CHANFILES += $$(CHANFILES.$(1))

$(O)/gen/$(1)/chan_table.h: $$(CHANFILES.$(1)) $(LIST) scripts/chantab
	$$(call Q,GEN)scripts/chantab --out $$(@D) $$(CHANFILES.$(1))
$(O)/gen/$(1)/chan_table.c $(O)/gen/$(1)/chan_entries.c: $(O)/gen/$(1)/chan_table.h ;

$$(FW.$(1)): DEF = $(MICRO_C) -I$(O)/gen/$(1) $(FW_CFLAGS) $(3)
$$(filter-out $(O)/obj/$(1)/fw/chan/%,$$(FW.$(1))): INC = $(INC.fw/apps)
$$(FW.$(1)): | $(O)/gen/$(1)/chan_table.h
$(O)/obj/$(1)/%.o: %.c Makefile $(FRAGMENTS)
	@mkdir -p $$(@D)
	$$(call Q,CC)$$(CC) $$(ALL_CFLAGS) -MMD -MP -c $$< -o $$@
$(O)/obj/$(1)/gen/%.o: $(O)/gen/$(1)/%.c
	@mkdir -p $$(@D)
	$$(call Q,CC)$$(CC) $$(ALL_CFLAGS) -MMD -MP -c $$< -o $$@
$(O)/lib/$(1).o: $$(FW.$(1)) $(HAL_OBJ) $(LIST)
	@mkdir -p $$(@D)
	$$(call Q,LD)$$(LD) -r -o $$@ $$(filter %.o,$$^)
endef

$(HAL_OBJ): DEF = $(FW_CFLAGS)
$(eval $(call firmware,firmware,fw/apps $(APPS)))
# The firmware of the tests' card, and the firmware for unit tests. In the latter a context may give
# up the processor at each access to memory: gcc inserts calls for -fsanitize=thread, and
# hal/hal_access.c defines the functions that it calls. A build with a sanitizer in CFLAGS keeps
# that sanitizer, and gets no further calls.
$(eval $(call firmware,firmware-test,fw/apps $(TEST_APPS) $(APPS)))
$(eval $(call firmware,firmware-swap,fw/apps $(TEST_APPS) $(APPS),$(if $(findstring -fsanitize,$(CFLAGS)),,-fsanitize=thread)))
