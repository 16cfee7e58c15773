# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Test programs. selftests/README.rst describes the folders.
#
#   selftests/SUBJECT/test_*.c     unit tests, with firmware and emulated card in the process
#   selftests/SUBJECT/guest/*.c    programs of the guest
#   selftests/rig/guest/*.c, selftests/SUBJECT/guest/lib/*.c   code that these share
#   selftests/rig/card/*.c, selftests/SUBJECT/lib/*.c   code that unit tests and benchmarks share
#   selftests/bench/*.c            benchmarks
#   selftests/xdp/*/*.c            BPF programs

# Tests may include headers of all folders.
TEST_INC = -Iuapi -Ifw/abi -Ifw/image -Ifw/emu/vfio_user -Ifw/emu/accel -Iuserspace/accel \
	$(patsubst %/,-I%,$(wildcard fw/emu/board/ fw/emu/board/*/)) -Ifw/abi -Ifw/emu/hal -Ifw/chan -Ifw/apps -I$(TEST_APPS) \
	$(INC.userspace/lib) -Iuserspace/tools -Iuserspace/tools/top $(INC.userspace/xdp/explain) \
	$(INC.userspace/ncl/rt) -Iuserspace/examples/apps $(addprefix -Iselftests/,. rig rig/card rig/guest ncl/sim) -I$(O)/gen/firmware-test
TEST_DIRS := $(patsubst %/,%,$(wildcard selftests/*/ selftests/*/*/ selftests/*/guest/lib/))
$(foreach d,$(TEST_DIRS),$(eval INC.$(d) = $$(TEST_INC)))
INC.selftests/fabric = $(TEST_INC) -Ifw/emu/fabric
INC.selftests/mecc = $(TEST_INC) -Ifw/mecc
$(if $(APPS),$(eval INC.$(APPS) = $$(TEST_INC)))

UNIT_SRC := $(wildcard selftests/*/test_*.c $(addsuffix /test_*.c,$(APPS)))
UNIT_SRC := $(if $(LIBBPF),$(UNIT_SRC),$(filter-out %/test_explain_scalar.c %/test_explain_walk.c,$(UNIT_SRC)))
UNIT_SRC := $(if $(LIBCRYPTO),$(UNIT_SRC),$(filter-out selftests/accel/% selftests/fabric/%,$(UNIT_SRC)))
GUEST_SRC := $(filter-out selftests/rig/% selftests/ncl/%,$(wildcard selftests/*/guest/*.c))
GUEST_RIG := $(call obj,$(wildcard selftests/rig/guest/*.c selftests/*/guest/lib/*.c))
BENCH_SRC := $(wildcard selftests/bench/*.c)
CARD_RIG := $(call obj,$(wildcard selftests/rig/card/*.c selftests/*/lib/*.c))

# Callbacks and fixtures have parameters that not every test uses.
$(O)/obj/selftests/%.o $(call obj,$(wildcard $(addsuffix /test_*.c,$(APPS)))): WARN += -Wno-unused-parameter

# A test's program has the name of its source, without the folder.
test = $(O)/test/$(basename $(notdir $(1)))
UNIT := $(foreach c,$(UNIT_SRC),$(call test,$(c)))
GUEST := $(foreach c,$(GUEST_SRC),$(call test,$(c)))
BENCH := $(patsubst selftests/bench/%.c,$(O)/bench/%,$(BENCH_SRC))

# program TARGET, SOURCES, LIBRARY-FILES, FLAGS
define program
$(1): $(call obj,$(2)) $(3)
	@mkdir -p $$(@D)
	$$(call Q,LD)$$(LINK) -o $$@ $$^ $(4) $$(LDFLAGS)
endef

BOARD_CARD := $(O)/lib/librig.a $(O)/lib/libboard.a $(O)/lib/libvfio_user.a $(LIBA) $(FWIMAGE)
CARD := $(O)/lib/firmware-test.o $(BOARD_CARD)
# Firmware that can give up the processor at each access to memory
SWAP_CARD := $(O)/lib/firmware-swap.o $(BOARD_CARD)
$(O)/lib/librig.a: $(CARD_RIG)
$(O)/lib/libguest.a: $(GUEST_RIG)

$(foreach c,$(UNIT_SRC),$(eval $(call program,$(call test,$(c)),$(c),\
	$(if $(findstring selftests/accel/,$(c)),$(O)/lib/libaccel.a) \
	$(if $(findstring selftests/fabric/,$(c)),$(O)/lib/libfabric.a) \
	$(if $(findstring selftests/mecc/,$(c)),$(O)/lib/libmecc.a) \
	$(SWAP_CARD) $(APPSA) $(O)/lib/libtool.a $(O)/lib/libsim.a $(NCRTA) $(O)/lib/libncl.a $(FWIMAGE),-lcmocka -lpcap $(LIBBPF) \
	$(if $(filter selftests/accel/% selftests/fabric/%,$(c)),$(LIBCRYPTO) -lm))))
$(foreach c,$(BENCH_SRC),$(eval $(call program,$(patsubst selftests/bench/%.c,$(O)/bench/%,$(c)),$(c),\
	$(CARD) $(APPSA),-lpcap)))
# The library with a board in the process, for benchmarks of other languages
LANG_RING := $(O)/bench/lang_ring.so
$(LANG_RING): $(call obj,selftests/bench/lang/lang_ring.c) $(CARD)
	@mkdir -p $(@D)
	$(call Q,LD)$(LINK) -shared -o $@ -Wl,--whole-archive $(LIBA) -Wl,--no-whole-archive \
		$(filter-out $(LIBA),$^) -lpcap $(LDFLAGS)
# Libraries of the guest's programs, besides libnfpchan
LIBS.chan_uring := -luring
LIBS.chan_port := -luring
LIBS.chan_kill_in := -luring
LIBS.soak := -lbpf
LIBS.xsk_recv := -lbpf
LIBS.bpf_jited := -lbpf
LIBS.bpf_channel := -lbpf
LIBS.bpf_slots := -lbpf
LIBS.storm_card := -lbpf
LIBS.fail_nth := -lbpf
LIBS.chan_lsm := -lbpf
# Programs for the accelerators are linked with their user-space driver.
$(foreach c,$(GUEST_SRC),$(eval $(call program,$(call test,$(c)),\
	$(c) $(if $(findstring selftests/accel/,$(c)),$(wildcard userspace/accel/*.c)),$(O)/lib/libguest.a $(LIBA),\
	$(or $(LIBS.$(basename $(notdir $(c)))),$(if $(findstring /xdp_,$(c)),-lbpf)))))
# An emulated device in user space, for tests of libncrt
$(O)/lib/libsim.a: $(call obj,selftests/ncl/sim/sim_device.c selftests/ncl/sim/loop.c)
$(eval $(call program,$(O)/test/ncrt_device,selftests/ncl/sim/ncrt_device.c,\
	$(O)/lib/libsim.a $(NCRTA)))
$(eval $(call program,$(O)/test/xdp_fuzz,$(wildcard selftests/fuzz/xdp/*.c),$(O)/lib/libguest.a,-lbpf))
$(eval $(call program,$(O)/test/chan_fuzz,$(wildcard selftests/fuzz/calls/*.c),$(O)/lib/libguest.a $(LIBA),-luring -lbpf))
# The microengine that runs what mecc has compiled
$(eval $(call program,$(O)/test/mecc_run,selftests/mecc/run/mecc_run.c,$(O)/lib/libboard.a $(FWIMAGE),-lpcap))
# The microengines that run the vendor's initialisation code
$(eval $(call program,$(O)/test/me_vendor,selftests/board/run/me_vendor.c,$(O)/lib/libboard.a $(FWIMAGE),-lpcap))
# Built by scripts/fuzz, in a root that has libFuzzer
$(eval $(call program,$(O)/fuzz/vfio_user,selftests/fuzz/vfio_user.c,\
	$(O)/lib/firmware.o $(O)/lib/libboard.a $(O)/lib/libvfio_user.a $(FWIMAGE),-fsanitize=fuzzer -lpcap))

$(call obj,$(UNIT_SRC) $(BENCH_SRC) selftests/bench/lang/lang_ring.c) $(CARD_RIG): | $(O)/gen/firmware-test/chan_table.h

# The card's JIT does not know instructions of BPF version 4, so programs are compiled for version 3.
BPF_CPU = v3
BPF_CC = clang -target bpf -mcpu=$(BPF_CPU) -O2 -g -Wall $(WERROR) \
	-Iuserspace/lib/include -I/usr/include/$(shell $(CC) -print-multiarch)

BPF_H := $(wildcard selftests/xdp/programs/*.h selftests/xdp/tails/*.h) userspace/lib/include/nfpchan_bpf.h

# bpf OUTPUT-FOLDER, SOURCE-FOLDER
define bpf
BPF += $(patsubst $(2)/%.c,$(O)/$(1)/%.o,$(wildcard $(2)/*.c))
$(patsubst $(2)/%.c,$(O)/$(1)/%.o,$(wildcard $(2)/*.c)): $(O)/$(1)/%.o: $(2)/%.c \
		$(wildcard $(2)/*.h) $(BPF_H)
	@mkdir -p $$(@D)
	$$(call Q,BPF)$$(BPF_CC) -c $$< -o $$@
endef

# The sources in these folders have many cases. A case begins with a line "/* ---- NAME: TEXT", and
# the lines before the first case belong to each. Each case becomes an object NAME.o. The compiler
# gets empty lines in place of the other cases, so that line numbers are those of the source.
# bpf_case OUTPUT-FOLDER, SOURCE, NAME
define bpf_case
BPF += $(O)/$(1)/$(3).o
$(O)/$(1)/$(3).o: $(2) $(BPF_H)
	@mkdir -p $$(@D)
	$$(call Q,BPF)awk 'BEGIN { print "#line 1 \"$$<\"" } /^\/\* ---- / { other = $$$$3 != "$(3):" } \
		{ print other ? "" : $$$$0 }' $$< | $$(BPF_CC) -iquote $$(<D) -x c -c - -o $$@
endef
# bpf_cases OUTPUT-FOLDER, SOURCE-FOLDER
bpf_cases = $(foreach c,$(shell awk '/^\/\* ---- / { print FILENAME ":" $$3 }' $(2)/*.c),$(eval \
	$(call bpf_case,$(1),$(word 1,$(subst :, ,$(c))),$(word 2,$(subst :, ,$(c))))))

$(call bpf_cases,xdp,selftests/xdp/programs)
$(eval $(call bpf,xdp,userspace/examples/xdp))
$(call bpf_cases,xdp-refused,selftests/xdp/refused)
$(eval $(call bpf,xdp-tails,selftests/xdp/tails))
$(call bpf_cases,xdp-tails-refused,selftests/xdp/tails/refused)
$(eval $(call bpf,xdp-crash,selftests/xdp/crash))
$(eval $(call bpf,xdp-channel,selftests/xdp/channel))
$(eval $(call bpf,xdp-split,selftests/xdp/split))
$(eval $(call bpf,xdp-names,selftests/xdp/names))
# Programs that fuzz/xdp/tails.py has generated, in folder TAILS
ifdef TAILS
$(eval $(call bpf,tails,$(TAILS)))
$(O)/tails/%.o: BPF_CC += -I.
.PHONY: bpf-tails
bpf-tails: $(patsubst $(TAILS)/%.c,$(O)/tails/%.o,$(wildcard $(TAILS)/*.c))
endif
# orders.c, for firmware that has no delete
BPF += $(O)/xdp-channel/orders_slots.o
$(O)/xdp-channel/orders_slots.o: selftests/xdp/channel/orders.c selftests/xdp/channel/orders.h \
		userspace/lib/include/nfpchan_bpf.h
	@mkdir -p $(@D)
	$(call Q,BPF)$(BPF_CC) -DNFPCHAN_NO_DELETE -c $< -o $@
# Programs of version 4, which the card must refuse
$(O)/xdp-refused/%_v4.o: BPF_CPU = v4

# All BPF objects, for a test on the host
.PHONY: bpf
bpf: $(BPF)

.PHONY: unit
unit: $(UNIT)
host: userspace board $(O)/test/nfpboard accel fabric $(UNIT) $(BENCH) $(LANG_RING) $(O)/test/ncrt_device

# Everything that runs in the guest. `make guest` calls this inside the root.
guest-tree: userspace module $(O)/routes/routes.ko $(GUEST) $(BPF) $(O)/test/xdp_fuzz $(O)/test/chan_fuzz \
	$(O)/bin/flows-go $(O)/test/lang_go $(O)/test/bpf_go

# What make demo runs in the guest
guest-demo: module $(O)/bin/nfpchan

# What scripts/packaging/image and its test use
guest-image: guest-tree board

# Tests of the library's threads, and of the firmware, whose contexts are fibers for
# ThreadSanitizer. It finds no room if the address space is randomized by more than 28 bits.
TSAN := $(patsubst %,build/tsan/test/test_%,stress stream chan_race port_lib ncrt)
