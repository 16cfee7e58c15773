# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""The counters of a card that runs: nfpboard --stats FILE writes them on SIGUSR1."""

import ctypes
import json
import os
import select
import signal

IN_MOVED_TO = 0x80
PATIENCE = 60       # seconds
LIBC = ctypes.CDLL(None, use_errno=True)


def counters(pid, path):
    """Ask process @pid for FILE @path, and wait until it is there by that name."""
    folder, name = map(os.fsencode, os.path.split(path))
    fd = LIBC.inotify_init1(os.O_CLOEXEC)
    if fd < 0 or LIBC.inotify_add_watch(fd, folder, IN_MOVED_TO) < 0:
        raise OSError(ctypes.get_errno(), "inotify")
    with open(fd, "rb", buffering=0) as events:
        os.kill(pid, signal.SIGUSR1)
        came = b""
        while name + b"\0" not in came:
            if not select.select([events], [], [], PATIENCE)[0]:
                raise TimeoutError(f"no {path} from process {pid}")
            came += events.read(4096)
    with open(path, encoding="utf-8") as f:
        return json.load(f)
