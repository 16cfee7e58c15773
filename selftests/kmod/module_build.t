#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# What was built of the module for one kernel is not taken for another one.

set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
echo 1..4
n=0

is() { # NAME GOT WANTED
	n=$((n + 1))
	if [ "$2" = "$3" ]; then
		echo "ok $n - $1"
	else
		printf '%s\n' "not ok $n - $1" "# got $2, want $3"
	fi
}

# What is there of an earlier build afterwards, when this one is for that kernel.
left() { # KERNEL
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
is "the same kernel: objects stay" "$(left a)" main.o
is "another one: they go" "$(left b)" ""
echo '#define CONFIG_NET_NS 1' >>"$tmp/b/include/generated/autoconf.h"
touch -d @0 "$tmp/b/include/generated/autoconf.h"
is "the same with another configuration, older than they are: they go" "$(left b)" ""
is "and stay after that" "$(left b)" main.o
