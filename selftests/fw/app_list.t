#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# An app is in the firmware as long as its files are in fw/apps.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd -P)
# shellcheck source=selftests/rig/tap.sh
. "$top/selftests/rig/tap.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# A tree of links but for the apps, with what is built in a folder of its own.
tree=$tmp/tree
mkdir -p "$tree/fw"
for f in "$top"/* "$top"/fw/*; do
	case ${f#"$top"/} in
	build | fw) ;;
	fw/apps) cp -r "$f" "$tree/fw/" ;;
	*) ln -s "$f" "$tree/${f#"$top"/}" ;;
	esac
done

firmware=$tmp/o/lib/firmware.o
build() { make -s -C "$tree" O="$tmp/o" CFLAGS=-O0 "$firmware" 2>&1; }

check "the firmware is built" build
cp -p "$firmware" "$tmp/before"
check "it is built anew" build
check "but not when nothing has changed" test ! "$firmware" -nt "$tmp/before"

echo 'process gone island 35 me 11 ctx 7 entry gone_main
channel gone to-host size 8 depth 1 process gone' >"$tree/fw/apps/zz.chan"
printf '%s\n' '#include "chan.h"' 'void gone_main(void)' '{' '}' >"$tree/fw/apps/zz.c"
check "an app is added" build
check "it is in the firmware" sh -c "nm '$firmware' | grep -qw gone_main"
rm "$tree"/fw/apps/zz.*
check "it is removed" build
check "and is not in the firmware" sh -c "! nm '$firmware' | grep -qw gone_main"
check "nor in the table" sh -c "! grep -q gone '$tmp/o/gen/chan_table.c'"
done_testing
