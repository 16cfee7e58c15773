#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# The build accepts the flags of packagers, and other compilers.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
unset MAKEFLAGS WERROR CPPFLAGS CFLAGS LDFLAGS

build() { make --no-print-directory O="$tmp/o" "$@" >"$tmp/out" 2>&1; }
says() { grep -qF -- "$1" "$tmp/out"; }

# One object shows the flags that all have.
some=$tmp/o/obj/userspace/lib/ring/ring.o
check 'an object is built' build "$some"
check 'with a line' says "  CC      $some"
check 'and with nothing else for it' eval "! says ' -o '"
check 'make -s prints nothing' eval "build -s -B '$some' && [ ! -s '$tmp/out' ]"
check 'V=1 prints the command' build -B V=1 "$some"
check 'it is there' says " -o $some"
check 'without -Werror' sh -c "! grep -q Werror '$tmp/out'"
check 'and with it where it is asked for' build -B V=1 WERROR=-Werror "$some"
check 'it is there' says -Werror
echo '#error CPPFLAGS are honoured' >"$tmp/stop.h"
check 'CPPFLAGS are honoured' eval "! build -B CPPFLAGS='-include $tmp/stop.h' '$some' &&
	says 'CPPFLAGS are honoured'"
check 'CFLAGS are honoured' eval "build -B V=1 CFLAGS=-O0 '$some' && says ' -O0 ' && ! says ' -O2'"
check 'LDFLAGS are honoured' eval "! build LDFLAGS=-Wl,--no-such-option '$tmp/o/lib/libnfpchan.so.$(
	sed -n 's/^VERSION := //p' Makefile)' && says no-such-option"

# All targets are built in build/host already.
make -s --no-print-directory KDIR="$tmp/none" >"$tmp/out" 2>&1
check 'make without kernel headers succeeds' test $? = 0
check 'and says so' says "no kernel headers in $tmp/none"
check 'make without cargo succeeds' build CARGO= rust
check 'and says so' says 'no cargo (rustc, cargo), so no Rust crate'

if command -v clang >/dev/null; then
	check 'clang builds library, command and board without a warning' \
		build -j2 CC=clang WERROR=-Werror CFLAGS=-O0 userspace board
else
	skip 'clang builds library, command and board without a warning' 'no clang'
fi
done_testing
