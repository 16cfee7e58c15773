#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7
# boot:
# A security module can refuse the OPEN of a channel.
exec build/guest/test/chan_lsm
