#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: nightly ncl
# The programs of userspace/ncl/examples, each with the other side that it is for: five minutes
# under emulation, so a nightly test. Arguments name some of them.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/card.sh
card_vm --root ncl --timeout 600 --board ports=cable --board chan=off -- \
	bash selftests/ncl/guest/examples.sh "$@" && card_quiet &&
	card_counts --say '{xdp.packets} packets, {bpf.loads} loads' xdp.packets 'not xdp.faults'
