#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# 256 channels of nine cards on one port, see guest/port_cards.c.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --cards 9 --timeout 400 -- build/guest/test/port_cards
