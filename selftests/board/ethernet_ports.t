#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# Two cards, each with a cable between its two ports: guest/ports.py sets the ports with ethtool
# and reads the settings back.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --no-module --cards 2 --board ports=cable -- selftests/board/guest/ports.py
