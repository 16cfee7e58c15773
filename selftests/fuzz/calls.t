#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: nightly
# Random calls on the card's node and on channels for TIME seconds (3600), of SEED
# (of the day): on the debug kernel, which sees what goes wrong unseen and guides them.
# NFPCHAN_KERNEL=6.12 is the stock one.
cd "$(dirname "$0")/../.." || exit 1
. selftests/fuzz/calls.sh
SEED=${SEED:-$(date +%Y%m%d)}
export NFPCHAN_KERNEL="${NFPCHAN_KERNEL:-debug}" NFPCHAN_KMEMLEAK="${NFPCHAN_KMEMLEAK:-off}"
echo "# SEED=$SEED TIME=${TIME:-3600} NFPCHAN_KERNEL=$NFPCHAN_KERNEL"
export CHAN_TIMEOUT=$((${TIME:-3600} + 600))
exec selftests/kmod/channels.t "$(random_calls --seconds "${TIME:-3600}" "$keep_calls")"
