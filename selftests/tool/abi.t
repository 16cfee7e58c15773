#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: userspace
# The binary interface is that of the last release, and scripts/abi finds what is not. Where abidiff
# is, it compares the libraries, too.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
unset MAKEFLAGS MFLAGS
mkdir -p build
tmp=$(mktemp -d "$PWD/build/abi.XXXXXX")	# in the tree: the root of the Debian packages sees it
trap 'rm -rf "$tmp"' EXIT
reference=scripts/packaging/abi.txt
object=build/host/static/libnfpchan.o

# A copy of the headers, of the symbols and of the soname, to be changed
copy() {
	rm -rf "$tmp/tree"
	mkdir "$tmp/tree"
	cp --parents -r Makefile uapi userspace/lib/include userspace/lib/libnfpchan.map "$tmp/tree"
	soname=libnfpchan.so.0
}

# change FILE SED-COMMAND: the command has to change something
change() {
	cp "$tmp/tree/$1" "$tmp/before"
	sed -i "$2" "$tmp/tree/$1"
	! cmp -s "$tmp/before" "$tmp/tree/$1"
}

compare() {
	cc -shared -Wl,-soname,"$soname" -Wl,--version-script="$tmp/tree/userspace/lib/libnfpchan.map" \
		-o "$tmp/lib.so" "$object" &&
		scripts/abi --tree "$tmp/tree" --library "$tmp/lib.so" --against "$tmp/reference"
}

# breaks NAME FILE SED-COMMAND TEXT: after the change scripts/abi fails, and says that TEXT is broken
breaks() {
	copy
	check "a change: $1" change "$2" "$3"
	compare >"$tmp/out" 2>"$tmp/err"
	same 'is found' "$?: $(grep '^broken' "$tmp/out")" "1: broken: $4"
}

# keeps NAME FILE SED-COMMAND TEXT: after the change it succeeds
keeps() {
	copy
	check "a change: $1" change "$2" "$3"
	compare >"$tmp/out" 2>"$tmp/err"
	same 'breaks nothing' "$?: $(cat "$tmp/out")" "0: $4"
}

# This machine's abidiff, or that of the root of the Debian packages, if the cache has it
abidiff_here() {
	if command -v abidiff >/dev/null; then
		abidiff "$@"
	else
		scripts/in-root --deb --ro-tree -- abidiff "$@"
	fi
}
has_abidiff() {
	# shellcheck source=scripts/env.sh
	command -v abidiff >/dev/null ||
		(set -eu; . scripts/env.sh; [ "$(id -u)" = 0 ] && [ -d "$cache/$deb_key" ])
}

# The library of the last tag, against that of this tree
abidiff_tag() {
	local what='abidiff: the library of the last release' tag version

	if ! has_abidiff; then
		skip "$what" 'no abidiff: Debian package abigail-tools, or the root that make deb makes'
		return
	fi
	if ! tag=$(git describe --tags --abbrev=0 --match 'v[0-9]*' 2>/dev/null); then
		skip "$what" 'no version has been tagged'
		return
	fi
	version=$(git show "$tag:Makefile" | sed -n 's/^VERSION := //p')
	mkdir "$tmp/old"
	git archive "$tag" | tar -xC "$tmp/old"
	check "the library of $tag is built" make -s -C "$tmp/old" O=o "o/lib/libnfpchan.so.$version"
	abidiff_here --headers-dir1 "$tmp/old/userspace/lib/include" \
		--headers-dir2 userspace/lib/include "$tmp/old/o/lib/libnfpchan.so" \
		build/host/lib/libnfpchan.so >"$tmp/out" 2>"$tmp/err"
	# Bits of the status: 1 and 2 are errors, 4 is a change, 8 one that breaks programs.
	same "$what" $(($? & 11)) 0
}

