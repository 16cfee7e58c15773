#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# boot:
# Ways to be woken: wait policies, real-time signals, held interrupts.
exec build/guest/test/chan_wake
