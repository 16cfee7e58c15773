# SPDX-License-Identifier: BSD-2-Clause
# mecc, the compiler for microengines. It needs LLVM as nclc does: LLVM and LLVM_CONFIG come from
# userspace/ncl/ncl.mk. `make ncl` builds it in build/ncl.

INC.fw/mecc := -Ifw/mecc -Ifw/image $(if $(LLVM),-isystem $(LLVM_INC))
# What needs no LLVM; unit tests are linked with it.
MECC_ENCODE := $(call obj,fw/mecc/encode.c fw/mecc/encode_text.c)
MECC := $(if $(LLVM),$(call obj,$(wildcard fw/mecc/*.c)))
MECC_BIN := $(if $(MECC),$(O)/bin/mecc)

$(MECC): DEF = -DMECC_CLANG='"$(if $(LLVM),$(shell command -v clang-$(firstword $(subst ., ,$(shell \
	$(LLVM_CONFIG) --version))) || echo clang))"'

userspace ncl-tree: $(MECC_BIN)

$(O)/lib/libmecc.a: $(MECC_ENCODE)

$(O)/bin/mecc: $(MECC) $(FWIMAGE)
	@mkdir -p $(@D)
	$(call Q,LD)$(LINK) -o $@ $^ $(LLVM) $(LDFLAGS)
