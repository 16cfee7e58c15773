#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: build/host/bin/nfpchan build/host/test/me_vendor
"""The vendor's initialisation code runs on the emulated microengines, instruction by instruction: it
sets up the rings of EMEM where the file's symbols say. Skipped where Debian's package
firmware-netronome cannot be had."""

import json
import os
import subprocess
import sys

import vendor
from tap import SLOW, TREE, done, ok, same


def rings_of(out):
    """By address: bytes of each ring."""
    return {int(line.split()[2]): int(line.split()[3]) for line in out if line.startswith("ring ")}


def check_file(path):
    name = os.path.basename(path)
    run = subprocess.run(["build/host/test/me_vendor", "init", path], capture_output=True, text=True, check=False,
                         timeout=60 * SLOW)
    out = run.stdout.splitlines()
    inits = [line for line in out if line.startswith(".init.")]
    ok(not run.returncode and len(inits) > 20 and all(line.endswith(" done") for line in inits),
       f"{name}: {len(inits)} sections of initialisation code run to their end",
       "\n".join(line for line in inits if not line.endswith(" done"))[:2000] + run.stderr)
    doc = json.loads(subprocess.run(["build/host/bin/nfpchan", "--json", "firmware", "show", path],
                                    capture_output=True, text=True, check=True).stdout)
    rings = rings_of(out)
    # The rings of free packet buffers, and those of control messages of BPF
    wanted = {s["address"]: s["size"] for s in doc["symbols"] if s["island"] == 24 and s["target"] == 7 and
              s["name"].startswith(("_BLM_NBI8_BLQ", "MAP_CMSG_Q")) and s["name"].endswith("Q_BASE")}
    same({a: rings.get(a) for a in wanted}, wanted,
         f"{name}: {len(wanted)} of {len(rings)} rings have symbols: address and size are theirs")


def main():
    os.chdir(TREE)
    files = vendor.files()
    if not files:
        return 0
    files = [p for p in files if "/bpf/" in p and p.endswith(("2x25.nffw", "2x40.nffw"))]
    ok(len(files) >= 2, f"{len(files)} BPF files")
    for path in files:
        check_file(path)
    return done()


if __name__ == "__main__":
    sys.exit(main())
