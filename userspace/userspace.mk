# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# libnfpchan, the nfpchan command, the examples, Go package and Rust crate.

SOVER := 0
# nfpchan xdp needs libbpf 1.0 or later; without it, all else is built.
LIBBPF := $(call have,'libbpf >= 1.0' libelf)
# nfpchan capture compiles filters with libpcap, and nfpchan replay reads captures with it.
LIBPCAP := $(call have,libpcap)
# nfpchan flows sends records to IPFIX collectors by libfixbuf.
LIBFIXBUF := $(call have,libfixbuf)

INC.userspace/common := -Iuserspace/common -I$(O)/completion
# The headers that programs include
LIB_API := -Iuapi -Iuserspace/lib/include
INC.userspace/lib/ring := $(LIB_API) -Iuserspace/lib/ring
INC.userspace/lib/handle := $(LIB_API) $(INC.userspace/common) -Iuserspace/lib/ring -Iuserspace/lib/handle
INC.userspace/lib/wait := $(INC.userspace/lib/handle) -Iuserspace/lib/wait
INC.userspace/lib/node := $(INC.userspace/lib/wait) -Iuserspace/lib/node
INC.userspace/lib/bpf := $(INC.userspace/lib/handle) -Iuserspace/lib/bpf
INC.userspace/lib := $(INC.userspace/lib/node) -Iuserspace/lib/bpf
INC.userspace/examples := $(LIB_API)
INC.userspace/examples/apps := $(LIB_API) -Iuserspace/examples/apps
INC.userspace/graph := $(INC.userspace/common) -Iuserspace/graph
INC.userspace/accel := $(LIB_API) -Iuserspace/accel -Ifw/abi
INC.userspace/tools := $(LIB_API) $(INC.userspace/common) -Ifw/abi -Ifw/image -Iuserspace/tools
INC.userspace/tools/graph := $(INC.userspace/tools) -Iuserspace/graph -Iuserspace/accel -Ifw/abi
INC.userspace/tools/firmware := $(INC.userspace/tools)
INC.userspace/tools/frames := $(INC.userspace/tools)
INC.userspace/tools/top := $(INC.userspace/tools) -Iuserspace/tools/top
INC.userspace/xdp/explain := $(INC.userspace/common) -Ifw/image -Iuserspace/xdp/explain
INC.userspace/xdp/link := $(INC.userspace/xdp/explain) -Iuserspace/xdp/link
INC.userspace/xdp/split := $(INC.userspace/xdp/link) -Iuserspace/xdp/split
INC.userspace/tools/xdp := $(INC.userspace/tools) -Iuserspace/tools/firmware $(INC.userspace/xdp/split)

LIB := $(call obj,$(wildcard userspace/lib/*.c userspace/lib/*/*.c) \
	$(addprefix userspace/common/,bpf_sys.c netdev.c opts.c prog_maps.c))
