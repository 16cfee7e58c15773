#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# The tests of peer.t with an IOMMU between the cards, without those that reset a card.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --cards 2 --board peers=on --iommu -- bash -c '. selftests/rig/tap.sh
	subtest peer_api build/guest/test/peer_api
	subtest peer_end build/guest/test/peer_end no-reset
	done_testing'
