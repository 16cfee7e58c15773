#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# boot:
# What is one process's is no other's.
exec build/guest/test/isolation
