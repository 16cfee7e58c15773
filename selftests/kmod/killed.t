#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# boot:
# Processes that are killed while they send or receive.
exec build/guest/test/chan_kill
