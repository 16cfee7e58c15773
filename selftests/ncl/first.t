#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm ncl
# Run the commands of userspace/doc/NCL-FIRST.rst, and compare their output with the page.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/card.sh
card_vm --root ncl --board firmware=full --board ports=cable --board chan=off -- \
	bash selftests/ncl/guest/net.sh --hosts 2 -- selftests/ncl/guest/first.py &&
	card_quiet && card_counts xdp.packets 'not xdp.faults'
