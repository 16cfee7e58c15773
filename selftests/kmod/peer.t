#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# Links between two cards: messages and streams, and each way in which a link ends.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --cards 2 --board peers=on -- bash -c '. selftests/rig/tap.sh
	for t in peer_api peer_end; do subtest $t build/guest/test/$t; done; done_testing'
