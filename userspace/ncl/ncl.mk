# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# NCL: the compiler nclc, the loader ncl, the hosts' library libncrt, programs.
#
# `make` builds what this machine has the libraries for. `make ncl` builds all of it inside a
# root of its own (scripts/setup --print ncl), in build/ncl; scripts/vm --root ncl runs it.

INC.userspace/ncl/common := -Iuserspace/ncl -Iuserspace/ncl/common
INC.userspace/ncl/compiler := $(INC.userspace/ncl/common) -Iuserspace/ncl/compiler -Iuserspace/xdp
INC.userspace/ncl/rt := $(INC.userspace/ncl/common) -Iuserspace/ncl/rt
INC.userspace/ncl/tool := $(INC.userspace/ncl/common) -Iuserspace/ncl/tool -Iuserspace/tools
INC.userspace/ncl/model := $(INC.userspace/ncl/common)

NCL_COMMON := $(call obj,$(wildcard userspace/ncl/common/*.c))
NCL_RT := $(call obj,$(wildcard userspace/ncl/rt/*.c))

# libncl.a: for unit tests, of what programs and the library are made of
$(O)/lib/libncl.a: $(NCL_COMMON)
