#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# Channels over bpf(2), from Python, from Go and with the nfpchan command: runs guest/bpf_lang.py in
# a VM.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --timeout 200 --board firmware=full --board chan=off --board ports=cable -- \
	env LD_LIBRARY_PATH=build/guest/lib bash selftests/rig/guest/xdp.sh \
	selftests/lib/guest/bpf_lang.py orders
