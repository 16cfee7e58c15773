# SPDX-License-Identifier: BSD-2-Clause
# mecc, the compiler for microengines

INC.fw/mecc := -Ifw/mecc
# What needs no LLVM; unit tests are linked with it.
MECC_ENCODE := $(call obj,fw/mecc/encode.c fw/mecc/encode_text.c)

$(O)/lib/libmecc.a: $(MECC_ENCODE)
