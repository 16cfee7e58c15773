#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# Processes store random bytes to all mapped pages of their channels, while other processes use
# other channels: see guest/wild_stores.c. ROUNDS and SEED set the run. A debug kernel uses 1000
# rounds and seed 2.
cd "$(dirname "$0")/../.." || exit 1
rounds=${ROUNDS-}
[ "${NFPCHAN_KERNEL:-}" != debug ] || rounds=${ROUNDS:-1000}
# stores=lenient: the emulated card takes stores of any width.
# shellcheck disable=SC2086 # without ROUNDS there must be no argument
exec scripts/vm --timeout 400 --board stores=lenient -- \
	build/guest/test/wild_stores ${rounds:+"${SEED:-2}" "$rounds"}
