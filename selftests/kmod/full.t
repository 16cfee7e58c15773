#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# boot:
# When a channel is full, the sender waits or drops the message, as the channel's policy says.
exec build/guest/test/chan_full
