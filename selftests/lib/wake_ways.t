#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# boot:
# Ways to wait for a message: wait policies, real-time signals, interrupts that are held back.
exec build/guest/test/chan_wake
