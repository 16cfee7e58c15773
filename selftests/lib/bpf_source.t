#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# boot: --board firmware=full --board ports=cable
# A program with channels of nfpchan_bpf.h on a card with channel firmware: the part of
# guest/bpf_lang.py that bpf_languages.t runs on a card without channel firmware.
exec env LD_LIBRARY_PATH=build/guest/lib bash selftests/rig/guest/xdp.sh \
	selftests/lib/guest/bpf_lang.py orders orders_slots run
