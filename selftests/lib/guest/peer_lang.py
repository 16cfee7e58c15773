#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Guest side of peer_languages.t: links between two cards, from Python and from Go."""

import errno
import os
import re
import subprocess
import sys

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))))

import nfpchan
from tap import SLOW, done, fails, same

COUNT = 100     # messages


def check_link(cards, stage, via):
    """Messages that the host sends to card 0 come back from card 1."""
    a, b = cards
    with a.channel("echo-in") as tx, a.channel("echo-out", link=True) as mid, \
            b.channel("echo-in") as to, b.channel("echo-out") as rx:
        with nfpchan.Link(mid, to, match=(0, b"no. "), header=b"by card ", stage=stage) as link:
            bad = 0
            for i in range(COUNT):
                tx.send(b"no. %d" % i)
                bad += rx.recv(timeout=10 * SLOW) != b"by card no. %d" % i
            same(bad, 0, f"{via}: messages go from card to card")
            s = link.stats()
            same((s.up, s.via, s.msgs, s.dropped), (True, via, COUNT, 0), f"{via}: counters")
        fails(lambda: mid.recv(timeout=0), errno.EIO, f"{via}: the pipe is off after the link")
        fails(lambda: to.send(b""), errno.EIO, f"{via}: and so is the other one")


def check_refused(cards):
    a, b = cards
    with a.channel("echo-out") as host, a.channel("echo-in") as near, b.channel("echo-in") as far:
        fails(lambda: nfpchan.Link(host, far), errno.EBUSY, "a pipe that is not for a link alone")
        fails(lambda: nfpchan.Link(host, near, stage=True), errno.EINVAL,
              "no ring in host memory within a card")


def check_go():
    go = subprocess.run([os.path.join(TREE, "build/guest/test/lang_go"), "-test.v",
                         "-test.run=^TestPeer", f"-test.timeout={100 * SLOW}s"],
                        stdout=subprocess.PIPE, text=True, check=False,
                        env=dict(os.environ, NFPCHAN_TEST_CARD="1", NFPCHAN_TEST_CARDS="2"))
    passed = re.findall(r"^ *--- PASS: (\S+)", go.stdout, re.M)
    same((go.returncode, passed), (0, ["TestPeer", "TestPeer/push", "TestPeer/staging"]), "Go")
    if go.returncode:
        print("# " + "\n# ".join(go.stdout.splitlines()))


def main():
    with nfpchan.Card(0) as a, nfpchan.Card(1) as b:
        for stage, via in ((False, "push"), (True, "staging")):
            check_link((a, b), stage, via)
        check_refused((a, b))
    check_go()
    return done()


if __name__ == "__main__":
    sys.exit(main())
