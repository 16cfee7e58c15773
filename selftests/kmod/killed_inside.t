#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# boot:
# A process is killed during an io_uring request, or during a copy from or to its memory: nothing is
# leaked, and other processes still work.
exec build/guest/test/chan_kill_in
