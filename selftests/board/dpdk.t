#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12
"""Test Debian's DPDK driver on the card: testpmd forwards frames between the two ports. Each frame
that enters at one wire must leave at the other wire unchanged. The firmware is "full": the driver of
DPDK 24.11 refuses the public firmware, which has no symbol _pf0_net_app_cap."""

import os
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile

from tap import SLOW, TREE, done, ok, same

COUNT = 3000
# Frames in flight at a time. With more frames than a receive ring has buffers, the card would drop
# some.
WINDOW = 128
SECONDS = 60 * SLOW
READY = "Press enter to exit"

# With AVX2, the driver of DPDK 24.11 gives the card virtual addresses. They are valid only with an
# IOMMU, and this VM has none. Therefore forbid AVX2 (--force-max-simd-bitwidth=128).
GUEST = r"""
	set -e
	dev=$(lspci -Dn -d 19ee:4000 | cut -d ' ' -f 1)
	modprobe uio_pci_generic
	echo 19ee 4000 >/sys/bus/pci/drivers/uio_pci_generic/new_id
	echo 64 >/proc/sys/vm/nr_hugepages
	mkdir -p /run/lock /dev/hugepages
	mount -t hugetlbfs none /dev/hugepages
	exec stdbuf -oL "$1" -l 0,1 -a "$dev" --iova-mode=pa \
		--force-max-simd-bitwidth=128 -- \
		--total-num-mbufs=4096 --forward-mode=io 2>&1
"""


def frames(seed):
    rng = random.Random(seed)
    return [rng.randbytes(rng.randrange(60, 1515)) for _ in range(COUNT)]


def listen(path):
    s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    s.settimeout(SECONDS)
    s.bind(path)
    s.listen()
    return s


def accept(listener):
    s = listener.accept()[0]
    s.settimeout(SECONDS)
    return s


def both_ways(wires, sent):
    """Send the frames at both wires, and return the COUNT frames that leave at each wire."""
    given, got = [0, 0], [[], []]
    while any(len(g) < COUNT for g in got):
        for i in (0, 1):
            while given[i] < COUNT and given[i] - len(got[1 - i]) < WINDOW:
                wires[i].send(sent[i][given[i]])
                given[i] += 1
            if len(got[1 - i]) < given[i]:
                got[1 - i].append(wires[1 - i].recv(2048))
    return got


def counters(text, port):
    """Return the forward statistics of a port, by name, that testpmd prints when it exits."""
    part = re.search(rf"Forward statistics for port {port} (.*?)\n  -----", text, re.S)
    return dict(re.findall(r"(\S+): (\d+)", part.group(1) if part else ""))


def forward(vm, wires):
    said = ""
    for line in vm.stdout:
        said += line
        if READY in line:
            break
    else:
        ok(False, "testpmd forwards", f"status {vm.wait()}\n{said}")
        return
    sent = [frames(0), frames(1)]
    try:
        got = both_ways([accept(w) for w in wires], sent)
    except TimeoutError:
        got = [[], []]
    said += vm.communicate("\n")[0]
    same(vm.returncode, 0, "testpmd exits with 0")
    for i in (0, 1):
        ok(got[1 - i] == sent[i],
          f"frames that came in at port {i} left at port {1 - i}, unchanged and in order",
           f"{len(got[1 - i])} of {COUNT}\n{said}")
        c = counters(said, i)
        same([c.get(k) for k in ("RX-packets", "TX-packets", "RX-dropped", "TX-dropped")],
             [str(COUNT), str(COUNT), "0", "0"], f"testpmd counts all frames of port {i}")


def main():
    fetched = subprocess.run(["scripts/setup", "--print", "testpmd"], cwd=TREE, check=True,
                             capture_output=True, text=True).stdout.strip()
    with tempfile.TemporaryDirectory() as tmp, \
         tempfile.TemporaryDirectory(dir=os.path.join(TREE, "build")) as shared:
        testpmd = shutil.copy(fetched, shared)
        paths = [os.path.join(tmp, f"wire{i}") for i in (0, 1)]
        wires = [listen(p) for p in paths]
        vm = subprocess.Popen(
            ["setpriv", "--pdeathsig", "TERM", "scripts/vm", "--no-nfp", "--no-module",
             "--board", "firmware=full", "--board", "app=nic",
             "--board", f"port0=unix:{paths[0]}", "--board", f"port1=unix:{paths[1]}", "--", "bash", "-c", GUEST, "sh", testpmd],
            cwd=TREE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            forward(vm, wires)
        finally:
            vm.terminate()
            vm.wait()
    return done()


if __name__ == "__main__":
    sys.exit(main())
