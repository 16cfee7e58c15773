#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: board
"""nfpboard --stats: SIGUSR1 writes a complete file of counters, and so does the end of nfpboard."""

import json
import os
import subprocess
import sys
import tempfile

from running_card import counters
from tap import SLOW, TREE, done, ok, same


def main():
    with tempfile.TemporaryDirectory() as tmp:
        stats = os.path.join(tmp, "stats")
        board = subprocess.Popen(
            [os.path.join(TREE, "build/host/bin/nfpboard"), "--socket", os.path.join(tmp, "sock"),
             "--stats", stats, "--ready-fd", "1"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)
        try:
            ready = board.stdout.readline()
            ok(ready == b"ready\n" and not os.path.exists(stats),
               "nfpboard is ready, and has not written the file yet", ready)
            for _ in range(2):
                ok("tlp" in counters(board.pid, stats), "SIGUSR1 writes the complete file")
                os.unlink(stats)
            board.terminate()
            same(board.wait(timeout=60 * SLOW), 0, "nfpboard exits with 0 after SIGTERM")
        finally:
            board.kill()
            board.wait()
        with open(stats, encoding="utf-8") as f:
            ok("tlp" in json.load(f), "nfpboard writes the file when it exits")
        same(os.listdir(tmp), ["stats"], "the socket and temporary files are removed")
    return done()


if __name__ == "__main__":
    sys.exit(main())
