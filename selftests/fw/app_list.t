#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: -
# make adds an app to the firmware when its files are added to fw/apps, and removes it with them.

set -u
top=$(cd "$(dirname "$0")/../.." && pwd -P)
# shellcheck source=selftests/rig/tap.sh
. "$top/selftests/rig/tap.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# A tree of links to the source tree, with a copy of fw/apps and without a build folder.
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
same "the firmware has no process of the tests" "" "$(nm "$firmware" |
	grep -woE "$(sed -n 's/^process.* entry //p' "$top"/selftests/fw/apps/*.chan | paste -sd'|')")"
cp -p "$firmware" "$tmp/before"
check "make runs again" build
check "make does not rebuild unchanged firmware" test ! "$firmware" -nt "$tmp/before"

echo 'process gone island 35 me 11 ctx 7 entry gone_main
channel gone to-host size 8 depth 1 process gone' >"$tree/fw/apps/zz.chan"
printf '%s\n' '#include "chan.h"' 'void gone_main(void)' '{' '}' >"$tree/fw/apps/zz.c"
check "the firmware is built with a new app" build
check "the app is in the firmware" sh -c "nm '$firmware' | grep -qw gone_main"
rm "$tree"/fw/apps/zz.*
check "the firmware is built after the app was removed" build
check "the app is not in the firmware" sh -c "! nm '$firmware' | grep -qw gone_main"
check "the app is not in the table" sh -c "! grep -q gone '$tmp/o/gen/firmware/chan_table.c'"
done_testing
