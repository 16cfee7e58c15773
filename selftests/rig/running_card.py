# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Read the counters of a running card (nfpboard --stats FILE writes them on SIGUSR1), and the CPU
time of its VM."""

import ctypes
import json
import os
import select
import signal

import tap

IN_MOVED_TO = 0x80
PATIENCE = 60 * tap.SLOW    # seconds
LIBC = ctypes.CDLL(None, use_errno=True)


def counters(pid, path):
    """Have the card's process @pid write its counters to file @path, and return them."""
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


def children(pid):
    """Return the ids of process @pid and of all its descendants."""
    found = [pid]
    for task in os.listdir(f"/proc/{pid}/task"):
        with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as f:
            for child in f.read().split():
                found += children(int(child))
    return found


def qemu_seconds(pid):
    """Return the CPU time in seconds of the QEMU that process @pid or a descendant has started."""
    for child in children(pid):
        with open(f"/proc/{child}/cmdline", encoding="ascii") as f:
            words = f.read().split("\0")
        # QEMU may be started by a dynamic loader. Skip vm-run, which has QEMU in its arguments.
        if not any("/qemu-system-" in w for w in words) or any("vm-run" in w for w in words):
            continue
        with open(f"/proc/{child}/stat", encoding="ascii") as f:
            fields = f.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    raise ProcessLookupError("QEMU is not there")
