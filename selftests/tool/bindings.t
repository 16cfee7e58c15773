#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: userspace
# The Rust crate as projects of others use it: its version, a program that depends on it. `bindings.t rust` tests one of them.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
lib=$PWD/build/host/lib

# The versions that files outside the Makefile have
versions() {
	local version

	version=$(sed -n 's/^VERSION := //p' Makefile)
	same 'the version of the Rust crate is that of the Makefile' \
		"$(sed -n 's/^version = "\(.*\)"$/\1/p' userspace/rust/Cargo.toml)" "$version"
}

# Cargo, with a library that pkg-config finds and the loader as well
cargo_here() {
	env -C "$tmp/$1" -u NFPCHAN_LIB_DIR PKG_CONFIG_PATH="$lib/pkgconfig" LD_LIBRARY_PATH="$lib" \
		CARGO_TARGET_DIR="$tmp/target" cargo "${@:2}" --offline -q
}

rust() {
	if ! command -v cargo >/dev/null; then
		skip 'the Rust crate' 'no cargo'
		return
	fi
	mkdir -p "$tmp/user/src"
	cp -r userspace/rust "$tmp/crate"
	check 'the tests of the crate pass that need no card' cargo_here crate test
	cat >"$tmp/user/Cargo.toml" <<-'END'
		[package]
		name = "user"
		version = "1.0.0"
		edition = "2021"
		[dependencies]
		nfpchan = { path = "../crate" }
	END
	cp userspace/rust/examples/echo.rs "$tmp/user/src/main.rs"
	check 'a program of another package is built with it' cargo_here user build
	LD_LIBRARY_PATH=$lib "$tmp/target/debug/user" hello >"$tmp/out" 2>"$tmp/err"
	same 'it runs with the shared library' "$?, $(grep -o 'no such card' "$tmp/err")" '1, no such card'
}

[ $# -gt 0 ] || set -- versions rust
for part; do "$part"; done
done_testing
