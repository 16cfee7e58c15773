#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# boot:
# Processes that are killed within an io_uring request, and within a copy from or to their memory.
exec build/guest/test/chan_kill_in
