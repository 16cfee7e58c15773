#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# Links between two cards from Go and Python.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --cards 2 --board peers=on -- selftests/lib/guest/peer_lang.py
