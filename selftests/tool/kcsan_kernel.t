#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm kcsan
# The KCSAN kernel finds a data race, and checks accesses of nfp_chan.ko.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
export NFPCHAN_NO_BUILD=1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

kcsan() { scripts/vm --kernel kcsan "$@" >"$tmp/out" 2>"$tmp/err" </dev/null; }

kcsan --no-board --no-nfp --no-module -- \
	sh -c 'insmod build/guest-kcsan/splats/splats.ko what=race; exit 0'
check 'a run with a data race fails' test $? = 125
check 'the report names it' grep -q 'BUG: KCSAN: data-race in .*racer' "$tmp/err"

# Only this module was built with KCSAN, so all watchpoints are for its accesses.
kcsan -- sh -c 'uname -r; nfpchan list >/dev/null
	sed -n "s/^setup_watchpoints: //p" /sys/kernel/debug/kcsan'
check 'a run with none is good' test $? = 0
check 'it is that kernel' grep -q '^6\.12\..*-nfpchan-kcsan$' "$tmp/out"
check 'nfp_chan.ko is followed' grep -qx '[1-9][0-9]*' "$tmp/out"
done_testing
