#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12
# A policy graph with accelerators: load it, kill its process, load it again, unload it.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --board peers=on --accel aes-gcm --accel classify --timeout 120 -- selftests/graph/guest/accel.py
