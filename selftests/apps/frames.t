#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# boot: --board ports=cable
# Applications of userspace/examples/apps with the frames of the card's ports.
exec selftests/apps/guest/frames_apps.py
