#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# The Go and Python packages and their examples, in the VM against the card.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --timeout 400 --pcap-in selftests/data/real.pcap -- selftests/lib/guest/lang.py
