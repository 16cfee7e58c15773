#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
"""Check the program of the applications, and their benchmark: they send and count the same on a
stream and on a descriptor ring, and the cache misses of messages stay within limits. This test looks
at no times."""

import os
import subprocess
import sys

from tap import TREE, done, ok, skip

# Upper limits for a message of 64 bytes: a little more than the paths take now.
MOST = {"cache_elem_insn": 9, "cache_elem_l1_misses": 1.1, "cache_elem_l2_misses": 1.01,
        "cache_elem_l2_prefetch": 0.06, "cache_msg_insn": 90, "cache_msg_l1_misses": 2.4,
        "cache_msg_l2_misses": 1.2}
# A lower figure means that the descriptor ring does not do its work.
LEAST = {"cache_ring_l1_misses": 3, "cache_ring_l2_misses": 1.1, "cache_ring_insn": 60}


def run(*command):
    return subprocess.run(command, cwd=TREE, text=True, capture_output=True, check=False)


def misses():
    got = run("selftests/bench/cache_misses", "echo")
    if got.returncode == 77:
        skip("cache misses", "no valgrind")
        return
    found = {k: float(v) for k, v in (line.split() for line in got.stdout.splitlines())}
    ok(got.returncode == 0, "selftests/bench/cache_misses echo", got.stderr)
    for key, most in MOST.items():
        ok(found.get(key, most + 1) <= most, f"{key} <= {most}", found.get(key))
    for key, least in LEAST.items():
        ok(found.get(key, -1) >= least, f"{key} >= {least}", found.get(key))


def program():
    """What the program with the applications says to wrong arguments. It needs no card for that."""
    for args, said in (((), "usage"), (("frob",), "usage"), (("sketch", "17"), "at most 16"),
                       (("sketch", "x"), "x: SHIFT is a number"), (("logmon", ""), "empty word"),
                       (("maglev", "192.0.2.1", "10.0.0.1=2:0"), "10.0.0.1=2:0: not ADDRESS=MAC"),
                       (("logmon", *"abcdefghi"), "i: an empty word, or more than 8")):
        got = run("build/host/bin/chan_apps", *args)
        ok(got.returncode == 2 and said in got.stderr, f"chan_apps {' '.join(args)}", got.stderr)


def main():
    program()
    got = run(os.path.join(TREE, "build/host/bench/app_rate"), "0.0001")
    ok(got.returncode == 0, "the answers are the same on a stream and on a descriptor ring",
       got.stderr)
    ok(all(f"app_{app}_{way}_Mps " in got.stdout for app in ("maglev", "sketch", "kvs", "log")
           for way in ("stream", "ring")), "each application is timed both ways", got.stdout)
    got = run(os.path.join(TREE, "build/host/bench/app_rate"), "maglev", "frob", "1")
    ok(got.returncode == 2 and "maglev frob" in got.stderr, "a way that does not exist", got.stderr)
    misses()
    got = run("selftests/bench/cache_misses", "frob")
    ok(got.returncode == 2 and "usage" in got.stderr, "an application that does not exist",
       got.stderr)
    return done()


if __name__ == "__main__":
    sys.exit(main())
