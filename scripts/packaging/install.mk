# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# install, install-board, uninstall: which file goes where.

BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR ?= $(PREFIX)/share/man
# Folders that udev, systemd-sysusers and modprobe read below /usr and /usr/local. A system reads
# the same folders of SYSCONFDIR, which is /etc, before them.
SYSCONFDIR ?= $(PREFIX)/lib
UDEVDIR ?= $(SYSCONFDIR)/udev
SYSUSERSDIR ?= $(SYSCONFDIR)/sysusers.d
MODPROBEDIR ?= $(SYSCONFDIR)/modprobe.d
SYSTEMDDIR ?= $(PREFIX)/lib/systemd/system
# Where bash-completion, zsh and fish look. Files of Debian packages for zsh are elsewhere.
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d
# Where Debian's Python looks: what is not a package's has a folder of the version, and in a user's
# PREFIX, ~/.local, it has another name.
PYTHONDIR ?= $(PREFIX)/lib/python$(if $(filter /usr,$(PREFIX)),3,$(shell \
	python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])'))/$(if \
	$(filter /usr /usr/local,$(PREFIX)),dist,site)-packages

# put FOLDER, MODE, FILES: FOLDER:MODE:FILE for each; put_as has the file's name there as well
put = $(foreach f,$(3),$(1):$(2):$(f):$(notdir $(f)))
put_as = $(1):$(2):$(3):$(4)
# a shared library's links. links NAME
links = $(LIBDIR):$(1).so.$(VERSION):$(1).so.$(SOVER) $(LIBDIR):$(1).so.$(SOVER):$(1).so

INSTALLED = $(call put,$(BINDIR),755,$(O)/bin/nfpchan $(NCL_BIN)) \
	$(call put,$(LIBDIR),644,$(LIBSO) $(NCRTSO) $(O)/static/libnfpchan.a $(O)/static/libncrt.a) \
	$(call put,$(INCLUDEDIR),644,$(HEADERS)) \
	$(call put,$(INCLUDEDIR)/nfpchan,644,$(ABI_HEADERS)) \
	$(call put,$(INCLUDEDIR)/ncl,644,$(wildcard userspace/ncl/*.h userspace/ncl/*.hpp)) \
	$(call put,$(MANDIR)/man1,644,$(addprefix userspace/man/,nfpchan.1 ncl.1 $(if $(NCLC),nclc.1))) \
	$(call put,$(MANDIR)/man3,644,$(wildcard userspace/man/*.3 build/docs/man3/*.3)) \
	$(call put,$(MANDIR)/man5,644,$(wildcard userspace/man/*.5)) \
	$(foreach c,nfpchan ncl,$(call put_as,$(BASHDIR),644,$(O)/completion/$(c).bash,$(c)) \
		$(call put_as,$(ZSHDIR),644,$(O)/completion/$(c).zsh,_$(c)) \
		$(call put,$(FISHDIR),644,$(O)/completion/$(c).fish)) \
	$(call put,$(PREFIX)/share/nfpchan/extcap,755,userspace/extcap/nfpchan) \
	$(call put,$(PREFIX)/share/ncl,644,userspace/ncl/ncp.lua) \
	$(call put,$(PYTHONDIR)/nfpchan,644,$(wildcard userspace/python/nfpchan/*.py)) \
	$(call put,$(PYTHONDIR)/ncrt,644,$(wildcard userspace/ncl/python/ncrt/*.py)) \
	$(call put,$(SYSTEMDDIR),644,$(wildcard userspace/systemd/*)) \
	$(call put,$(UDEVDIR)/rules.d,644,userspace/udev/60-nfp-chan.rules) \
	$(call put_as,$(SYSUSERSDIR),644,userspace/udev/sysusers.conf,nfp-chan.conf) \
	$(call put_as,$(MODPROBEDIR),644,userspace/udev/modprobe.conf,nfp-chan.conf)
BOARD_PROGRAMS := nfpboard nfpaccel nfpfabric
INSTALLED_BOARD = $(call put,$(BINDIR),755,$(addprefix $(O)/bin/,$(BOARD_PROGRAMS))) \
	$(call put,$(MANDIR)/man1,644,$(BOARD_PROGRAMS:%=userspace/man/%.1))
# These have the folders of the installation, and are filled in as they are copied.
INSTALLED_PC = $(foreach f,userspace/lib/libnfpchan.pc.in userspace/ncl/rt/libncrt.pc.in,$(call \
	put_as,$(LIBDIR)/pkgconfig,644,$(f),$(basename $(notdir $(f)))))
# Folders of this project alone
INSTALLED_FOLDERS = $(PREFIX)/share/nfpchan/extcap $(PREFIX)/share/nfpchan \
	$(INCLUDEDIR)/nfpchan $(INCLUDEDIR)/ncl $(PREFIX)/share/ncl \
	$(PYTHONDIR)/nfpchan $(PYTHONDIR)/ncrt

# each WORDS, COMMAND: run COMMAND for each word, with its parts in $1, $2...
each = set -e; for w in $(1); do IFS=:; set -- $$w; unset IFS; $(2); done
COPY = install -d "$(DESTDIR)$$1"; install -m $$2 $$3 "$(DESTDIR)$$1/$$4"

.PHONY: install install-board uninstall
install: userspace
	$(q)$(call each,$(INSTALLED),$(COPY))
	$(q)$(call each,$(INSTALLED_PC),install -d "$(DESTDIR)$$1"; $(call pc,$(PREFIX),$(LIBDIR),$(INCLUDEDIR)) $$3 | \
		install -m $$2 /dev/stdin "$(DESTDIR)$$1/$$4")
	$(q)$(call each,$(call links,libnfpchan) $(call links,libncrt),ln -sf $$2 "$(DESTDIR)$$1/$$3")
	$(q)if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then ldconfig; fi

install-board: board accel fabric
	$(q)$(call each,$(INSTALLED_BOARD),$(COPY))

uninstall:
	$(q)$(call each,$(INSTALLED) $(INSTALLED_PC) $(INSTALLED_BOARD),rm -f "$(DESTDIR)$$1/$$4")
	$(q)$(call each,$(call links,libnfpchan) $(call links,libncrt),rm -f "$(DESTDIR)$$1/$$3")
	$(q)rm -f "$(DESTDIR)$(MANDIR)"/man3/nfpchan_*.3 "$(DESTDIR)$(MANDIR)"/man3/NFPCHAN_*.3
	$(q)$(call each,$(INSTALLED_FOLDERS),rm -rf "$(DESTDIR)$$1/__pycache__"; \
		[ ! -d "$(DESTDIR)$$1" ] || rmdir --ignore-fail-on-non-empty "$(DESTDIR)$$1")
	$(q)if [ -z "$(DESTDIR)" ] && [ "$$(id -u)" = 0 ]; then ldconfig; fi
