# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# NCL: the compiler nclc, the loader ncl, the hosts' library libncrt, and the example programs.
#
# `make` builds the parts whose libraries this machine has. `make ncl` builds every part in
# build/ncl, inside the root that scripts/setup --print ncl names. scripts/vm --root ncl runs that
# root.

INC.userspace/ncl/common := $(INC.userspace/common) -Iuserspace/ncl -Iuserspace/ncl/common
INC.userspace/ncl/compiler := $(INC.userspace/ncl/common) -Iuserspace/ncl/compiler $(INC.userspace/xdp/explain)
INC.userspace/ncl/rt := $(INC.userspace/ncl/common) -Iuserspace/ncl/rt
INC.userspace/ncl/tool := $(INC.userspace/ncl/common) -Iuserspace/ncl/tool -Iuserspace/ncl/rt

NCL_COMMON := $(call obj,$(wildcard userspace/ncl/common/*.c) userspace/common/tokens.c)
NCL_RT := $(call obj,$(wildcard userspace/ncl/rt/*.c))

# libncl.a: the objects that programs and library share, for unit tests
$(O)/lib/libncl.a: $(NCL_COMMON)

# libncrt needs only libc.
NCRT := $(NCL_RT) $(NCL_COMMON) $(call obj,$(addprefix userspace/common/,bpf_sys.c opts.c))
NCRTSO := $(O)/lib/libncrt.so.$(VERSION)
NCRTA := $(O)/lib/libncrt.a
$(eval $(call shared,libncrt,$(NCRT),userspace/ncl/rt/libncrt.map))
$(NCRTA): $(NCRT)
$(eval $(call static,libncrt,$(NCRT),userspace/ncl/rt/libncrt.map))

# Require the headers of LLVM-C: llvm-config alone may come from a package without headers.
LLVM_CONFIG ?= $(firstword $(foreach c,llvm-config-19 llvm-config,$(shell command -v $(c))))
LLVM_INC := $(if $(LLVM_CONFIG),$(shell $(LLVM_CONFIG) --includedir))
LLVM := $(if $(wildcard $(LLVM_INC)/llvm-c/Core.h),$(shell \
	[ "$$($(LLVM_CONFIG) --version | cut -d . -f 1)" -ge 17 ] && \
	$(LLVM_CONFIG) --ldflags --libs --link-shared))
INC.userspace/ncl/compiler += $(if $(LLVM),-isystem $(LLVM_INC))

NCLC := $(if $(LLVM),$(if $(LIBBPF),$(call obj,$(wildcard userspace/ncl/compiler/*.c))))
# `ncl serve` accesses variables as libncrt does.
NCL_TOOL := $(if $(LIBBPF),$(call obj,$(wildcard userspace/ncl/tool/*.c) \
	userspace/ncl/rt/local.c userspace/ncl/rt/error.c))
NCL_BIN := $(strip $(if $(NCLC),$(O)/bin/nclc) $(if $(NCL_TOOL),$(O)/bin/ncl))

userspace: $(NCRTSO) $(NCRTA) $(O)/static/libncrt.a $(NCL_BIN)

# Compile in the name of the clang that belongs to the linked LLVM, and the directory of ncl.h for an
# nclc that is not installed.
NCLC_INCLUDE ?= $(CURDIR)/userspace/ncl
$(NCLC): DEF = -DNCLC_CLANG='"$(if $(LLVM),$(shell command -v clang-$(firstword $(subst ., ,$(shell \
	$(LLVM_CONFIG) --version))) || echo clang))"' -DNCLC_INCLUDE='"$(NCLC_INCLUDE)"'

$(O)/bin/nclc: $(NCLC) $(NCL_COMMON) $(XDPLIB) $(FWIMAGE)
	@mkdir -p $(@D)
	$(call Q,LD)$(LINK) -o $@ $^ $(LLVM) $(LIBBPF) $(LDFLAGS)

$(O)/bin/ncl: $(NCL_TOOL) $(NCL_COMMON) $(call obj,$(wildcard userspace/common/*.c))
	@mkdir -p $(@D)
	$(call Q,LD)$(LINK) -o $@ $^ $(LIBBPF) $(LDFLAGS)

# Guest programs of NCL's tests, selftests/ncl/guest. `make ncl` builds them.
NCL_GUEST_SRC := $(wildcard selftests/ncl/guest/*.c)
NCL_GUEST := $(foreach c,$(NCL_GUEST_SRC),$(O)/test/$(basename $(notdir $(c))))
$(NCL_GUEST): $(O)/test/%: $(O)/obj/selftests/ncl/guest/%.o $(O)/lib/libguest.a $(O)/lib/libncl.a $(LIBA)
	@mkdir -p $(@D)
	$(call Q,LD)$(LINK) -o $@ $^ $(LIBBPF) $(LDFLAGS)

# The test that compares NCL programs with their models in plain C
NCL_DIFF := $(call obj,$(wildcard selftests/ncl/diff/*.c) selftests/ncl/model/model.c)
$(O)/test/ncl_diff: $(NCL_DIFF) $(O)/lib/libguest.a
	@mkdir -p $(@D)
	$(call Q,LD)$(LINK) -rdynamic -o $@ $^ $(LIBBPF) $(LDFLAGS)

# Device programs written by hand, selftests/ncl/bpf. BPF_CC comes from selftests.mk.
NCL_BPF := $(patsubst selftests/ncl/bpf/%.c,$(O)/ncl/%.o,$(wildcard selftests/ncl/bpf/*.c))
$(NCL_BPF): $(O)/ncl/%.o: selftests/ncl/bpf/%.c $(wildcard selftests/ncl/bpf/*.h) userspace/ncl/ncl_abi.h userspace/ncl/ncp.h
	@mkdir -p $(@D)
	$(call Q,BPF)$(BPF_CC) -Iuserspace/ncl -c $< -o $@

# Kernels of these programs write variables, which the public firmware does not offer.
NCLC_CARD = $(O)/bin/nclc --firmware full

# The program of race.t: kernels that race with each other
NCL_RACE := $(if $(NCLC),$(O)/ncl/race.ncd)
$(O)/ncl/race.ncd: selftests/ncl/race/race.c selftests/ncl/race/net.and $(O)/bin/nclc userspace/ncl/ncl.h
	@mkdir -p $(@D)
	$(call Q,NCLC)$(NCLC_CARD) $< --and selftests/ncl/race/net.and -o $(@D) -Iuserspace/ncl

# The program of deploy.t
NCL_DEPLOY := $(if $(NCLC),$(O)/ncl/hops.ncd)
$(O)/ncl/hops.ncd: selftests/ncl/deploy/hops.c selftests/ncl/deploy/net.and $(O)/bin/nclc userspace/ncl/ncl.h
	@mkdir -p $(@D)
	$(call Q,NCLC)$(NCLC_CARD) $< --and selftests/ncl/deploy/net.and -o $(@D)

# Hosts and device of runtime.t, in C and in C++
define ncl_runtime
$(O)/ncl/$(1).o: selftests/ncl/runtime/$(2) selftests/ncl/runtime/net.and $(O)/bin/nclc \
		$(wildcard userspace/ncl/*.h)
	@mkdir -p $$(@D)
	$$(call Q,NCLC)$(NCLC_CARD) $$< --and selftests/ncl/runtime/net.and -o $$(@D) -Iuserspace/ncl
$(O)/test/ncl_$(1): $(O)/ncl/$(1).o $(NCRTA)
	@mkdir -p $$(@D)
	$$(call Q,LD)$(3) -pthread -o $$@ $$^ $$(LDFLAGS)
endef
$(eval $(call ncl_runtime,runtime,runtime.c,$(CC)))
$(eval $(call ncl_runtime,paper,paper.cc,$(CXX)))

# `make ncl` calls this target inside the root. The rules above and below add what nclc compiles.
ncl-tree: $(NCRTSO) $(NCL_BIN) $(NCL_GUEST) $(NCL_BPF) $(O)/test/ncl_diff $(NCL_DEPLOY) $(NCL_RACE) \
	$(if $(NCLC),$(O)/test/ncl_runtime $(O)/test/ncl_paper)

# Programs of `make bench-ncl`, and AllReduce for each number of workers
NCL_BENCH := $(O)/bench-ncl
$(addprefix $(NCL_BENCH)/,sum_ncl kvs_ask): $(NCL_BENCH)/%: $(O)/obj/selftests/bench/ncl/%.o $(NCRTSO)
	@mkdir -p $(@D)
	$(call Q,LD)$(LINK) -o $@ $< -L$(O)/lib -lncrt -Wl,-rpath,$(abspath $(O)/lib) $(LDFLAGS)

$(NCL_BENCH)/sum_mpi: selftests/bench/ncl/sum_mpi.c $(wildcard selftests/bench/ncl/*.h)
	@mkdir -p $(@D)
	$(call Q,MPICC)mpicc -O2 -Wall $< -o $@

$(NCL_BENCH)/%/net.and: selftests/ncl/guest/net.sh
	@mkdir -p $(@D)
	$(call Q,GEN)bash -c '. $<; NET_HOSTS=$*; net_and' >$@

$(NCL_BENCH)/%/allreduce.ncd: userspace/ncl/examples/allreduce/allreduce.c $(NCL_BENCH)/%/net.and $(O)/bin/nclc
	$(call Q,NCLC)$(NCLC_CARD) $< --and $(@D)/net.and -o $(@D)

$(NCL_BENCH)/%/kvs.ncd: userspace/ncl/examples/kvs/kvs.cc $(NCL_BENCH)/%/net.and $(O)/bin/nclc
	$(call Q,NCLC)$(NCLC_CARD) $< --and $(@D)/net.and -o $(@D)

.PHONY: ncl-bench
.SECONDARY: $(foreach n,2 4 8,$(NCL_BENCH)/$(n)/net.and)
ncl-bench: ncl-tree $(addprefix $(NCL_BENCH)/,sum_ncl kvs_ask sum_mpi) \
	$(foreach n,2 4 8,$(NCL_BENCH)/$(n)/allreduce.ncd) $(NCL_BENCH)/2/kvs.ncd
