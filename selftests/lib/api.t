#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# boot:
# Each library call does what nfpchan.h says. The last check removes the card.
exec build/guest/test/lib_api
