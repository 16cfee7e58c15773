#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7
# boot:
# Unbinding nfp does not wait for a process that sleeps in the kernel's allocator.
exec selftests/kmod/guest/throttled.py
