#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# boot: --board ports=cable
# Flow records in other people's tools: nfdump, pmacct, an IPFIX collector over TCP; through Kafka into a
# database; and the scripts for bpftrace.
exec selftests/tool/guest/records.py
