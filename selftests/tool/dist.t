#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: -
# `make dist` makes one archive of one commit, wherever and by whomever it is made, and what is
# unpacked from it can be built.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
if ! git rev-parse -q --verify HEAD >/dev/null; then
	skip 'make dist' 'no git checkout'
	done_testing
	exit
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
version=$(git show HEAD:Makefile | sed -n 's/^VERSION := //p')
name=nfp-chan-$version
unset MAKEFLAGS MFLAGS

# The archives are of clones, so this test neither sees nor changes what is not in a commit.
clone() { git clone -q --no-hardlinks . "$1"; }
dist() { (umask "$2" && make -s --no-print-directory -C "$1" dist) >"$tmp/out" 2>"$tmp/err"; }

check 'a clone' clone "$tmp/a"
check 'another one' clone "$tmp/b/c"
check 'the archive' dist "$tmp/a" 022
same 'make dist prints its name' "$(cat "$tmp/out")" "$tmp/a/build/$name.tar.xz"
touch "$tmp/b/c/not-in-git"
echo '# a change' >>"$tmp/b/c/Makefile"
check 'the archive in another folder, with another umask and a change' dist "$tmp/b/c" 077
check 'the change is reported' grep -q 'not in a commit are left out' "$tmp/err"
check 'the archives are identical' cmp "$tmp/a/build/$name.tar.xz" "$tmp/b/c/build/$name.tar.xz"

check 'it can be unpacked' tar -C "$tmp" -xf "$tmp/a/build/$name.tar.xz"
same 'it has the files of the commit' "$(cd "$tmp/$name" && find . -type f -o -type l | sort)" \
	"$(git -C "$tmp/a" ls-tree -r --name-only HEAD | sed 's|^|./|' | sort)"
check 'a library can be built from it' make -s -C "$tmp/$name" O="$tmp/o" CFLAGS=-O0 \
	"$tmp/o/lib/libncrt.so.$version"
check 'an archive of an archive is refused' eval "! dist '$tmp/$name' 022 &&
	grep -q 'is not a git checkout' '$tmp/err'"

sed -i 's/^VERSION := .*/VERSION := 99.1/' "$tmp/a/Makefile"
check 'a version without a section in CHANGES.rst is refused' eval "! dist '$tmp/a' 022 &&
	grep -q 'no section 99.1 in scripts/packaging/CHANGES.rst' '$tmp/err'"
done_testing
