#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Random calls on the card's node and on channels for TIME seconds (3600), of SEED
# (of the day).
cd "$(dirname "$0")/../.." || exit 1
. selftests/calls.sh
SEED=${SEED:-$(date +%Y%m%d)}
echo "# SEED=$SEED TIME=${TIME:-3600}"
export CHAN_TIMEOUT=$((${TIME:-3600} + 600))
exec selftests/vm/chan.t "$(random_calls --seconds "${TIME:-3600}" "$keep_calls")"
