# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# nfp_chan.ko for the kernel of KDIR. The file Kbuild is for kbuild.

# The module is built in a folder of symbolic links, so that one checkout serves several kernels
# and the build leaves no file in the sources. MAKEFLAGS is unset: it has this Makefile's O=,
# which kbuild would take for the folder in which the kernel was built.
KTREE := $(O)/kmod
KSRC := $(wildcard kmod/*.c kmod/*.h uapi/nfpchan/*.h uapi/*.h fw/abi/nfp_chan_fw.h) Kbuild
KBUILD = env -u MAKEFLAGS $(MAKE) --no-print-directory $(if $(V),V=$(V),-s) $(J) \
	-C $(KDIR) M=$(abspath $(1)) $(KFLAGS) modules

module: $(KTREE)/nfp_chan.ko

# The modification times of a kernel's headers are as old as that kernel. Objects that were
# built for another kernel, or for another configuration, would look up to date.
KERNEL_ID := $(O)/kernel.id

$(KERNEL_ID): FORCE
	@mkdir -p $(@D)
	@id="$$(readlink -f "$(KDIR)") $$(cat "$(KDIR)/include/generated/autoconf.h" \
		"$(KDIR)/Module.symvers" 2>/dev/null | cksum)"; \
	[ "$$id" = "$$(cat $@ 2>/dev/null)" ] || \
		{ rm -rf $(KTREE) $(TEST_MODULES:%=$(O)/%) && echo "$$id" >$@; }

$(KTREE)/nfp_chan.ko: $(KSRC) $(KERNEL_ID)
	@test -d "$(KDIR)" || { echo "make: no kernel headers in $(KDIR): install linux-headers-$$(uname -r) or set KDIR=" >&2; exit 1; }
	@mkdir -p $(KTREE)/kmod $(KTREE)/uapi/nfpchan $(KTREE)/fw/abi
	@for f in $(KSRC); do ln -sf "$(CURDIR)/$$f" "$(KTREE)/$$f"; done
	+$(call KBUILD,$(KTREE))
	@touch $@

# Modules for tests: splats.ko has one bug of each kind that the debug kernels find, routes.ko lets two
# devices below a switch write to each other.
TEST_MODULES := splats routes
TEST_KO := $(foreach m,$(TEST_MODULES),$(O)/$(m)/$(m).ko)

.PHONY: test-modules
test-modules: $(TEST_KO)

$(TEST_KO): $(O)/%.ko: selftests/kmod/%.c $(KERNEL_ID)
	@mkdir -p $(@D)
	@ln -sf $(CURDIR)/$< $(@D)/
	@echo 'obj-m := $(notdir $*).o' >$(@D)/Kbuild
	+$(call KBUILD,$(@D))
	@touch $@
