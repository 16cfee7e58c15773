#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# libnfpchan, the nfpchan command and the examples, in the VM against the card.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --timeout 120 --pcap-in selftests/data/real.pcap -- selftests/tool/guest/tool.py