check "the interface is that of $reference (userspace/doc/ABI.rst)" scripts/abi --against "$reference"
check 'make abi-reference' make -s ABI_REFERENCE="$tmp/reference" abi-reference
same 'what it writes has no difference' "$(scripts/abi --against "$tmp/reference")" ''

h=uapi/nfpchan/nfp_chan.h lib=userspace/lib/include/nfpchan.h map=userspace/lib/libnfpchan.map
breaks 'the number of an ioctl' $h 's/\(IOC_CANCEL.*\)0x07/\10x17/' \
	'value NFP_CHAN_IOC_CANCEL: was 0xe107, is 0xe117'
breaks 'a flag' uapi/nfpchan/nfp_chan_ring.h 's/\(F_DROP\t\)0x4/\10x40/' \
	'value NFP_CHAN_F_DROP: was 0x4, is 0x40'
breaks 'a name of a flag' $lib '/define NFPCHAN_LINK/d' 'value NFPCHAN_LINK: was 0x2, is gone'
breaks 'the type of a field' $h '/^struct nfp_chan_kick {/,/^}/s/__u32\tunits/__s32\tunits/' \
	'field nfp_chan_kick.units: was 8 4 __u32, is 8 4 __s32'
breaks 'two fields in another order' $h \
	'/^struct nfp_chan_arm {/,/^}/{s/seq;/x;/; s/events;/seq;/; s/x;/events;/}' \
	"field nfp_chan_arm.seq: was 8 4 __u32, is 12 4 __u32
broken: field nfp_chan_arm.events: was 12 4 __u32, is 8 4 __u32"
breaks 'a field in the middle' $lib 's/^\tuint32_t\trsvd;/&\n\tint32_t\tnew[2];/' \
	'field nfpchan_opts.port: was 40 8 struct nfpchan_port *, is 48 8 struct nfpchan_port *
broken: field nfpchan_opts.new: 40 8 int32_t[2]: new, but neither at the end nor in a reserved field'
breaks 'a field where padding was' userspace/lib/include/nfpchan_port.h 's/^\tint\t*guard;/&\n\tint pad;/' \
	'field nfpchan_case.pad: 28 4 int: new, but neither at the end nor in a reserved field'
breaks 'a larger struct without its size' userspace/lib/include/nfpchan_stream.h \
	'/^struct nfpchan_msg {/,/^}/s/^};/\tuint32_t more;\n};/' 'struct nfpchan_msg: was 16, is 24'
breaks 'the type of a parameter' $lib 's/unsigned int n);/uint64_t n);/' \
	'call nfpchan_release: was int (struct nfpchan *, unsigned int), is int (struct nfpchan *, uint64_t)'
breaks 'a call that no header has' $lib '/^int nfpchan_raise/d' \
	'call nfpchan_raise: was int (struct nfpchan *), is gone'
breaks 'a symbol' $map '/nfpchan_arm;/d' 'symbol nfpchan_arm: was LIBNFPCHAN_0.1, is gone'
copy
soname=libnfpchan.so.1
same 'another soname is found' "$(compare)" \
	'broken: soname libnfpchan: was libnfpchan.so.0, is libnfpchan.so.1'

keeps 'a longer struct with its size' $lib '/^struct nfpchan_stats {/,/^}/s/^};/\tuint64_t more;\n};/' \
	'new: field nfpchan_stats.more 72 8 uint64_t'
keeps 'a new flag' $lib 's/^#define NFPCHAN_LINK.*/&\n#define NFPCHAN_NEW 4/' 'new: value NFPCHAN_NEW 0x4'
keeps 'a meaning for a reserved field' $h \
	'/^struct nfp_chan_cancel {/,/^}/s/__u32\trsvd/__u32\tcount/' \
	'new: field nfp_chan_cancel.count 12 4 __u32'
keeps 'another name of a parameter' $lib 's/unsigned int n);/unsigned int count);/' ''
keeps 'what is not stable' uapi/nfpchan/nfp_chan_peer.h 's/0x80)/0x82)/' ''
abidiff_tag
done_testing
