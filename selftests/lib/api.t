#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# boot:
# What nfpchan.h promises, call by call; the last check takes the card away.
exec build/guest/test/lib_api
