#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm ncl
# boot: --root ncl --board ports=cable
# Run kernels on several queues and CPUs at once, in native and in generic XDP: no update of a
# variable may be lost that a lock or atomic additions protect.
exec selftests/ncl/guest/race.sh build/ncl/test/ncl_race race0 race1 build/ncl/ncl/race.ncd
