#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# boot:
# Limits of a user: locked memory, and a share of the card's pipes.
exec build/guest/test/limits
