#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm ncl
# Test libncrt with a program of nclc on a card and in generic XDP, and with a C++ program in native
# XDP.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --timeout 500 --root ncl --board firmware=full --board ports=cable -- selftests/ncl/guest/runtime.sh
