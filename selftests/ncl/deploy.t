#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm ncl
# boot: --root ncl --board ports=cable
# Test ncl deploy, show and undo with a chain of three devices: one on a card, one in native XDP,
# one in generic XDP.
exec selftests/ncl/guest/net.sh --hosts 2 --devices 3 --no-neigh -- \
	python3 selftests/ncl/guest/deploy.py
