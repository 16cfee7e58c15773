#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: nightly debug
# Every storm but the boots (boot.t), LOOPS times (200): see selftests/stress/guest/storm.sh.
# What is left is counted there; kmemleak follows the few loops of selftests/stress/storm.t.
cd "$(dirname "$0")/../.." || exit 1
[ $# -gt 0 ] || set -- open kill affinity hotplug freezer devices platform idle \
	bind rescan modules
LOOPS=${LOOPS:-200} exec selftests/stress/storm.t "$@"
