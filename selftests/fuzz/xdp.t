#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# 500 random programs, the same each time; selftests/fuzz/xdp_nightly.t has others.
exec "$(dirname "$0")/xdp/run" 300 --seed 1 --count 500