XDPLIB := $(call obj,$(if $(LIBBPF),$(wildcard userspace/xdp/*/*.c) userspace/common/netdev.c))
GRAPH := $(call obj,$(wildcard userspace/common/*.c userspace/graph/*.c userspace/accel/*.c))
# say.c keeps the messages of libbpf.
GRAPH := $(if $(LIBBPF),$(GRAPH),$(filter-out %/common/say.o,$(GRAPH)))
TOOL := $(call obj,$(wildcard userspace/tools/*.c $(addsuffix /*.c,$(addprefix userspace/tools/,graph firmware frames top)) $(if $(LIBBPF),userspace/tools/xdp/*.c)))
EXAMPLES := $(patsubst userspace/examples/%.c,$(O)/bin/%,$(wildcard userspace/examples/*.c))
# The applications without main(), for tests and benchmarks
APPSA := $(O)/lib/libapps.a
LIBSO := $(O)/lib/libnfpchan.so.$(VERSION)
LIBA := $(O)/lib/libnfpchan.a
HEADERS := $(wildcard userspace/lib/include/*.h)
ABI_HEADERS := $(wildcard uapi/nfpchan/*.h fw/abi/nfpchan/*.h)
PC := $(O)/lib/pkgconfig/libnfpchan.pc

userspace: $(LIBSO) $(LIBA) $(O)/bin/nfpchan $(EXAMPLES) $(O)/bin/chan_apps $(PC)

$(TOOL): DEF = $(if $(LIBBPF),-DNFPCHAN_LIBBPF) $(if $(LIBPCAP),-DNFPCHAN_LIBPCAP) $(if $(LIBFIXBUF),-DNFPCHAN_LIBFIXBUF)
$(call obj,userspace/tools/ipfix.c): DEF += $(patsubst -I%,-isystem%,$(shell pkg-config --cflags libfixbuf 2>/dev/null))

# The completion scripts: strings that the commands print, and files of each command
SHELLS := bash zsh fish
COMPLETIONS := $(foreach c,nfpchan ncl,$(SHELLS:%=$(O)/completion/$(c).%))
$(call obj,userspace/common/complete_script.c): $(SHELLS:%=$(O)/completion/program.%.h)
$(O)/completion/program.%.h: userspace/completion/program.%
	@mkdir -p $(@D)
	$(call Q,GEN)sed -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/' $< >$@

userspace: $(COMPLETIONS)
$(COMPLETIONS): $(O)/completion/%: $(SHELLS:%=userspace/completion/program.%)
	@mkdir -p $(@D)
	$(call Q,GEN)sed 's/PROGRAM/$(basename $*)/g' userspace/completion/program$(suffix $*) >$@

# shared NAME, OBJECTS, VERSION-SCRIPT, LIBRARIES
define shared
$(O)/lib/$(1).so.$(VERSION): $(2) $(3)
	@mkdir -p $$(@D)
	$$(call Q,LD)$$(LINK) -shared -Wl,-soname,$(1).so.$(SOVER) -Wl,--version-script=$(3) -o $$@ $(2) $(4) $$(LDFLAGS)
	$$(q)ln -sf $$(@F) $(O)/lib/$(1).so.$(SOVER)
	$$(q)ln -sf $(1).so.$(SOVER) $(O)/lib/$(1).so
endef
$(eval $(call shared,libnfpchan,$(LIB),userspace/lib/libnfpchan.map))

# pc PREFIX, LIBDIR, INCLUDEDIR: the command that fills in a pkg-config file
pc = sed -e 's|@PREFIX@|$(1)|' -e 's|@LIBDIR@|$(2:$(1)/%=$${prefix}/%)|' \
	-e 's|@INCLUDEDIR@|$(3:$(1)/%=$${prefix}/%)|' -e 's|@VERSION@|$(VERSION)|'

# Programs that are compiled without an installation, as in the VM: pkg-config, headers
$(PC): userspace/lib/libnfpchan.pc.in $(HEADERS) $(ABI_HEADERS) userspace/userspace.mk
	@mkdir -p $(@D) $(O)/include/nfpchan
	$(q)ln -sf $(addprefix $(CURDIR)/,$(HEADERS)) $(O)/include
	$(q)ln -sf $(addprefix $(CURDIR)/,$(ABI_HEADERS)) $(O)/include/nfpchan
	$(call Q,GEN)$(call pc,$(abspath $(O)),$(abspath $(O))/lib,$(abspath $(O))/include) $< >$@

# libtool.a: for unit tests of what the command prints
$(LIBA): $(LIB)
$(APPSA): $(call obj,$(filter-out %/chan_apps.c,$(wildcard userspace/examples/apps/*.c)))
$(O)/lib/libtool.a: $(filter-out %/main.o,$(TOOL)) $(GRAPH) $(XDPLIB)
$(O)/lib/%.a:
	@mkdir -p $(@D)
	$(call Q,AR)rm -f $@ && $(AR) rcs $@ $(filter %.o,$^)

# The static libraries for programs outside the tree: one object, in which only the names that the
# shared library exports are global. static NAME, OBJECTS, VERSION-SCRIPT
define static
$(O)/static/$(1).a: $(2) $(3)
	@mkdir -p $$(@D)
	$$(call Q,AR)sed -n 's/^\t\t\([a-z0-9_]*\);$$$$/\1/p' $(3) >$$(@:.a=.names) && \
		$$(LD) -r -o $$(@:.a=.o) $(2) && \
		$$(OBJCOPY) --keep-global-symbols=$$(@:.a=.names) $$(@:.a=.o) && \
		rm -f $$@ && $$(AR) rcsD $$@ $$(@:.a=.o)
endef
$(eval $(call static,libnfpchan,$(LIB),userspace/lib/libnfpchan.map))
userspace: $(O)/static/libnfpchan.a

# Where a program looks for libnfpchan first. RUNPATH= leaves it to the system.
RUNPATH ?= $$ORIGIN/../lib
USE_LIB = -L$(O)/lib -lnfpchan $(if $(RUNPATH),-Xlinker -rpath -Xlinker '$(RUNPATH)')

$(O)/bin/nfpchan: $(TOOL) $(GRAPH) $(XDPLIB) $(FWIMAGE) $(LIBSO)
	@mkdir -p $(@D)
	$(if $(LIBBPF),,@echo 'make: no libbpf 1.0 or later (libbpf-dev): nfpchan without "xdp"' >&2)
	$(if $(LIBPCAP),,@echo 'make: no libpcap (libpcap-dev): nfpchan without "replay", and "capture" without EXPR' >&2)
	$(if $(LIBFIXBUF),,@echo 'make: no libfixbuf (libfixbuf-dev): nfpchan without "flows --ipfix"' >&2)
	$(call Q,LD)$(LINK) -o $@ $(filter %.o %.a,$^) $(USE_LIB) $(LIBBPF) $(LIBPCAP) $(LIBFIXBUF) $(LDFLAGS)

$(EXAMPLES): $(O)/bin/%: $(O)/obj/userspace/examples/%.o $(LIBSO)
	@mkdir -p $(@D)
	$(call Q,LD)$(LINK) -o $@ $< $(USE_LIB) $(LDFLAGS)

$(O)/bin/chan_apps: $(O)/obj/userspace/examples/apps/chan_apps.o $(APPSA) $(LIBSO)
	@mkdir -p $(@D)
	$(call Q,LD)$(LINK) -o $@ $(filter %.o %.a,$^) $(USE_LIB) $(LDFLAGS)

# The Go package is used as source; what is built of it is for the VM's tests.
GOSRC := $(shell find userspace/go -name '*.go' -o -name '*.s' -o -name go.mod)
GO := cd userspace/go && GOCACHE=$(abspath $(O))/go-cache GOTOOLCHAIN=local GOPROXY=off \
	GOFLAGS=-buildvcs=false CGO_ENABLED=0 go

$(O)/bin/flows-go: $(GOSRC)
	@mkdir -p $(@D)
	$(call Q,GO)$(GO) build -trimpath -o $(abspath $@) ./examples/flows

$(O)/test/lang_go: $(GOSRC)
	@mkdir -p $(@D)
	$(call Q,GO)$(GO) test -c -trimpath -o $(abspath $@) ./nfpchan

# The one that stands on the C library
$(O)/test/bpf_go: $(GOSRC) $(LIBSO)
	@mkdir -p $(@D)
	$(call Q,GO)export CGO_CFLAGS="-I$(CURDIR)/userspace/lib/include -I$(CURDIR)/uapi" \
		CGO_LDFLAGS="-L$(abspath $(O)/lib)"; \
	$(subst CGO_ENABLED=0,CGO_ENABLED=1,$(GO)) test -c -trimpath -o $(abspath $@) ./libnfpchan

# Both inside the root, for lint and for the unit tests
.PHONY: go-vet go-test
go-vet:
	@cd userspace/go && test -z "$$(gofmt -l . | tee /dev/stderr)"
	@$(GO) vet ./...
	@export GOARCH=arm64; $(GO) vet ./...

go-test:
	@$(GO) test -v -run '^TestRing' ./nfpchan

# The Rust crate has no dependencies, so cargo downloads nothing.
CARGO := $(shell command -v cargo)
RUSTSRC := $(wildcard userspace/rust/*.toml userspace/rust/*.rs userspace/rust/*/*.rs)
cargo = (cd userspace/rust && NFPCHAN_LIB_DIR=$(abspath $(O))/$(1) CARGO_TARGET_DIR=$(abspath $(O))/rust/$(1) \
	cargo $(2) --offline $(if $(filter 1,$(V)),-v,-q))

.PHONY: rust rust-guest no-cargo
rust: $(if $(CARGO),$(O)/rust/lib/release/libnfpchan.rlib,no-cargo)
# Built on the host, which has cargo, for the VM's tests
rust-guest: $(if $(CARGO),$(O)/test/lang_rust,no-cargo)

no-cargo:
	@echo 'make: no cargo (rustc, cargo), so no Rust crate' >&2

$(O)/rust/lib/release/libnfpchan.rlib: $(RUSTSRC) $(LIBSO)
	$(call Q,CARGO)$(call cargo,lib,build --release) && touch $(abspath $@)

# The program of the crate's tests, and its example. All libraries are in them, because the guest's
# C library may be older than the host's.
$(O)/test/lang_rust: $(RUSTSRC) $(O)/static/libnfpchan.a
	@mkdir -p $(@D)
	$(call Q,CARGO)rm -f $@; export NFPCHAN_STATIC=1 RUSTFLAGS='-C target-feature=+crt-static'; \
	$(call cargo,static,build --example echo) && \
	$(call cargo,static,test --no-run --test card --message-format=json) | \
		sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | xargs -I{} cp {} $@ && test -x $@
