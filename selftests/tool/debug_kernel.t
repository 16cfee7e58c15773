#!/bin/bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm debug
# The debug kernel reports each kind of mistake that it checks for, and scripts/vm then fails.

set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=selftests/rig/tap.sh
. selftests/rig/tap.sh
export NFPCHAN_NO_BUILD=1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

debug() { scripts/vm --kernel debug "$@" >"$tmp/out" 2>"$tmp/err" </dev/null; }
says() { grep -qE -- "$1" "$tmp/out"; }

# The order matters: lockdep stops at its first report, and at a report of KASAN.
debug --no-board --no-nfp --no-module -- sh -c '
	for m in leak locks sleep timer shift dma freed; do
		echo "== $m" >/dev/kmsg
		insmod build/guest-debug/splats/splats.ko what=$m
	done
	echo "== again" >/dev/kmsg
	insmod build/guest-debug/splats/splats.ko what=dma
	echo "== end" >/dev/kmsg'
check 'a run with splats fails' test $? = 125
dmesg=$(sed -n 's/.*(all of it: \(.*\)):$/\1/p' "$tmp/err")
found() { # MISTAKE, REPORT
	awk -v m="== $1\r?$" '/ == / { on = $0 ~ m } on' "$dmesg" | grep -qE -- "$2"
}
check 'lockdep: locks in both orders' found locks 'possible circular locking dependency'
check 'sleep with a spin lock held' found sleep 'sleeping function called from invalid'
check 'ODEBUG: a timer in freed memory' found timer 'ODEBUG: free active'
check 'UBSAN: a shift by too much' found shift 'UBSAN: shift-out-of-bounds'
check 'DMA-API: a size that was not mapped' found dma 'DMA-API.*different size'
check 'KASAN: a read of freed memory' found freed 'KASAN: slab-use-after-free'
check 'kmemleak: memory that is lost' found end 'kmemleak: unreferenced object'
check 'DMA-API: not the first alone' found again 'DMA-API.*different size'

# With the card, and without a mistake
debug -- sh -c 'uname -r; build/guest/test/kcov_places
	for f in failslab fail_page_alloc fail_usercopy; do ls -d /sys/kernel/debug/$f; done'
check 'a run with nothing wrong is good' test $? = 0
check 'it is the debug kernel' says '^6\.12\..*-nfpchan-debug$'
check 'KCOV follows nfp_chan.ko' says '^[1-9][0-9]*$'
check 'allocations and user copies can fail on request' \
	test "$(grep -c '^/sys/kernel/debug/fail' "$tmp/out")" = 3
done_testing
