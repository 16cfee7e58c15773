#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm debug
# Make each allocation of each call fail in turn; see guest/fail_nth.c.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --kernel debug --timeout 600 -- bash -c '. selftests/rig/tap.sh
	echo 2 >/proc/sys/vm/nr_hugepages
	for t in fail_nth fail_nth_device; do subtest $t build/guest/test/$t; done; done_testing'
