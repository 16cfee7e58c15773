#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# nfpchan xdp run --link and xdp replace: runs guest/xdp_replace.py in a VM with a cable.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --cpus 1 --timeout 300 --board ports=cable -- bash selftests/rig/guest/xdp.sh \
	selftests/tool/guest/xdp_replace.py
