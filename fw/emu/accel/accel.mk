# SPDX-License-Identifier: BSD-2-Clause
# Emulated accelerators: libaccel.a, and the program nfpaccel. Of the other folders they see only
# the vfio-user server. AES comes from libcrypto (libssl-dev).
LIBCRYPTO := $(call have,libcrypto)
INC.fw/emu/accel := -Ifw/abi -Ifw/emu/accel -Ifw/emu/vfio_user
ACCEL_MAIN := fw/emu/accel/main.c
ACCEL_OBJ := $(call obj,$(filter-out $(ACCEL_MAIN),$(wildcard fw/emu/accel/*.c)))

.PHONY: accel no-libcrypto
accel: $(if $(LIBCRYPTO),$(O)/bin/nfpaccel,no-libcrypto)

no-libcrypto:
	@echo 'make: no libcrypto (libssl-dev), so no accelerators' >&2

$(O)/lib/libaccel.a: $(ACCEL_OBJ) $(LIST)

$(O)/bin/nfpaccel: $(call obj,$(ACCEL_MAIN)) $(O)/lib/libaccel.a $(O)/lib/libvfio_user.a
	@mkdir -p $(@D)
	$(call Q,LD)$(LINK) -o $@ $^ $(LIBCRYPTO) $(LDFLAGS)
