#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm ncl
# boot: --root ncl --board ports=cable
# Kernels on several queues and CPUs at once, in native and in generic XDP: sums are counts.
exec selftests/ncl/guest/race.sh build/ncl/test/ncl_race race0 race1 build/ncl/ncl/race.ncd
