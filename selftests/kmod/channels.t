#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
"""Channels through the interfaces that users have, in one VM: what the guest's
programs (selftests/vm/guest/chan_*.c) print, as one list of tests.

usage: channels.t ["PROGRAM ARGUMENT..."]...

CHAN_TIMEOUT: seconds, default 240. CHAN_KNOWN: what scripts/vm --known takes."""

import os
import re
import subprocess
import sys

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = ["chan_kill", "chan_kill_in", "chan_share", "chan_rv", "chan_full", "chan_wake",
            "chan_event", "chan_fast", "chan_idle", "chan_uring", "chan_port", "wake_cost"]
GUEST = 'for p; do echo "== ${p%% *}"; build/guest/test/$p; echo "== status $?"; done'
TEST = re.compile(r"^(not ok|ok) \d+ - (.*)")


class Tap:
    """Test lines on standard output, numbered anew."""

    def __init__(self):
        self.tests = 0
        self.failed = 0

    def ok(self, good, name):
        self.tests += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.tests} - {name}", flush=True)

    def note(self, text):
        for line in text.splitlines():
            print(f"# {line.removeprefix('# ')}", flush=True)


class Program:
    """What one program of the guest has printed so far."""

    def __init__(self, name):
        self.name = name
        self.seen = 0
        self.plan = None
        self.failed = False

    def line(self, line, tap):
        test = TEST.match(line)
        if test:
            self.seen += 1
            self.failed |= test[1] != "ok"
            tap.ok(test[1] == "ok", f"{self.name}: {test[2]}")
        elif line.startswith("1.."):
            self.plan = int(line[3:])
        else:
            tap.note(line)

    def end(self, status, tap):
        """A program that stops early, or fails without saying so, is a failure."""
        whole = self.plan == self.seen and self.seen > 0
        # 1: a test of it failed, and is told of already.
        whole = whole and status == ("1" if self.failed else "0")
        tap.ok(whole, f"{self.name}: ran to its end")
        if not whole:
            tap.note(f"status {status}, {self.seen} tests, plan {self.plan}")


def main():
    programs = sys.argv[1:] or PROGRAMS
    tap = Tap()
    vm = [os.path.join(TREE, "scripts/vm"), "--timeout", os.environ.get("CHAN_TIMEOUT", "240"),
          "--known", os.environ.get("CHAN_KNOWN", "")]
    run = subprocess.Popen([*vm, "--", "bash", "-c", GUEST, "sh", *programs], cwd=TREE, text=True,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, errors="replace")
    program = None
    ended = 0
    for line in run.stdout:
        line = line.rstrip("\n")
        if line.startswith("== status ") and program:
            program.end(line.split()[2], tap)
            program = None
            ended += 1
        elif line.startswith("== "):
            program = Program(line[3:])
        elif program:
            program.line(line, tap)
        else:
            tap.note(line)
    tap.ok(ended == len(programs), "all programs ran")
    tap.ok(run.wait() == 0, "the VM ended well, its kernel without a warning")
    if run.returncode:
        tap.note(f"scripts/vm: status {run.returncode}")
    print(f"1..{tap.tests}")
    return 1 if tap.failed else 0


if __name__ == "__main__":
    sys.exit(main())
