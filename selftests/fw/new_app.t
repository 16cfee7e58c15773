#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# scripts/new-app creates an ME process that builds and whose tests pass. It refuses names in use.

set -u
cd "$(dirname "$0")/../.." || exit 1
top=$PWD
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

apps=$tmp/apps
build() { make -s O="$tmp/o" CFLAGS=-O0 APPS="$apps" "$@"; }
has() { nm "$tmp/o/lib/firmware.o" | grep -qw "$1"; }
in_vm() { APPS=$apps NFPCHAN_BOARD=$tmp/o/bin/nfpboard scripts/vm -- "$@" </dev/null; }

check "a new app outside of the tree" scripts/new-app --dir "$apps" hello
check "the card and the unit test are built with it" build board "$tmp/o/test/test_hello"
check "the firmware has it" has hello_main
subtest "its unit test" "$tmp/o/test/test_hello"
subtest "its VM test" in_vm "$apps/hello.t"
rm "$apps"/*
check "the card is built after the app was removed" build board
check "the firmware does not have the app" eval '! has hello_main'

# Run new-app in a copy of the files that it reads.
for f in scripts/{new-app,chantab} {,selftests/}fw/apps/*.chan selftests/fw/apps/capitals.c \
	selftests/*/test_*.c selftests/fw/capitals.t; do
	mkdir -p "$tmp/tree/${f%/*}"
	cp "$f" "$tmp/tree/$f"
done
cd "$tmp/tree" || exit 1
files() { find . -type f | wc -l; }
was=$(files)

# refused STATUS TEXT ARGUMENT...: new-app exits with STATUS, prints TEXT, and writes no file.
refused() {
	local want=$1 text=$2 rc=0

	shift 2
	scripts/new-app "$@" >"$tmp/out" 2>"$tmp/err" || rc=$?
	[ $rc = "$want" ] && grep -qF -- "$text" "$tmp/err" && [ "$(files)" = "$was" ]
	ok $? "new-app $*" "status $rc, want $want and \"$text\", and no new file"
}

refused 2 "usage: scripts/new-app"
refused 2 "usage: scripts/new-app" --dir
refused 2 "usage: scripts/new-app" --nope hello
refused 2 "the name 'Hello' is not 1 to 27 of a-z" Hello
refused 2 "the name '9p' is not" 9p
refused 2 "is not 1 to 27 of" long_long_long_long_long_long
refused 1 "process 'rv' was declared at" rv
refused 1 "have the same C name, CHAN_CTL" chan_ctl
refused 1 "test_capitals.c exists" capitals
refused 1 "flow_main is the entry of process 'flowmeter'" flow
refused 1 "test_ring.c exists: the unit test would have the same name" ring
refused 1 "/dev/null" --dir /dev/null hello
echo "channel few to-host size 8" >fw/apps/bad.chan
was=$(files)
refused 1 "bad.chan:1: channel 'few' has no depth" hello
for ((i = 0; i < 64; i++)); do
	echo "process p$i island 33 me $((1 + i / 8)) ctx $((i % 8)) entry p_main"
done >fw/apps/bad.chan
rm fw/apps/[!bm]*.chan selftests/fw/apps/[!c]*.chan
sed -i 55,64d fw/apps/bad.chan
check "there is room for one more" scripts/new-app --dir "$tmp/one" one
echo "process last island 33 me 9 ctx 0 entry p_main" >>fw/apps/bad.chan
was=$(files)
refused 1 "no room for 1 more of processes: 64 are declared, the limit is 64" hello

# A new app named "capital2" equals the app "capitals", except for the name.
cd "$top" || exit 1
scripts/new-app --dir "$apps" capital2 >/dev/null 2>&1
sed 's/capital2/capitals/g; s/CAPITAL2/CAPITALS/g' "$apps/capital2.c" | diff - selftests/fw/apps/capitals.c
ok $? "the new app differs from capitals only in the name"
done_testing
