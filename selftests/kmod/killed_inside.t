#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# boot:
# Processes that are killed within io_uring, and within a copy.
exec build/guest/test/chan_kill_in
