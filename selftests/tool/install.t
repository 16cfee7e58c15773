#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# What `make install` puts below DESTDIR belongs to the PREFIX of that call, whatever
# PREFIX the build had.

set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
out=build/host
n=0

ok() { # NAME, CONDITION...
	local name=$1

	shift
	n=$((n + 1))
	if "$@" >"$tmp/said" 2>&1; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		sed 's/^/# /' "$tmp/said"
	fi
}

# Without the jobs, and the variables, of a make that runs the tests
mk() { env -u MAKEFLAGS -u MFLAGS make -s O="$out" "$@"; }

# pc_is WANT OPTION...: what pkg-config says with the file that was installed
pc_is() {
	local want=$1 got

	shift
	got=$(PKG_CONFIG_LIBDIR=$tmp/usr/lib/pkgconfig PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
		PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 pkg-config "$@" libnfpchan) || return
	[ "${got% }" = "$want" ] || { echo "\"$got\", not \"$want\""; return 1; }
}

there() { # FILE...
	local f

	for f in "$@"; do
		[ -s "$tmp$f" ] || { echo "no $f"; return 1; }
	done
}

ok "a build with PREFIX=/opt/one" mk PREFIX=/opt/one userspace
ok "install with PREFIX=/usr" mk PREFIX=/usr DESTDIR="$tmp" install
ok "libnfpchan.pc says /usr" pc_is /usr --variable=prefix
ok "flags for the compiler and the linker" \
	pc_is "-I/usr/include -L/usr/lib -lnfpchan" --cflags --libs
ok "what they need is there" there /usr/include/nfpchan.h /usr/include/nfpchan_port.h \
	/usr/include/linux/nfp_chan.h /usr/lib/libnfpchan.so /usr/lib/libnfpchan.a
ok "the build is as it was" mk userspace
echo "1..$n"
