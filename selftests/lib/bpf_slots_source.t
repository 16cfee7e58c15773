#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# boot: --board firmware=public --board ports=cable
# bpf_source.t on firmware without map_update and map_delete.
exec env LD_LIBRARY_PATH=build/guest/lib bash selftests/rig/guest/xdp.sh \
	selftests/lib/guest/bpf_lang.py orders_slots run
