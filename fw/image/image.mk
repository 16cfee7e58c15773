# SPDX-License-Identifier: BSD-2-Clause
# Reader of firmware files, and profiles of firmware: libfwimage.a. It needs no other folder.
INC.fw/image := -Ifw/image
FWIMAGE_OBJ := $(call obj,$(wildcard fw/image/*.c))
FWIMAGE := $(O)/lib/libfwimage.a

$(FWIMAGE): $(FWIMAGE_OBJ)
