#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: nightly
# COUNT (10000) random programs of the seeds from SEED on (of the day).
seed=${SEED:-$(date +%Y%m%d00000)}
echo "# SEED=$seed COUNT=${COUNT:-10000}"
exec "$(dirname "$0")/xdp/run" 7200 --seed "$seed" --count "${COUNT:-10000}"
