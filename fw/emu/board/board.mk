# SPDX-License-Identifier: BSD-2-Clause
# The emulated card: libboard.a, and the program nfpboard.
#
# The layers, from the lowest to the highest, and the folders that each may include.
# An include of another folder's header fails to compile. Lower layers call upper ones only by
# callbacks, which the upper layer registers.
# board.h is the interface of the whole card, beside the sources that have its functions. The front
# ends, wire and front, need this interface only. front connects the board to the vfio-user server.
# All folders see fw/image, the profiles of firmware.
BOARD_FOLDERS := core pci cpp me nsp mes nic bpf wire front fault
BOARD_SEES.pci := core
BOARD_SEES.cpp := core pci
BOARD_SEES.me := core
BOARD_SEES.nsp := core pci cpp
BOARD_SEES.mes := core cpp me nsp
BOARD_SEES.nic := core pci cpp nsp
BOARD_SEES.bpf := core pci cpp me nsp nic
BOARD_SEES.wire := core
BOARD_SEES.front := core
BOARD_SEES.fault := core pci cpp

board_inc = $(addprefix -Ifw/emu/board/,$(1))
$(foreach f,$(BOARD_FOLDERS),$(eval INC.fw/emu/board/$(f) := $(call board_inc,$(f) $(BOARD_SEES.$(f))) -Ifw/image))
# Formats that the firmware shares with the library and the driver
INC.fw/emu/board/bpf += -Iuapi -Ifw/abi
INC.fw/emu/board/fault += -Iuapi -Ifw/abi
# The interface of the card
INC.fw/emu/board/wire += -Ifw/emu/board
INC.fw/emu/board/front += -Ifw/emu/board -Ifw/emu/vfio_user
INC.fw/emu/board := -Ifw/image -Ifw/emu/vfio_user $(call board_inc,. $(BOARD_FOLDERS))
# The program is linked with the firmware.
BOARD_MAIN := fw/emu/board/main.c fw/emu/board/guard.c
$(call obj,$(BOARD_MAIN)): INC += -Ifw/emu/hal

BOARD_OBJ := $(call obj,$(filter-out $(BOARD_MAIN),$(wildcard fw/emu/board/*.c fw/emu/board/*/*.c)))

board: $(O)/bin/nfpboard

$(O)/lib/libboard.a: $(BOARD_OBJ) $(LIST)

# The tests' card has the processes of the tests as well.
$(O)/bin/nfpboard: $(O)/lib/firmware.o
$(O)/test/nfpboard: $(O)/lib/firmware-test.o
$(O)/bin/nfpboard $(O)/test/nfpboard: $(call obj,$(BOARD_MAIN)) $(O)/lib/libboard.a \
		$(O)/lib/libvfio_user.a $(FWIMAGE)
	@mkdir -p $(@D)
	$(call Q,LD)$(LINK) -o $@ $(filter %.o,$^) $(filter %.a,$^) -lpcap $(LDFLAGS)
