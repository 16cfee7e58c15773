#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# boot:
# System calls and interrupts of a receiver that sleeps before each message.
exec build/guest/test/chan_idle
