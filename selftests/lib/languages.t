#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# build: rust-guest
# The Go and Python packages, the Rust crate and their examples, in the VM against the card.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --timeout 400 --pcap-in selftests/data/real.pcap -- selftests/lib/guest/lang.py
