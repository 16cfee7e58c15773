#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# A card is lost in mid-stream of a link between two.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --cards 2 --board peers=on --board fault=off --known 'nfp .*' -- \
	build/guest/test/peer_end gone
