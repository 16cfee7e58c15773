#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# boot: --board ports=cable
# nfpchan flows --ipfix: records in nfdump's collector, in pmacct's, and in one over TCP.
exec selftests/tool/guest/ipfix.py
