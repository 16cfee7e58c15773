#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: fabric
"""nfpfabric as a command, and make bench-chain's figures of it."""

import json
import os
import re
import subprocess
import sys
import tempfile

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FABRIC = os.path.join(TREE, "build/host/bin/nfpfabric")

sys.dont_write_bytecode = True
from tap import done, ok, same, skip

# Rows of Tables 2 and 3 of the paper: direction, data, round trips. The paper's reads name
# the side that has the data first, as the model does.
TABLE_2 = """
NIC -> CPU        | Encrypted Image (DMA WR)          | 1/2
CPU -> QAT        | Command Notification (MMIO WR)    | 1/2
CPU -> QAT        | Command (DMA RD)                  | 1
CPU -> QAT        | Encrypted Image (DMA RD)          | 1
QAT -> CPU        | Decrypted Image (DMA WR)          | 1/2
CPU -> ML Accel.  | Command Notification (MMIO WR)    | 1/2
CPU -> ML Accel.  | Command (DMA RD)                  | 1
CPU -> ML Accel.  | Decrypted Image (DMA RD)          | 1
ML Accel. -> CPU  | Inference Result (DMA WR)         | 1/2
CPU -> NIC        | Descriptor Notification (MMIO WR) | 1/2
CPU -> NIC        | Descriptor (DMA RD)               | 1
CPU -> NIC        | Inference Result (DMA RD)         | 1
Total             |                                   | 9.00
"""
TABLE_3 = """
NIC -> QAT        | Encrypted Image (DMA WR)          | 1/2
QAT -> ML Accel.  | Decrypted Image (DMA WR)          | 1/2
ML Accel. -> NIC  | Inference Result (DMA WR)         | 1/2
Total             |                                   | 1.50
"""

REFUSED = [
    (["--set", "mps=300"], "mps=300: allowed are powers of two"),
    (["--set", "mps=64"], "mps=64: allowed are 128 to 4096"),
    (["--set", "size=0"], "size=0: allowed are 1 to 1048576"),
    (["--set", "pd=8"], "pd=8: a TLP of mps=256 needs 16 credits"),
    (["--set", "size=100000", "--set", "buffer-kb=16"], "buffer-kb=16: a message of size=100000"),
    (["--set", "colour=1"], "colour=1: no such option; --help"),
    (["--set", "size"], "size: wants KEY=VALUE"),
    (["--frob"], "--help"),
    (["frob"], "unknown command"),
    (["tables", "curve"], "one command"),
    (["trace"], "trace needs one mode"),
    (["trace", "frob"], "trace needs a mode: conventional, native"),
]


def run(*args):
    return subprocess.run([FABRIC, *args], text=True, stdin=subprocess.DEVNULL, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def rows(text, title):
    """A table of the output, without those rows that are nobody's PCIe operation."""
    found = []
    for line in text[text.index(title):].splitlines()[2:]:
        m = re.match(r"  (\S.{21}) (.{36}) +(\S+) +\d+$", line)
        if m:
            found.append(tuple(part.strip() for part in m.groups()))
        if line.startswith("  Total"):
            return found
    return found


def wanted(table):
    return [tuple(part.strip() for part in line.split("|")) for line in table.split("\n") if line]


def printed():
    out = run("tables").stdout
    same(rows(out, "Conventional"), wanted(TABLE_2), "Table 2 of the paper, row by row")
    same(rows(out, "Stream-native devices"), wanted(TABLE_3), "Table 3 of the paper, row by row")
    ok(len(rows(out, "The switch connects unchanged")) == 13,
       "the switch with queue devices has as many rows", out)
    ok(rows(out, "For comparison")[-1][2] == "2.00", "a hop through the CPU has a row", out)
    help_text = run("--help").stdout
    assumed = run("push").stdout
    for key in ("mps", "cpu-ns", "engine-ns", "link-mbyte", "inflight"):
        ok(re.search(rf"^  {key} +\d+ ", help_text, re.M) and
           re.search(rf"^  {key} +\d+ ", assumed, re.M),
           f"{key} is in the help, and is printed with the results")


def figures(tmp):
    path = [os.path.join(tmp, name) for name in ("a", "b")]
    for p in path:
        got = run("--json", p, "--set", "size=64", "push")
        ok(got.returncode == 0, "--json", got.stderr)
    texts = [open(p, encoding="utf-8").read() for p in path]
    ok(texts[0] == texts[1], "two runs say the same")
    found = json.loads(texts[0])
    raw = found["raw"]
    ok(found["assumptions"]["mps"] == 256, "what was assumed is in it")
    want = {"rtt_conventional": 9, "rtt_native": 1.5, "rtt_glue": 4.5, "rtt_card_driven": 6,
            "rtt_glue_stream_nic": 3.5,
            "rtt_hop": 2, "rtt_cpu_push": 0.5, "rtt_cpu_doorbell": 2.5, "access_moved_bytes": 0}
    same({k: raw.get(k) for k in want}, want, "round trips")
    ok(0 < raw["pipeline_overhead_33ns"] <= 0.09, "a pipeline of 33 ns costs 9 % at most",
       raw["pipeline_overhead_33ns"])
    ok(raw["glue_throughput_vs_conventional_64"] >= 1.8, "what glue gains",
       raw["glue_throughput_vs_conventional_64"])
    for size in (1 << n for n in range(6, 21)):
        us = [raw[f"{mode}_{size}_us"] for mode in ("native", "glue", "conventional")]
        ok(us == sorted(us), f"{size} bytes: native, glue, conventional in this order", us)
    gain = [raw[f"conventional_{n}_us"] / raw[f"native_{n}_us"] for n in (64, 16384, 1048576)]
    ok(gain[0] > gain[1] > gain[2] > 1, "the gain shrinks as images grow", gain)


def bench(tmp):
    path = os.path.join(tmp, "bench.json")
    got = subprocess.run([os.path.join(TREE, "selftests/bench/chain"), "--json", path, "fabric"],
                         text=True, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    ok(got.returncode == 0 and "rtt_native" in got.stdout, "bench/chain", got.stderr)
    with open(path, encoding="utf-8") as f:
        found = json.load(f)
    ok(found["raw"]["assumed_link_mbyte"] == 7877, "assumptions are there as well", found["raw"])
    ok(found["summary"]["rtt_native"] == 1.5 and found["targets"]["rtt_native"]["met"],
       "summary and targets", found["summary"])
    got = subprocess.run([os.path.join(TREE, "selftests/bench/chain"), "nope"], text=True,
                         check=False, stderr=subprocess.PIPE)
    ok(got.returncode == 2 and "nope" in got.stderr, "a part that there is not", got.stderr)


def stuck():
    got = run("--set", "buffer-kb=8", "--set", "window=64", "rates")
    ok(got.returncode == 1 and "deadlock" in got.stderr and "buffer-kb" in got.stderr,
       "more buffers at the NIC than in the switch: a deadlock is reported", got.stderr)


def main():
    if not os.path.exists(FABRIC):
        skip("nfpfabric", "it was not built: no libcrypto")
        return done()
    for args, says in REFUSED:
        got = run(*args)
        ok(got.returncode == 2 and says in got.stderr, " ".join(args), got.stderr)
    got = run("--json", "/nonexistent/x", "push")
    ok(got.returncode == 1 and "/nonexistent/x" in got.stderr, "a file that cannot be written",
       got.stderr)
    printed()
    with tempfile.TemporaryDirectory() as tmp:
        figures(tmp)
        bench(tmp)
    stuck()
    return done()


if __name__ == "__main__":
    sys.exit(main())
