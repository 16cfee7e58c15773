#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm long 6.12 7 debug kcsan
# The kernel module with the emulated card; see guest/module.sh. A warning in the guest's kernel
# log fails the test as well.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --timeout 600 -- selftests/kmod/guest/module.sh
