#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# 500 random programs, the same each time; selftests/nightly/fuzz.t has others.
exec "$(dirname "$0")/../xdp-fuzz/run" 300 --seed 1 --count 500
