#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# bpf_languages.t on firmware without map_update and map_delete.
cd "$(dirname "$0")/../.." || exit 1
exec scripts/vm --timeout 200 --board firmware=public --board chan=off --board ports=cable -- \
	env LD_LIBRARY_PATH=build/guest/lib bash selftests/rig/guest/xdp.sh \
	selftests/lib/guest/bpf_lang.py orders_slots
