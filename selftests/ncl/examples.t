#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm nightly ncl
# The programs of userspace/ncl/examples, each with the other side that it is for. The nightly
# run has a training by AllReduce, and sixteen workers, too. Arguments name some of them.
cd "$(dirname "$0")/../.." || exit 1
. selftests/rig/card.sh
[ $# -gt 0 ] || set -- allreduce calc lock wordcount kvs paxos ${NIGHTLY:+train sixteen}
card_vm --root ncl --timeout 600 --board ports=cable --board chan=off -- \
	bash selftests/ncl/guest/examples.sh "$@" && card_quiet &&
	card_counts --say '{xdp.packets} packets, {bpf.loads} loads' xdp.packets 'not xdp.faults'
