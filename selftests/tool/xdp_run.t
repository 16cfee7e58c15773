#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# nfpchan xdp run and xdp watch: runs guest/xdp_tool.py in a VM with a cable.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --cpus 1 --timeout 300 --board ports=cable -- bash selftests/rig/guest/xdp.sh \
	selftests/tool/guest/xdp_tool.py
