#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# A card whose firmware has only one helper, and little room for programs: guest/bpf_lean.py.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/card.sh
card_vm --timeout 120 --board chan=off --board bpf-helpers=lookup --board bpf-words=150 -- \
	selftests/xdp/guest/bpf_lean.py && card_quiet
