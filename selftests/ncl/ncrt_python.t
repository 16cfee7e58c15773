#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: userspace build/host/test/ncrt_device
"""Test the Python package with a device in user space. Arrays are sent and written in place."""

import array
import errno
import os
import subprocess
import sys
import threading

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [f"{TREE}/selftests/rig", f"{TREE}/userspace/ncl/python"]
os.environ.setdefault("NCRT_LIBRARY", f"{TREE}/build/host/lib/libncrt.so.0")

import ncrt
import tap

WORKERS = ["w1", "w2", "w3", "w4"]
WINDOW = 16
SEED = os.environ.get("SEED", str(os.getpid()))


def raises(call, kind, text, name):
    try:
        got = call()
    except Exception as err:    # `kind` says which one the test expects
        tap.ok(isinstance(err, kind) and text in str(err), name, f"{type(err)}: {err}")
    else:
        tap.ok(False, name, f"returned {got!r}")


def worker(session, data, results, i):
    results[i] = session.out("sum", data, back=True)


def sums(program, net, make):
    """Four threads, each with a session and an array."""
    n = 100 * WINDOW
    arrays = [make(range(i, i + n)) for i in range(len(WORKERS))]
    sessions = [ncrt.Session(program, net, host, first=1) for host in WORKERS]
    results = [None] * len(WORKERS)
    threads = [threading.Thread(target=worker, args=(s, a, results, i))
               for i, (s, a) in enumerate(zip(sessions, arrays))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for session in sessions:
        session.close()
    tap.same(results, [100] * 4, "each worker has sent 100 windows")
    want = [4 * i + 6 for i in range(n)]
    tap.ok(all(list(a) == want for a in arrays), "each worker has the sums in its own array")


def calls(program, net):
    with ncrt.Session(program, net, "w1") as nc:
        w = nc.out_window("calc", ord("+"), 2**32 - 1, -5, 0)
        tap.same((w["a"], w["b"], w["r"]), (2**32 - 1, -5, 2**32 - 6),
                 "out_window() returns the numbers of the answer")
        tap.same((w.kernel, w.from_, w.to, w.seq), ("calc", "w1", "w1", 0),
                 "header fields of the answer: names of kernel and nodes")
        tap.same(w["ver"], w.invocation, "a field of the kernel by its name")
        tap.same(list(w.args()), ["op", "a", "b", "r"], "args() has all arguments of the kernel")
        r = array.array("Q", [0])
        nc.out("calc", ord("*"), 6, 7, r, back=True)
        tap.same(r[0], 42, "back=True writes a scalar answer to an array of one")
        raises(lambda: w["nosuch"], KeyError, "no field nosuch",
               "no such field or argument: KeyError")
        raises(lambda: nc.out("sum", array.array("f", [0] * 16)), TypeError, "data, which is i32",
               "an array of floats for i32: TypeError")
        raises(lambda: nc.out("sum", array.array("h", [0] * 16)), OSError, "elements of 2 bytes",
               "an array of 2-byte elements for i32: OSError")
        raises(lambda: nc.out("sum", array.array("i", [0] * 15)), OSError, "no multiple of 16",
               "an array that is no multiple of a window: OSError")
        raises(lambda: nc.out("sum", bytes(64), back=True), BufferError, "",
               "back=True with immutable bytes: BufferError")
        raises(lambda: nc.out("sum", 5), TypeError, "", "a number for an array: TypeError")
        raises(lambda: nc.out("calc", 300, 1, 1, 0), OSError, "300 is no value of argument op",
               "a number larger than its type: OSError")
        raises(lambda: nc.out("calc", 1.5, 1, 1, 0), ValueError, "1.5",
               "a float for an integer: ValueError")
        raises(lambda: nc.out("nosuch"), OSError, "nosuch is no outgoing",
               "no such kernel: OSError")
        raises(lambda: nc.recv(timeout=0), BlockingIOError, "",
               "recv() with timeout 0: BlockingIOError")
        raises(lambda: nc.recv(timeout=0.01), TimeoutError, "no window of any kernel",
               "recv() with a timeout: TimeoutError")
        raises(lambda: nc.out("log", array.array("I", [0] * 4), mode=ncrt.ACK, to="server",
                              timeout=0.05), TimeoutError, "for server by s1: no acknowledgement",
               "no acknowledgement: TimeoutError")
        tap.fails(lambda: nc.ctrl_write("count", 7, (3, 2)), errno.ECONNREFUSED,
                  "ctrl_write() of a program that is not deployed: ECONNREFUSED")
        raises(lambda: nc.ctrl_write("count", 7, (3, 3)), ValueError, "shape",
               "ctrl_write() with an index out of bounds: ValueError")
        tap.fails(lambda: nc.map_put("table", 1, 2), errno.ECONNREFUSED,
                  "map_put() of a program that is not deployed: ECONNREFUSED")
        raises(lambda: ncrt.Session(program, net, "w1"), OSError, "w1: bind",
               "a second session of the same host: OSError")
        tap.same(nc.stats()["timeouts"], 1, "stats() counts the timeout")
    raises(lambda: nc.recv(timeout=0), ValueError, "closed",
           "recv() of a closed session: ValueError")


def serve(nc, ended):
    while not ended.is_set():
        try:
            w = nc.recv("ask", timeout=0.05)
        except TimeoutError:
            continue
        w["val"] = f"{w['key']} of {w.from_}".encode()
        nc.answer(w)


def answers(program, net):
    ended = threading.Event()
    with ncrt.Session(program, net, "server") as server, ncrt.Session(program, net, "w2") as nc:
        thread = threading.Thread(target=serve, args=(server, ended))
        thread.start()
        got = [bytes(nc.out_window("ask", key, bytes(32), to="server")["val"]).rstrip(b"\0")
               for key in range(50)]
        ended.set()
        thread.join()
    tap.same(got, [b"%d of w2" % key for key in range(50)],
             "a Python program answers 50 questions of another")


def main():
    tap.note(f"seed {SEED}")
    device = subprocess.Popen([f"{TREE}/build/host/test/ncrt_device", SEED, "20", "20", "20"],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    net, program = device.stdout.readline().split()
    try:
        sums(program, net, lambda r: array.array("i", r))
        calls(program, net)
        answers(program, net)
    finally:
        tap.note(device.communicate()[0])
    try:
        import numpy
    except ImportError:
        tap.skip("numpy arrays are sent and written in place", "no numpy")
    else:
        device = subprocess.Popen([f"{TREE}/build/host/test/ncrt_device", SEED, "0", "0", "0"],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        net, program = device.stdout.readline().split()
        sums(program, net, lambda r: numpy.array(r, dtype=numpy.int32))
        device.communicate()
    return tap.done()


sys.exit(main())
