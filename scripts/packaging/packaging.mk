# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# What is given to others: source archive, packages, documents.
.PHONY: dist deb rpm image transcript abi-reference docs screens man3

##@ Package (of the commit that is checked out; scripts/packaging)
## dist: build/nfp-chan-VERSION.tar.xz, the same bytes for the same commit (8 s)
dist:
	$(q)scripts/packaging/dist $(VERSION)

## deb: Debian packages in build/deb, made and checked by lintian in a separate root (2 GB more; 3 min)
deb:
	$(q)JOBS=$(JOBS) scripts/packaging/deb $(VERSION)

## rpm: RPM packages in build/rpm, made and checked by rpmlint in the same root
rpm:
	$(q)JOBS=$(JOBS) scripts/packaging/rpm $(VERSION)

## image: nfpchan-test as a folder, an archive and an OCI image in build/image (userspace/doc/CI.rst)
image: setup image-guest
	$(q)scripts/packaging/image $(VERSION)

## transcript: install, use and remove the packages in a fresh root, in which their card runs (15 min)
transcript: deb setup image-guest
	$(q)scripts/transcript $(VERSION)

## abi-reference: scripts/packaging/abi.txt, the binary interface of this version (userspace/doc/ABI.rst)
ABI_REFERENCE ?= scripts/packaging/abi.txt
abi-reference: $(LIBSO)
	$(q)scripts/abi --library $(LIBSO) >$(O)/abi.txt && cp $(O)/abi.txt $(ABI_REFERENCE)

##@ Documents (scripts/docs)
## docs: the site build/docs/html, by Sphinx, in a root made for it (300 MB, once; 20 s), and man3
docs:
	$(q)scripts/docs/build

## screens: what commands show at a terminal, for the site: build/docs/screens (40 s)
screens:
	$(q)scripts/vm --board ports=cable -- scripts/docs/screens build/docs/screens

## man3: a manual page of each call of libnfpchan, in build/docs/man3; needs docutils
man3:
	$(q)scripts/docs/build --man
