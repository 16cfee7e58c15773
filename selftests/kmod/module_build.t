#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: -
# make removes the module's objects before it builds the module for another kernel.

set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh

# left KERNEL: begin a build for KERNEL after an earlier build. Print the objects that make has
# kept.
left() {
	mkdir -p "$tmp/o/kmod" && touch "$tmp/o/kmod/main.o"
	make -s O="$tmp/o" KDIR="$tmp/$1" "$tmp/o/kernel.id" >&2
	[ ! -e "$tmp/o/kmod/main.o" ] || echo main.o
}

for k in a b; do
	mkdir -p "$tmp/$k/include/generated"
	echo '#define CONFIG_NET 1' >"$tmp/$k/include/generated/autoconf.h"
	: >"$tmp/$k/Module.symvers"
done
left a >/dev/null
same "the same kernel: objects stay" "$(left a)" main.o
same "another kernel: objects are removed" "$(left b)" ""
echo '#define CONFIG_NET_NS 1' >>"$tmp/b/include/generated/autoconf.h"
touch -d @0 "$tmp/b/include/generated/autoconf.h"
same "another configuration, with a file older than the objects: objects are removed" "$(left b)" ""
same "the same configuration: objects stay" "$(left b)" main.o
done_testing
