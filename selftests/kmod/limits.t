#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# boot:
# A user cannot lock more memory than RLIMIT_MEMLOCK, or open more than a share of the card's pipes.
exec build/guest/test/limits
