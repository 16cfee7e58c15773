#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: nightly
# build: image-guest
# What a user of the packages does: scripts/transcript runs to its end, the module of the packages is in use,
# and frames, flow records and the XDP program come where they shall. The root of `make deb` is needed.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
# shellcheck source=selftests/rig/roots.sh
. selftests/rig/roots.sh

need_roots 'the transcript' deb deb_key image_key

unset MAKEFLAGS MFLAGS
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
version=$(git show HEAD:Makefile | sed -n 's/^VERSION := //p')
check 'the packages are built' scripts/packaging/deb "$version"
scripts/transcript "$version" >"$tmp/out" 2>"$tmp/err"
ok $? 'the transcript runs to its end'
has() { check "$1" grep -qE -- "$2" "$tmp/out"; }
has 'DKMS has built the module' '^nfp-chan/[0-9.]+, .*: installed'
has 'and it is the one in use' 'updates/dkms/nfp_chan.ko'
same 'tshark has 12 frames' "$(grep -cE '^ +[0-9]+ [0-9.]+ .* → ' "$tmp/out")" 12
same 'nfcapd has all records' "$(sed -n 's/^Flows: //p' "$tmp/out")" "$(sed -n 's/^  records *//p' "$tmp/out")"
has 'without a gap' '^Sequence failures: 0$'
has 'the XDP program has passed and dropped what it shall' '^ok 5 - expect: pass: 4, drop: 6$'
has 'nothing is left' '^No file of them is left'
done_testing
