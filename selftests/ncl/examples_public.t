#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm ncl
# boot: --root ncl --board ports=cable
# Run the example that needs only what the vendor's public firmware offers, on a card with it.
exec selftests/ncl/guest/examples.sh calc
