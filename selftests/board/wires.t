#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
"""Test the two live wires of a card: a tap interface in a network namespace of this machine, and
a Unix socket between two cards in two VMs."""

import json
import os
import signal
import subprocess
import sys
import tempfile

from tap import SLOW, TREE, done, ok, same, skip

SERVE = "selftests/board/guest/vnic_tcp.py serve"
TALK = "selftests/board/guest/vnic_tcp.py talk"
# Guest script: give the port its addresses, and wait for a link.
UP = """set -e
	ip addr add $1 dev eth0
	ip addr add $2 dev eth0 nodad
	ip link set eth0 up
	build/guest/test/net_wait eth0 up
"""
PING = "ping -q -c 5 -i 0.01 -W 10 -s 1400"
READY = "ready\n"   # what a server prints when it listens


class Vm:
    """scripts/vm in the background. It is killed when this process ends."""

    def __init__(self, tmp, name, wire, script, *args):
        self.name, self.out = name, ""
        self.stats, self.log, self.err = (
            os.path.join(tmp, f"{name}.{what}") for what in ("stats", "log", "err"))
        with open(self.err, "wb") as err:
            self.run = subprocess.Popen(
                ["setpriv", "--pdeathsig", "TERM", "scripts/vm", "--board", f"port0={wire}",
                 "--board", "start=link", "--stats", self.stats, "--board-log", self.log, "--",
                 "bash", "-c", script, "sh", *args],
                cwd=TREE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=err, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.run.terminate()
        self.run.communicate()

    def said(self):
        with open(self.err, encoding="utf-8", errors="replace") as f:
            return self.out + f.read()

    def ready(self, name):
        """Wait until the server in the guest listens. If the guest ends first, end the test."""
        for line in self.run.stdout:
            self.out += line
            if line == READY:
                ok(True, name)
                return
        ok(False, name, f"status {self.run.wait()}\n{self.said()}")
        sys.exit(done())

    def go(self):
        """Send the line that the guest's script waits for."""
        self.run.stdin.write("\n")
        self.run.stdin.flush()

    def end(self):
        """Wait for the end of the VM, and return the card's counters."""
        self.out += self.run.stdout.read()
        status = self.run.wait()
        ok(status == 0, f"{self.name}: the guest script succeeded", self.said())
        with open(self.log, encoding="utf-8") as f:
            same([line for line in f if "warning" in line or "error" in line], [],
                 f"{self.name}: the card logged no warning")
        with open(self.stats, encoding="utf-8") as f:
            return json.load(f)


def arrived(stats):
    """Return the number of frames that came from the wire, including those dropped."""
    return sum(stats["ports"][0][k]
               for k in ("rx_frames", "rx_no_firmware", "rx_no_link", "rx_too_long"))


def host_has_all(stats, name):
    """Check that each frame received was given to the host, or that a counter has it."""
    v = stats["vnics"][0]
    ok(sum(v[k] for k in ("rx_given", "rx_filtered", "rx_off", "rx_errors", "rx_discards",
                          "rx_consumed")) == stats["ports"][0]["rx_frames"],
       f"{name}: each frame received was given to the guest, or a counter has it", stats)


def ip(*args):
    return subprocess.run(["ip", *args], check=True, capture_output=True, text=True).stdout


def test_tap(tmp):
    """Test connections from each side, with this machine's kernel as the peer."""
    ip("link", "set", "lo", "up")
    ip("addr", "add", "10.77.0.1/24", "dev", "wire0")
    ip("addr", "add", "fd77::1/64", "dev", "wire0", "nodad")
    ip("link", "set", "wire0", "up")
    server = subprocess.Popen([*SERVE.split(), "7001"], cwd=TREE, stdout=subprocess.PIPE,
                              text=True)
    try:
        same(server.stdout.readline(), READY, "tap: a server listens here")
        with Vm(tmp, "tap", "tap:wire0", UP + f"""
                {PING} 10.77.0.1
                {PING} fd77::1
                nfpchan flows --json --flush --quiet 0 >/run/flows
                printf '10.77.0.1 4 500000\\nfd77::1 2 500000\\n10.77.0.1 end\\n' | {TALK} 7001
                {SERVE} 7002
                cat /run/flows""", "10.77.0.2/24", "fd77::2/64") as vm:
            vm.ready("tap: a server listens in the guest")
            back = subprocess.run([*TALK.split(), "7002"], cwd=TREE, text=True, timeout=200 * SLOW,
                                  capture_output=True, check=False,
                                  input="10.77.0.2 4 500000\nfd77::2 2 500000\n10.77.0.2 end\n")
            stats = vm.end()
        same(server.wait(timeout=60 * SLOW), 0, "tap: the guest ended the server here")
    finally:
        server.kill()
        server.wait()
    same(vm.out.count("whole\n"), 3, "tap: what the guest sends by TCP comes back unchanged")
    same(back.stdout, "whole\n" * 3, "tap: what this machine sends by TCP comes back unchanged")
    seen = json.loads(vm.out[vm.out.index("{"):])["flows"]
    same({f["src"]: f["packets"] for f in seen if f["src"] in ("10.77.0.1", "fd77::1") and
          f["packets"] == 5}, {"10.77.0.1": 5, "fd77::1": 5},
         "tap: the flow meter counts the packets")
    port = stats["ports"][0]
    link = json.loads(ip("-j", "-s", "link", "show", "wire0"))[0]["stats64"]
    same(link["rx"]["packets"] + port["wire_lost"], port["tx_frames"],
         "tap: this machine got every frame that the card sent, or a counter has it")
    same(arrived(stats), link["tx"]["packets"],
         "tap: the card got every frame that this machine sent")
    host_has_all(stats, "tap")


def test_cards(tmp):
    """Test two cards in two VMs that a socket joins. The first VM ends before the second VM, so all
    frames of the first card have arrived when the second card's counters are read."""
    wire = "unix:" + os.path.join(tmp, "wire")
    serving = UP + f"""
        {SERVE} 7001
        ip link set eth0 down"""
    talking = UP + f"""
        read -r _
        {PING} 10.78.0.1
        {PING} fd78::1
        printf '10.78.0.1 4 500000\\nfd78::1 2 500000\\n10.78.0.1 end\\n' | {TALK} 7001
        build/guest/test/net_wait eth0 down"""
    with Vm(tmp, "first card", wire, serving, "10.78.0.1/24", "fd78::1/64") as first, \
         Vm(tmp, "second card", wire, talking, "10.78.0.2/24", "fd78::2/64") as second:
        first.ready("two cards: a server listens in the first VM")
        second.go()
        here, there = first.end(), second.end()
    same(second.out.count("whole\n"), 3,
        "two cards: what the second VM sends by TCP comes back unchanged")
    sent = here["ports"][0]
    same(arrived(there) + sent["wire_lost"], sent["tx_frames"],
         "two cards: every frame of the first card arrived at the second, or a counter has it")
    host_has_all(here, "first card")
    host_has_all(there, "second card")


def enter_namespace():
    """Run this test again in a new network namespace, where the addresses of this machine cannot
    collide with those of the test. Return only if no namespace can be made."""
    if subprocess.run(["unshare", "-n", "true"], capture_output=True, check=False).returncode == 0:
        os.execvp("unshare", ["unshare", "-n", os.path.abspath(__file__), "alone"])


def tap_missing():
    """Make the tap interface, or return the reason why that is not possible."""
    if sys.argv[1:] != ["alone"]:
        return "no network namespace"
    for path in ("/dev/net/tun", "/proc/net/if_inet6"):
        if not os.path.exists(path):
            return f"no {path}"
    made = subprocess.run(["ip", "tuntap", "add", "dev", "wire0", "mode", "tap"],
                          capture_output=True, text=True, check=False)
    return made.stderr.strip()


def main():
    if len(sys.argv) == 1:
        # Build first: otherwise both VMs would build and fetch the same files at the same time.
        if "NFPCHAN_NO_BUILD" not in os.environ:
            subprocess.run(["make", "-s", "vm-deps"], cwd=TREE, check=True, stdout=sys.stderr)
            os.environ["NFPCHAN_NO_BUILD"] = "1"
        enter_namespace()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory() as tmp:
        why = tap_missing()
        if why:
            skip("tap: traffic with this machine's kernel", why)
        else:
            test_tap(tmp)
        test_cards(tmp)
    return done()


if __name__ == "__main__":
    sys.exit(main())
