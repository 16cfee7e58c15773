#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: -
"""The Go package's tests that need no card, with the Go of the test root."""

import os
import re
import subprocess
import sys

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from tap import done, ok, same


def main():
    run = subprocess.run([os.path.join(TREE, "scripts/in-root"), "--", "make", "-s",
                          "O=build/guest", "go-test"], cwd=TREE, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    tests = re.findall(r"^--- (PASS|FAIL|SKIP): (\S+)", run.stdout, re.M)
    for result, name in tests:
        ok(result == "PASS", name)
    same((run.returncode, len(tests) > 10), (0, True), "all ran")
    if run.returncode:
        print("# " + "\n# ".join(run.stdout.splitlines()))
    return done()


if __name__ == "__main__":
    sys.exit(main())
