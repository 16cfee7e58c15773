# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Examples of NCL. `make ncl` builds them in build/ncl/examples.

# For each program: PROG.ncd, the devices' objects, and the hosts' program PROG
NCL_EX := $(O)/examples
NCL_HEADERS := $(wildcard userspace/ncl/*.h userspace/ncl/*.hpp)

# ncl_program FOLDER, SOURCE, AND-FILE
define ncl_program
$(NCL_EX)/$(1)$(basename $(notdir $(2))).ncd: $(2) $(3) $(wildcard $(dir $(2))*.h) $(NCL_HEADERS) $(O)/bin/nclc
	@mkdir -p $$(@D)
	$$(call Q,NCLC)$(O)/bin/nclc $(2) --and $(3) -o $$(@D) --firmware full
endef
$(foreach p,allreduce/allreduce.c calc/calc.c first/auction.c kvs/kvs.cc lock/lock.c paxos/paxos.c \
	wordcount/wordcount.cc,$(eval $(call ncl_program,,userspace/ncl/examples/$(p),userspace/ncl/examples/$(dir $(p))net.and)))
$(eval $(call ncl_program,16/,userspace/ncl/examples/allreduce/allreduce.c,userspace/ncl/examples/allreduce/net16.and))

NCL_LINK = -L$(O)/lib -lncrt -lm -Wl,-rpath,$(abspath $(O)/lib) $(LDFLAGS)
NCL_HOSTS := $(addprefix $(NCL_EX)/,allreduce calc auction lock paxos wordcount 16/allreduce)
$(NCL_HOSTS): %: %.ncd $(NCRTSO)
	$(call Q,LD)$(CXX) $(CFLAGS) -o $@ $*.o $(NCL_LINK)

# Hosts that use only the description PROG.ncd
INC.userspace/ncl/examples/kvs := -Iuserspace/ncl
NCL_KVS := $(addprefix $(NCL_EX)/,kvs-server kvs-client)
$(NCL_EX)/kvs-server: $(call obj,userspace/ncl/examples/kvs/memcached.c)
$(NCL_KVS): $(NCL_EX)/%: $(O)/obj/userspace/ncl/examples/kvs/%.o $(NCL_EX)/kvs.ncd $(NCRTSO)
	$(call Q,LD)$(LINK) -o $@ $(filter %.o,$^) $(NCL_LINK)

ncl-tree: $(if $(NCLC),$(NCL_HOSTS) $(NCL_KVS))
