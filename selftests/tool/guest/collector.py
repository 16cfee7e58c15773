# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Flow records of a capture, and programs that receive them. For records.py."""

import subprocess

from tap import SLOW, same

TIME = 60 * SLOW
QUIET = str(2000 * SLOW)    # ms; the replay has begun by then


def flows(*args):
    """Run nfpchan flows. Return its exit status and output."""
    got = subprocess.run(["nfpchan", "flows", *args], capture_output=True, text=True, check=False,
                         timeout=5 * TIME, stdin=subprocess.DEVNULL)
    return got.returncode, got.stdout, got.stderr


def metered(traffic, *args):
    """Replay a capture, and report all flows."""
    with subprocess.Popen(["nfpchan", "replay", traffic, "-a"], stdout=subprocess.DEVNULL) as replay:
        got = flows("--flush", "--quiet", QUIET, *args)
    same(replay.returncode, 0, "the capture is replayed")
    return got


class Collector:
    """A collector that runs: it has said that it waits."""

    def __init__(self, ready, *args, stdin=subprocess.DEVNULL):
        self.out = []
        self.run = subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                    stdin=stdin)
        while not self.out or ready not in self.out[-1]:
            line = self.run.stdout.readline()
            if not line:
                raise RuntimeError(f"{args[0]} has ended: {self.out}")
            self.out.append(line)

    def end(self, sig):
        self.run.send_signal(sig)
        self.out += self.run.communicate(timeout=TIME)[0].splitlines(True)
        return "".join(self.out)
