#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Offload to a card that runs the BPF application: one VM, guest/bpf.py in it.
# What the card warns of in its log is a failure, too.
cd "$(dirname "$0")/../.." || exit 1
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
scripts/vm --timeout 200 --board app=bpf --board-log "$log" --pcap-in selftests/data/real.pcap \
	-- selftests/vm/guest/bpf.py || exit
! grep -e warning -e error "$log" >&2
