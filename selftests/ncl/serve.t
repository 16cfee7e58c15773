#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm ncl
# boot: --root ncl --board ports=cable
# Test ncl serve with messages that a libncrt does not send: wrong fields, random bytes, old requests,
# and requests from other addresses. The devices are on a card, in native XDP and in generic XDP.
exec selftests/ncl/guest/net.sh --hosts 2 --devices 3 --no-neigh -- \
	python3 selftests/ncl/guest/serve.py
