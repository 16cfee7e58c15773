#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# Policy graphs on the card: nfpchan graph load, show, stats and unload.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --timeout 120 -- selftests/graph/guest/load.py
