#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# libnfpchan in the VM against the card; see guest/lib_api.c.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --timeout 120 -- build/guest/test/lib_api
