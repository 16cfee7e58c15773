#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm long 6.12 7 debug kcsan
# Cards that fail, in one VM; see guest/fault.py, and FAULTS.rst for the table. The
# stock driver is no less there, and the kernel has nothing to complain about.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --timeout 400 --board fault=off --board ports=cable -- \
	selftests/kmod/guest/fault.py "$@"
