#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm long 6.12 7 debug kcsan
# Cards that fail, in one VM: see guest/fault.py, and FAULTS.rst for the table of faults.
# After each fault the stock driver must still work, and the kernel's log must have no warning.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --timeout 400 --board fault=off --board ports=cable -- \
	selftests/kmod/guest/fault.py "$@"
