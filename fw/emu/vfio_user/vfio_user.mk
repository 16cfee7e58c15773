# SPDX-License-Identifier: BSD-2-Clause
# The vfio-user server, libvfio_user.a, for the board and other emulated devices. It includes no
# header of theirs.
INC.fw/emu/vfio_user := -Ifw/emu/vfio_user
VFIO_USER_OBJ := $(call obj,$(wildcard fw/emu/vfio_user/*.c))

$(O)/lib/libvfio_user.a: $(VFIO_USER_OBJ) $(LIST)
