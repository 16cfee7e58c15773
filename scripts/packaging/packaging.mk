# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# What is given to others: source archive and packages.
.PHONY: dist

##@ Package (of the commit that is checked out; scripts/packaging)
## dist: build/nfp-chan-VERSION.tar.xz, the same bytes for the same commit (20 s)
dist:
	$(q)scripts/packaging/dist $(VERSION)
