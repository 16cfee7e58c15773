#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm nightly ncl
# Run the programs of userspace/ncl/examples with their servers and peers. The nightly run also has
# a training with AllReduce (train), and sixteen workers (sixteen). Arguments select tests by name.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/card.sh
[ $# -gt 0 ] || set -- allreduce calc lock wordcount kvs paxos ${NIGHTLY:+train sixteen}
card_vm --root ncl --timeout 600 --board firmware=full --board ports=cable --board chan=off -- \
	bash selftests/ncl/guest/examples.sh "$@" && card_quiet &&
	card_counts --say '{xdp.packets} packets, {bpf.loads} loads' xdp.packets 'not xdp.faults'
