#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# boot: --board ports=cable
# nfpchan capture, replay and extcap: frames sent at one end of a cable are captured at the other.
# nfpchan top, at a pseudo terminal.
exec selftests/tool/guest/frames.py
