#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# boot:
# Counts the system calls and interrupts of each way to wait for a message.
exec build/guest/test/wake_cost
