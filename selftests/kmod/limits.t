#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# boot:
# What a user may have: locked memory, a part of the card's pipes.
exec build/guest/test/limits
