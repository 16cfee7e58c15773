#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# boot: --board ports=cable
# nfpchan capture, replay and extcap: what is sent at one end of a cable is captured at the other.
exec selftests/tool/guest/frames.py
