#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: build/host/bin/nfpchan build/host/test/me_vendor
"""The vendor's initialisation code runs on the emulated microengines, instruction by instruction: it
sets up the rings of EMEM where the file's symbols say. Skipped where Debian's package
firmware-netronome cannot be had."""

import glob
import json
import os
import subprocess
import sys

from tap import SLOW, TREE, done, ok, same


def rings_of(out):
    """By address: bytes of each ring."""
    return {int(line.split()[2]): int(line.split()[3]) for line in out if line.startswith("ring ")}


def check_file(path):
    name = os.path.basename(path)
    run = subprocess.run(["build/host/test/me_vendor", path], capture_output=True, text=True, check=False,
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
    got = subprocess.run(["scripts/setup", "--print", "firmware"], capture_output=True, text=True,
                         check=False)
    if got.returncode:
        why = [line for line in got.stderr.splitlines() if line[:2] in ("E:", "W:")]
        print(f"1..0 # SKIP no package firmware-netronome: {why[0] if why else ''}")
        return 0
    files = sorted({os.path.realpath(p) for p in glob.glob(f"{got.stdout.strip()}/bpf/*2x25.nffw") +
                    glob.glob(f"{got.stdout.strip()}/bpf/*2x40.nffw")})
    ok(len(files) >= 2, f"{len(files)} BPF files")
    for path in files:
        check_file(path)
    return done()


if __name__ == "__main__":
    sys.exit(main())
