#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# Processes that store random bytes to all that they have mapped, while others use their
# channels; see guest/scribble.c. The debug kernel has ROUNDS (1000), of SEED (2).
cd "$(dirname "$0")/../.." || exit 1
rounds=${ROUNDS-}
[ "${NFPCHAN_KERNEL:-}" != debug ] || rounds=${ROUNDS:-1000}
# A process that writes to the control page of its pipe may have it armed without the card.
# Stores of any width to any register of a mapped page cost nothing here.
# shellcheck disable=SC2086 # no ROUNDS is no argument
exec scripts/vm --timeout 400 --board stores=lenient --known 'an interrupt did not come' -- \
	build/guest/test/scribble ${rounds:+"${SEED:-2}" "$rounds"}
