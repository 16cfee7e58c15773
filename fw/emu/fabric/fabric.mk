# SPDX-License-Identifier: BSD-2-Clause
# The model of a programmable PCIe switch: libfabric.a, and the program nfpfabric. It divides
# transfers into TLPs as the card's accounting does, and computes what the accelerators compute.
INC.fw/emu/fabric := -Ifw/abi -Ifw/emu/fabric -Ifw/emu/board/pci -Ifw/emu/accel
FABRIC_MAIN := fw/emu/fabric/main.c
FABRIC_OBJ := $(call obj,$(filter-out $(FABRIC_MAIN),$(wildcard fw/emu/fabric/*.c)) \
	$(addprefix fw/emu/accel/,aes_gcm.c perceptron.c perceptron_weights.c))

.PHONY: fabric
fabric: $(if $(LIBCRYPTO),$(O)/bin/nfpfabric,no-libcrypto)

$(O)/lib/libfabric.a: $(FABRIC_OBJ)

$(O)/bin/nfpfabric: $(call obj,$(FABRIC_MAIN)) $(O)/lib/libfabric.a
	@mkdir -p $(@D)
	$(call Q,LD)$(LINK) -o $@ $^ $(LIBCRYPTO) -lm $(LDFLAGS)
