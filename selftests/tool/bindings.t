#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: userspace
# The Rust crate and the Python package as projects of others use them: their versions, a program that
# depends on the crate, an installation by pip. `bindings.t rust` tests one of them.

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
	same 'and so is that of the Python package' \
		"$(sed -n 's/^__version__ = "\([^"]*\)".*/\1/p' userspace/python/nfpchan/__init__.py)" \
		"$version"
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

# What pip needs and this machine does not have
no_pip() {
	python3 - <<-'END' 2>/dev/null
		try:
		    import setuptools, pip
		    if int(setuptools.__version__.split(".")[0]) < 77:
		        print("setuptools", setuptools.__version__, "is older than 77")
		except ImportError as err:
		    print("no", err.name)
	END
}

# pip makes files where the source is, so it gets a copy. It downloads nothing.
python() {
	local reason

	reason=$(no_pip)
	if [ -n "$reason" ]; then
		skip 'the Python package by pip' "$reason"
		return
	fi
	cp -r userspace/python "$tmp/python"
	check 'pip installs the Python package' python3 -m pip install -q --no-index --no-deps \
		--no-build-isolation --root-user-action ignore --target "$tmp/site" "$tmp/python"
	check 'with all its files' diff -r -x __pycache__ userspace/python/nfpchan "$tmp/site/nfpchan"
	same 'pip knows its version' "$(cd "$tmp/site" && python3 -c \
		'import importlib.metadata as m; print(m.version("nfpchan"))')" \
		"$(sed -n 's/^VERSION := //p' Makefile)"
}

[ $# -gt 0 ] || set -- versions rust python
for part; do "$part"; done
done_testing
