#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Runs in the guest, when the card has handled all frames: compare the card's map."""

import json
import subprocess
import sys

dump = subprocess.run(["bpftool", "-j", "map", "dump", "name", "packets"], check=True,
                      capture_output=True).stdout
passed, dropped = (int.from_bytes(bytes(int(b, 16) for b in e["value"]), "little")
                   for e in json.loads(dump))
print("packets: %u passed, %u dropped" % (passed, dropped))
sys.exit((passed, dropped) != (4, 6))
