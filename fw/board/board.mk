# SPDX-License-Identifier: BSD-2-Clause
# The emulated card: libboard.a, and the program nfpboard.
#
# The folders are layers, listed here from the bottom to the top. BOARD_SEES.x lists the folders
# whose headers layer x may include. Any other include fails, because its folder is not in the
# search path. A lower layer reaches a higher one only through callbacks that the higher layer
# registers. The front ends (wire, front) include core/board.h only. front connects the board to
# the vfio-user server.
BOARD_FOLDERS := core pci cpp me nsp nic bpf wire front fault
BOARD_SEES.pci := core
BOARD_SEES.cpp := core pci
BOARD_SEES.me := core
BOARD_SEES.nsp := core cpp
BOARD_SEES.nic := core pci cpp nsp
BOARD_SEES.bpf := core pci cpp me nsp nic
BOARD_SEES.wire := core
BOARD_SEES.front := core
BOARD_SEES.fault := core pci cpp

board_inc = $(addprefix -Ifw/board/,$(1))
$(foreach f,$(BOARD_FOLDERS),$(eval INC.fw/board/$(f) := $(call board_inc,$(f) $(BOARD_SEES.$(f)))))
# Formats that the firmware shares with the host and with other programs
INC.fw/board/bpf += -Iuapi -Ifw/abi
INC.fw/board/fault += -Iuapi -Ifw/abi
INC.fw/board/front += -Ifw/vfio_user
INC.fw/board := -Ifw/vfio_user $(call board_inc,. $(BOARD_FOLDERS))
# The firmware is linked into this program.
BOARD_MAIN := fw/board/main.c fw/board/guard.c
$(call obj,$(BOARD_MAIN)): INC += -Ifw/hal

BOARD_OBJ := $(call obj,$(filter-out $(BOARD_MAIN),$(wildcard fw/board/*.c fw/board/*/*.c)))

board: $(O)/bin/nfpboard

$(O)/lib/libboard.a: $(BOARD_OBJ) $(LIST)

$(O)/bin/nfpboard: $(call obj,$(BOARD_MAIN)) $(O)/lib/firmware.o $(O)/lib/libboard.a \
		$(O)/lib/libvfio_user.a
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ -lpcap $(LDFLAGS)
