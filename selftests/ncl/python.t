#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
"""The Python package against a device in user space: what it sends is used where it is."""

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
    except Exception as err:    # the test says which
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
    tap.ok(all(list(a) == want for a in arrays), "and has the sums in its own array")


def calls(program, net):
    with ncrt.Session(program, net, "w1") as nc:
        w = nc.out_window("calc", ord("+"), 2**32 - 1, -5, 0)
        tap.same((w["a"], w["b"], w["r"]), (2**32 - 1, -5, 2**32 - 6), "numbers there and back")
        tap.same((w.kernel, w.from_, w.to, w.seq), ("calc", "w1", "w1", 0), "the header, by names")
        tap.same(w["ver"], w.invocation, "a field by its name")
        tap.same(list(w.args()), ["op", "a", "b", "r"], "all arguments")
        r = array.array("Q", [0])
        nc.out("calc", ord("*"), 6, 7, r, back=True)
        tap.same(r[0], 42, "a value that is in an array is written there")
        raises(lambda: w["nosuch"], KeyError, "no field nosuch", "no such argument")
        raises(lambda: nc.out("sum", array.array("f", [0] * 16)), TypeError, "data, which is i32",
               "floats for integers")
        raises(lambda: nc.out("sum", array.array("h", [0] * 16)), OSError, "elements of 2 bytes",
               "elements of another size")
        raises(lambda: nc.out("sum", array.array("i", [0] * 15)), OSError, "no multiple of 16",
               "half a window")
        raises(lambda: nc.out("sum", bytes(64), back=True), BufferError, "", "bytes are not written")
        raises(lambda: nc.out("sum", 5), TypeError, "", "a number for an array")
        raises(lambda: nc.out("calc", 300, 1, 1, 0), OSError, "300 is no value of argument op",
               "a number that does not fit")
        raises(lambda: nc.out("calc", 1.5, 1, 1, 0), ValueError, "1.5", "a float for an integer")
        raises(lambda: nc.out("nosuch"), OSError, "nosuch is no outgoing", "no such kernel")
        raises(lambda: nc.recv(timeout=0), BlockingIOError, "", "nothing there")
        raises(lambda: nc.recv(timeout=0.01), TimeoutError, "no window of any kernel", "nothing in time")
        raises(lambda: nc.out("log", array.array("I", [0] * 4), mode=ncrt.ACK, to="server",
                              timeout=0.05), TimeoutError, "for server by s1: no acknowledgement",
               "nobody is there")
        tap.fails(lambda: nc.ctrl_write("count", 7, (3, 2)), errno.ENOENT, "not deployed here")
        raises(lambda: nc.ctrl_write("count", 7, (3, 3)), ValueError, "shape", "index out of bounds")
        tap.fails(lambda: nc.map_put("table", 1, 2), errno.ENOENT, "a map neither")
        raises(lambda: ncrt.Session(program, net, "w1"), OSError, "w1: bind", "the host is taken")
        tap.same(nc.stats()["timeouts"], 1, "counters")
    raises(lambda: nc.recv(timeout=0), ValueError, "closed", "after close()")


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
    tap.same(got, [b"%d of w2" % key for key in range(50)], "a program in Python answers")


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
        tap.skip("numpy arrays as they are", "no numpy")
    else:
        device = subprocess.Popen([f"{TREE}/build/host/test/ncrt_device", SEED, "0", "0", "0"],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        net, program = device.stdout.readline().split()
        sums(program, net, lambda r: numpy.array(r, dtype=numpy.int32))
        device.communicate()
    return tap.done()


sys.exit(main())
