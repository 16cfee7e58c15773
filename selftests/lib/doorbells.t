#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# A module with doorbells=ioctl: see guest/doorbells.sh.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --timeout 400 -- selftests/lib/guest/doorbells.sh
