#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# Threads that try to link two cards whose writes do not reach each other: nothing waits for them.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --cards 2 --board peers=off --qemu -device --qemu edu -- build/guest/test/peer_stall
