#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# Names of maps and of interfaces that are no identity: runs guest/xdp_names.py with two cards.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --cpus 1 --timeout 300 --cards 2 --board ports=cable -- \
	bash selftests/rig/guest/xdp.sh selftests/tool/guest/xdp_names.py
