#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host long
"""Check the counts of the benchmarks: instructions, TLPs and interrupts of the fast paths stay
within their limits, however busy the machine is. This test looks at no times."""

import json
import os
import subprocess
import sys
import tempfile

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BENCH = os.path.join(TREE, "scripts/bench")

sys.dont_write_bytecode = True
import bench_report
from tap import done, ok

# Counts that meet their target in bench_report.TARGETS.
MET = ["elem64_insn_recv_batch", "elem64_insn_send_batch", "elem64_insn_recv_single",
       "elem64_insn_send_single", "elem64_insn_recv_zc_batch", "msg64_insn_recv_single",
       "msg64_insn_recv_batch", "msg64_insn_borrow_batch", "msg64_insn_send_single",
       "msg64_insn_send_batch", "msg64_shared_insn_recv_single", "msg64_shared_insn_send_single",
       "rtt64_cpu_nonposted_reads", "rtt64_pcie_round_trips", "pcie_metadata_stream",
       "pcie_metadata_msg64", "msg64_tlps_to_host", "msg64_link_bytes_to_host",
       "msg64_metadata_to_nfp", "port_insn_per_msg"]

# Counts that are 0 on every path but the prototype's: reads of the card by the CPU, and interrupts
# of a host that is awake.
ZERO = ("_cpu_reads", "_irqs")

# Upper limits: a little more than the paths take now.
MOST = {
    "pcie_elem64_to_host_metadata": 0.01,
    "pcie_stream64k_to_host_metadata": 0.01,
    "pcie_msg64_to_host_metadata": 0.13,
    "pcie_elem64_to_nfp_metadata": 0.06,
    "pcie_stream32k_to_nfp_metadata": 0.046,
    "pcie_msg64_to_nfp_metadata": 0.17,
    "pcie_msg64_to_nfp_records": 0.02,
    "pcie_msg64_one_to_nfp_metadata": 0.45,
    "pcie_elem64_to_host_doorbells": 0.01,
    "pcie_elem64_to_host_records": 0.01,
    "pcie_elem64_to_nfp_records": 0.01,
    "rtt64_dma_pcie_round_trips": 2,
    "echo1_insn": 75,
    "echo16_insn": 75,
    "echo1_tlps": 1.2,
    "echo4_tlps": 1.2,
    "echo16_tlps": 2.1,
    "msg64k_insn_recv_zc": 200,
    "msg1k_insn_recv_zc": 200,
    "cost_32_vs_1_in_turn": 1.2,
    "cost_31_vs_1_port_wait_busy": 1.2,
    "cost_31_vs_1_port_wait_sparse": 1.2,
    "cost_31_vs_1_port_select_busy": 1.2,
    "cost_31_vs_1_port_select_sparse": 1.2,
    "cost_256_vs_1_channels": 1.2,
}

# Lower limits of the peers. A lower figure means that a peer does not do its work here, and that
# the comparison is not fair.
LEAST = {
    "pcie_vnic64_to_host_metadata": 0.3,
    "pcie_vnic64_to_nfp_metadata": 0.3,
    "proto64_cpu_nonposted_reads": 8,
    "pcie_proto64_to_host_irqs": 1,
}

def bench(*args):
    return subprocess.run([BENCH, *args], cwd=TREE, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def counts(found):
    raw = found["raw"]
    for key in MET:
        t = found["targets"].get(key, {})
        ok(t.get("met") is True, f"{key} {t.get('target')}", raw.get(key))
        ok(found["summary"].get(key) == raw.get(key), f"{key} is in the summary")
    for key, most in MOST.items():
        ok(raw.get(key, most + 1) <= most, f"{key} <= {most}", raw.get(key))
    for key, least in LEAST.items():
        ok(raw.get(key, -1) >= least, f"{key} >= {least}", raw.get(key))
    bad = [k for k, v in raw.items() if k.endswith(ZERO) and v and "_proto" not in k]
    ok(not bad, "the CPU never reads the card, and no path interrupts when saturated", bad)
    ok(all(0 <= v < 1 for k, v in raw.items() if k.endswith("_metadata")),
       "each share is at least 0 and less than 1", raw)


def report():
    """Check bench_report with figures that meet a target, that miss one, and that are not there."""
    summed = bench_report.summary({"elem64_insn_recv_batch": 16, "elem64_rate_vs_rte_ring": 1.2})
    ok(summed["elem64_insn_recv_batch"]["met"] is True, "a target at its limit is met")
    ok(summed["elem64_rate_vs_rte_ring"]["met"] is False,
       "a figure below its lower limit misses the target")
    ok(summed["elem64_rate_vs_rte_ring"]["off_by"] == -0.3,
       "the summary says by how much a target is missed")
    ok(summed["rtt64_pcie_round_trips"]["met"] is None,
       "a target without a figure is neither met nor missed")
    raw = {"pcie_stream64k_to_host_metadata": 0.00024, "pcie_stream32k_to_nfp_readrq4k_metadata": 0.05}
    bench_report.derive(raw)
    ok(raw.get("pcie_metadata_stream") == 0.05,
       "the figure of the worse direction is the one that counts")
    raw = {"elem64_recv_in_place_Mps": 100, "rte_zc64_in_place_Mps": 90, "rte_zc64_burst_Mps": 100,
           "spsc64_bulk_Mps": 190}
    bench_report.derive(raw)
    why = bench_report.summary(raw)["elem64_burst_rate_vs_rte_ring"]["why"]
    ok("pass 190 million/s" in why, "a missed target comes with the reason, in figures", why)


def main():
    with tempfile.TemporaryDirectory() as tmp:
        path = os.path.join(tmp, "bench.json")
        run = bench("--counts", "--no-caches", "--json", path)
        ok(run.returncode == 0, "scripts/bench --counts --no-caches", run.stderr)
        ok("Targets" in run.stdout and "not measured" in run.stdout, "it prints the targets")
        with open(path, encoding="utf-8") as f:
            counts(json.load(f))
        run = bench("--json", os.path.join(tmp, "none", "x"))
        ok(run.returncode == 2 and "none/x" in run.stderr,
           "--json FILE in a folder that is not there", run.stderr)
    run = bench("--seconds", "0")
    ok(run.returncode == 2 and "allowed are more than 0" in run.stderr, "--seconds 0", run.stderr)
    run = bench("--repeat", "0")
    ok(run.returncode == 2 and "allowed are 1 to 100" in run.stderr, "--repeat 0", run.stderr)
    run = bench("--frob")
    ok(run.returncode == 2 and "--frob" in run.stderr, "an unknown option", run.stderr)
    report()
    return done()


if __name__ == "__main__":
    sys.exit(main())
