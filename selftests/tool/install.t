#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: userspace
# `make install` uses its own PREFIX, not the PREFIX of the build, in the files that it writes below
# DESTDIR.

set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
out=build/host
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh

# Run make without the jobs and variables of the make that runs the tests.
mk() { env -u MAKEFLAGS -u MFLAGS make -s O="$out" "$@"; }

# pc_is PACKAGE WANT OPTION...: pkg-config prints WANT, from the installed files
pc_is() {
	local package=$1 want=$2 got path

	shift 2
	path=$tmp/usr/lib/pkgconfig:$(pkg-config --variable pc_path pkg-config)
	got=$(PKG_CONFIG_LIBDIR=$path PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
		PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 pkg-config "$@" "$package") || return
	[ "${got% }" = "$want" ] || { echo "\"$got\", not \"$want\""; return 1; }
}

there() { # FILE...
	local f

	for f in "$@"; do
		[ -s "$tmp$f" ] || { echo "no $f"; return 1; }
	done
}

check "a build with PREFIX=/opt/one" mk PREFIX=/opt/one userspace
check "install with PREFIX=/usr" mk PREFIX=/usr DESTDIR="$tmp" install
check "libnfpchan.pc says /usr" pc_is libnfpchan /usr --variable=prefix
check "flags for the compiler and the linker" \
	pc_is libnfpchan "-I/usr/include -L/usr/lib -lnfpchan" --cflags --libs
check "headers and libraries are installed" there /usr/include/nfpchan.h /usr/include/nfpchan_stream.h \
	/usr/include/nfpchan_port.h /usr/include/nfpchan_link.h /usr/include/nfpchan_bpf.h \
	/usr/include/nfpchan/nfp_chan.h /usr/lib/libnfpchan.so /usr/lib/libnfpchan.a
check "NCL is installed, except its compiler" there /usr/bin/ncl /usr/include/ncl/ncrt.h \
	/usr/lib/libncrt.so /usr/share/man/man1/ncl.1 /usr/share/bash-completion/completions/ncl
check "make builds with the default PREFIX again" mk userspace
done_testing
