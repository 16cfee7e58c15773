#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# boot:
# Reads, writes and polls of channels in io_uring, and their cancellation.
exec build/guest/test/chan_uring
