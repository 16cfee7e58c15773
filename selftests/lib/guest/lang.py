#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Guest side of languages.t: tests of the Python package; runs the tests of the Go package and
of the Rust crate; compares the flow meter's example in Python and Go with the nfpchan command;
at the end removes the card while calls wait in Python and Go."""

import asyncio
import contextlib
import errno
import faulthandler
import os
import pickle
import re
import select
import signal
import subprocess
import sys
import threading

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))))
sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
import nfpchan
from tap import SLOW, done, fails, ok, same, skip

GO_TESTS = os.path.join(TREE, "build/guest/test/lang_go")
# Built on the host, if that has cargo
RUST_TESTS = os.path.join(TREE, "build/host/test/lang_rust")
RUST_ECHO = os.path.join(TREE, "build/host/rust/static/debug/examples/echo")
UNSURE = 0.1            # s to wait for something that must not happen


def refused(call, kind, name):
    """Check that the call raises an exception of exactly this type."""
    try:
        got = call()
    except Exception as err:  # pylint: disable=broad-exception-caught
        same(type(err), kind, name)
    else:
        ok(False, name, f"returned {got!r}")


def check_card(card):
    """Information about card and channels; opens that fail."""
    info = card.info()
    chans = card.channels()
    same((len(chans), info.pipes_used), (info.channels, 0), "info, channels")
    rv = card.query("rv-in")
    same((rv, rv.depth, rv.to_host, rv.max_size), (chans[rv.id], 0, False, 256), "query")
    with nfpchan.Card(info.pci) as other:
        same(other.info(), info, "the card by its PCI function")
    refused(other.info, ValueError, "closed")
    fails(lambda: card.channel("nobody"), errno.ENOENT, "no such channel")
    fails(lambda: card.channel("x" * 32), errno.EINVAL, "no such name")
    fails(lambda: card.channel("echo-in", ring_size=5000), errno.EINVAL, "no such ring")
    fails(lambda: nfpchan.Card(77), errno.ENODEV, "no such card")
    fails(lambda: nfpchan.Card("eth0"), errno.EINVAL, "no name of a card")
    fails(lambda: card.signal("echo-in"), errno.EOPNOTSUPP, "signal to a deaf process")


def check_messages(card):
    """Messages: received as a copy and in place, too large, on a channel of the wrong direction."""
    with card.channel("echo-in") as tx, card.channel("echo-out") as rx:
        bad = 0
        for i in range(200):
            message = bytes([i]) * (i * 29 % 2049)
            tx.send(message)
            bad += rx.recv(timeout=10 * SLOW) != message
        same(bad, 0, "200 messages come back")
        refused(lambda: rx.recv(timeout=0), BlockingIOError, "nothing there")
        refused(lambda: rx.recv(timeout=UNSURE), TimeoutError, "nothing comes")
        fails(lambda: tx.send(bytes(2049)), errno.EMSGSIZE, "a message too large")
        fails(lambda: rx.send(b""), errno.EBADF, "the wrong way")
        fails(tx.recv, errno.EBADF, "and the other")
        fails(rx.makefile, errno.EINVAL, "messages are no file")

        for i in range(4):
            tx.send(b"message %d" % i)
        first = rx.borrow()
        with rx.borrow() as view:
            same((bytes(first.view), bytes(view), view.readonly),
                 (b"message 0", b"message 1", True), "two messages in place")
            fails(rx.recv, errno.EBUSY, "no copy of a third meanwhile")
        with rx.borrow() as view:
            first.release()
            same(bytes(view), b"message 2", "given back in another order")
        refused(lambda: view[0], ValueError, "what was given back cannot be read")
        lent = rx.borrow()
        used = pickle.PickleBuffer(lent.view)
        refused(lent.release, BufferError, "what is in use is not given back")
        used.release()
        lent.release()
        tx.send(b"message 4")
        kept = rx.borrow().view[:3]
    same(bytes(kept), b"mes", "a slice outlives the channel")
    del kept
    refused(rx.recv, ValueError, "the channel is closed")
    refused(rx.fileno, ValueError, "it has no descriptor")
    same(card.info().pipes_used, 0, "no pipe is left")


def check_iterator(card):
    """An iterator receives several messages at a time. What it leaves, later receives have."""
    with card.channel("echo-in") as tx, card.channel("echo-out") as rx:
        def there(count):
            """Have count messages in the ring."""
            for i in range(count):
                tx.send(b"%d" % i)
            tx.drain()

        there(12)
        got = []
        for message in rx:
            got.append(message)
            if len(got) == 6:
                break
        got += [rx.recv(), rx.recv(timeout=10 * SLOW)]
        with rx.borrow() as view:
            got.append(bytes(view))
        got += [next(iter(rx)) for _ in range(3)]
        same(got, [b"%d" % i for i in range(12)], "an iterator that ends early loses nothing")
        refused(lambda: rx.recv(timeout=0), BlockingIOError, "and leaves nothing")

        # A thread that has a message does not keep those after it from another thread.
        first, others = threading.Event(), []

        def hold():
            for message in rx:
                others.append(message)
                first.wait(60 * SLOW)
                return

        thread = threading.Thread(target=hold)
        thread.start()
        there(12)
        others += [rx.recv(timeout=10 * SLOW) for _ in range(11)]
        first.set()
        thread.join()
        same(sorted(others), sorted(b"%d" % i for i in range(12)), "iterator and recv() in two threads")


def check_interrupt(card):
    """^C ends a receive and a rendezvous, whose message was taken back."""
    def interrupted(call, name):
        timer = threading.Timer(UNSURE, signal.pthread_kill, (threading.main_thread().ident,
                                                              signal.SIGINT))
        timer.start()
        refused_by_signal(call, name)
        timer.join()

    with card.channel("rv-in") as tx, card.channel("rv-out") as rx:
        interrupted(rx.recv, "^C in a receive")
        tx.send(b"one")
        interrupted(lambda: tx.send(b"two"), "^C in a rendezvous")
        same(rx.recv(timeout=10 * SLOW), b"one", "the message before it")
        tx.send(b"three")
        same(rx.recv(timeout=10 * SLOW), b"three", "and the next one: it was taken back")


def refused_by_signal(call, name):
    """Check that the call raises KeyboardInterrupt."""
    try:
        got = call()
    except KeyboardInterrupt:
        ok(True, name)
    else:
        ok(False, name, f"returned {got!r}")


def check_library():
    """Without the library, the package says what it needs."""
    status, out = run(sys.executable, "-c", """
import nfpchan
try:
    nfpchan.Card()
except OSError as err:
    print(err.errno, err.filename)
""", NFPCHAN_LIBRARY="libno.so.9")
    same((status, out), (0, f"{errno.ENOENT} libno.so.9\n"), "no library")


def check_full(card):
    """A full channel; drain."""
    before = card.query("echo-in").msgs
    with card.channel("echo-in") as tx, card.channel("echo-out") as rx:
        sent = 0
        try:
            while True:
                tx.send(bytes(2048), timeout=UNSURE)
                sent += 1
        except TimeoutError:
            pass
        ok(sent >= 33, "at least 33 messages fit: 16 in each ring, one in the ME process", sent)
        refused(lambda: tx.send(b"", timeout=0), BlockingIOError, "no room")
        refused(lambda: tx.drain(timeout=0), BlockingIOError, "not drained")
        same(len([rx.recv(timeout=10 * SLOW) for _ in range(sent)]), sent, "all are received")
        tx.drain()
        same(card.query("echo-in").msgs - before, sent, "and drained")


def check_rendezvous(card):
    """Rendezvous: a send returns when the other side has taken the message, in both directions."""
    with card.channel("rv-in") as tx, card.channel("rv-out") as rx:
        tx.send(b"one")         # the process has it, and waits until its answer is received
        refused(lambda: tx.send(b"two", timeout=UNSURE), TimeoutError, "nobody takes it")
        refused(lambda: tx.send(b"two", timeout=0), BlockingIOError, "nor at once")
        with rx.borrow() as view:
            same(bytes(view), b"one", "a message shown")
            refused(lambda: tx.send(b"two", timeout=UNSURE), TimeoutError,
                    "is not received before it is given back")
        tx.send(b"three")
        same(rx.recv(timeout=10 * SLOW), b"three", "what timed out was not delivered")


def check_streams(card):
    """Bytes and elements, as files and in place."""
    want = os.urandom(300000)
    with card.channel("loop-in") as tx, card.channel("loop-out") as rx:
        def write():
            with tx.makefile() as out:
                for i in range(0, len(want), 1000):
                    out.write(want[i:i + 1000])

        writer = threading.Thread(target=write)
        writer.start()
        with rx.makefile() as file:
            same(file.read(len(want)) == want, True, "300000 bytes through files")
        writer.join()
        tx.send(b"0123456789", timeout=10 * SLOW)
        got = b""
        while len(got) < 10:
            with rx.borrow(timeout=10 * SLOW) as view:
                got += view
        same(got, b"0123456789", "the same bytes, read in place")
        fails(lambda: card.channel("loop-in"), errno.EBUSY, "a stream is exclusive")
    want = want[:64 * 4000]
    with card.channel("loop64-in") as tx, card.channel("loop64-out") as rx:
        writer = threading.Thread(target=tx.send, args=(want,))
        writer.start()
        got, odd = b"", 0
        while len(got) < len(want):
            part = rx.recv(timeout=10 * SLOW, size=1000)
            odd += len(part) % 64
            got += part
        writer.join()
        same((got == want, odd), (True, 0), "4000 elements of 64 bytes")
        fails(lambda: rx.recv(size=63), errno.EMSGSIZE, "room for less than an element")
        fails(lambda: tx.send(bytes(65)), errno.EMSGSIZE, "more than an element")


def check_threads(card):
    """Many senders and receivers on one channel; select."""
    count, each = 8, 40
    seen = []
    with card.channel("echo-in") as tx, card.channel("echo-out") as rx, \
            card.channel("tick") as tick:
        def send(i):
            for j in range(each):
                tx.send(bytes([i, j]))

        def receive():
            for _ in range(each):
                seen.append(rx.recv(timeout=30 * SLOW))

        threads = [threading.Thread(target=send, args=(i,)) for i in range(count)]
        threads += [threading.Thread(target=receive) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        same(sorted(seen), sorted(bytes([i, j]) for i in range(count) for j in range(each)),
             "320 messages of 8 threads to 8, each once")
        same(select.select([rx, tick], [], [], 0)[0], [], "select: nothing there")
        tick.signal()
        same(select.select([rx, tick], [], [], 10)[0], [tick], "select: the one that has")
        same(len(tick.recv(timeout=0)), 8, "is received from")
        same(select.select([], [tx], [], 10)[1], [tx], "select: room")


async def check_tasks(card):
    """asyncio: many tasks, order, timeouts, cancellation."""
    async with nfpchan.Async(card.channel("echo-in")) as tx, \
            nfpchan.Async(card.channel("echo-out")) as rx:
        count = 200
        got = await asyncio.gather(*[rx.recv() for _ in range(count)],
                                   *[tx.send(b"%d" % i) for i in range(count)])
        same(got[:count], [b"%d" % i for i in range(count)], "200 tasks receive in order")
        waiting = asyncio.create_task(rx.recv())
        try:
            await rx.recv(timeout=UNSURE)
            ok(False, "nothing comes")
        except TimeoutError:
            ok(True, "nothing comes, and another waits on")
        waiting.cancel()
        same(isinstance((await asyncio.gather(waiting, return_exceptions=True))[0],
                        asyncio.CancelledError), True, "until it is cancelled")
        try:
            await rx.recv(timeout=0)
            ok(False, "nothing there")
        except BlockingIOError:
            ok(True, "nothing there")
        await tx.send(b"in place")
        with await rx.borrow() as view:
            same(bytes(view), b"in place", "in place")
    async with nfpchan.Async(card.channel("rv-in")) as tx, \
            nfpchan.Async(card.channel("rv-out")) as rx:
        await tx.send(b"one")
        try:
            await tx.send(b"two", timeout=UNSURE)
            ok(False, "a rendezvous without a taker")
        except TimeoutError:
            ok(True, "a rendezvous without a taker")
        offer = asyncio.create_task(tx.send(b"three"))
        await asyncio.wait([offer], timeout=UNSURE)
        offer.cancel()
        await asyncio.gather(offer, return_exceptions=True)
        same(offer.cancelled(), True, "one that is cancelled")
        same(await rx.recv(), b"one", "the one before")
        same((await asyncio.gather(rx.recv(), tx.send(b"four")))[0], b"four",
             "is the only one delivered")
    async with nfpchan.Async(card.channel("loop-in")) as tx, \
            nfpchan.Async(card.channel("loop-out")) as rx:
        async def gather():
            got = b""
            while len(got) < 200000:
                got += await rx.recv()
            return got

        same((await asyncio.gather(gather(), tx.send(bytes(200000))))[0], bytes(200000),
             "a stream")


def run(*args, **env):
    """(exit status, standard output) of a command."""
    got = subprocess.run(args, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         timeout=150 * SLOW, env=dict(os.environ, **env), check=False)
    return got.returncode, got.stdout.decode()


def go_lines(out):
    """Print the results of Go tests as test lines. Return how many there are."""
    found = 0
    for line in out.splitlines():
        test = re.match(r"--- (PASS|FAIL|SKIP): (\S+)", line)
        if not test:
            print(f"# {line}")
        elif test[1] == "SKIP":
            skip(f"Go: {test[2]}", "by the Go test itself")
        else:
            found += 1
            ok(test[1] == "PASS", f"Go: {test[2]}")
    return found


def check_go():
    """The Go package's tests that need a card."""
    status, out = run(GO_TESTS, "-test.v", "-test.skip=^(TestRing|TestEnd|TestGone)",
                      f"-test.timeout={140 * SLOW}s", NFPCHAN_TEST_CARD="1")
    same((status, go_lines(out) >= 15), (0, True), "Go: all ran")


def start(*args, **env):
    """Start a test, and wait until it has printed that it waits."""
    test = subprocess.Popen(args, stdout=subprocess.PIPE, text=True, env=dict(os.environ, **env))
    for line in test.stdout:
        if line.startswith("waiting"):
            break
    return test


def go_start(test, **env):
    return start(GO_TESTS, "-test.v", f"-test.run=^{test}$", f"-test.timeout={100 * SLOW}s",
                 NFPCHAN_TEST_CARD="1", **env)


def rust_start(test):
    """With two threads, the test's output is not in the line that has its name."""
    return start(RUST_TESTS, "--exact", test, "--include-ignored", "--nocapture", "--test-threads=2")


def rust_lines(out):
    """Print the results of Rust tests as test lines. Return how many there are."""
    results = re.findall(r"^test (\S+) \.\.\. (ok|FAILED)", out, re.M)
    for name, result in results:
        ok(result == "ok", f"Rust: {name}", out)
    return len(results)


def check_rust():
    """The Rust crate's tests and its example. "end" is run by check_end()."""
    if not os.path.exists(RUST_TESTS):
        skip("Rust", "the host has no cargo")
        return
    status, out = run(RUST_TESTS, "--include-ignored", "--skip", "end", "--test-threads=1")
    same((status, rust_lines(out)), (0, 5), "Rust: all ran")
    same(run(RUST_ECHO, "hello", "", "again"), (0, "hello\n\nagain\n"), "Rust: the example")


def check_links(card):
    """Links: of all messages, of those that match, and with a header in front."""
    with card.channel("rv-in") as tx, card.channel("rv-out") as mid, \
            card.channel("echo-in") as to, card.channel("echo-out") as rx:
        waited = []
        thread = threading.Thread(target=lambda: waited.append(errno_of(mid.recv)))
        thread.start()
        with nfpchan.Link(mid, to, match=(0, b"ab"), header=b"8 bytes ",
                          state=(4, 4, 1)) as link:
            thread.join()
            same(waited, [errno.EISCONN], "a thread that waits is told of the link")
            fails(lambda: to.send(b""), errno.EISCONN, "nothing is sent to a linked channel")
            fails(lambda: nfpchan.Link(mid, to), errno.EISCONN, "linked once")
            tx.send(b"abc")
            same(rx.recv(), b"8 bytes abc", "a message through a link")
            tx.send(b"abc")
            same(rx.recv(), b"8 byues abc", "the next one, with a state counted on: t and 1")
            same(link.stats(), nfpchan.LinkStats(True, False, "card", 2, 6, 0, 0), "its counters")
        tx.send(b"abd")
        same(mid.recv(), b"abd", "after the link, receives work again")
        with nfpchan.Link(mid) as link:
            tx.send(b"nobody")
            tx.send(b"nobody")
            ok(link.stats().dropped >= 1, "a link to nowhere", link.stats())
        tx.send(b"borrowed")
        with mid.borrow():
            fails(lambda: nfpchan.Link(mid, to), errno.EBUSY, "a message is borrowed")
        fails(lambda: nfpchan.Link(tx, mid), errno.EBADF, "the wrong way round")
        fails(lambda: nfpchan.Link(mid, to, match=(0, bytes(9))), errno.EINVAL, "nine bytes")
        fails(lambda: nfpchan.Link(mid, to, match=(300, b"x")), errno.EINVAL, "no such byte")
        fails(lambda: nfpchan.Link(mid, to, header=b"four", state=(4, 4, 1)), errno.EINVAL,
              "a state behind the header")
        fails(lambda: nfpchan.Link(mid, to, header=b"four", state=(0, 4, 1 << 32)), errno.EINVAL,
              "a step of 33 bits")
        link = nfpchan.Link(mid, to)
        to.close()
        same(link.stats().up, False, "the link is down after the close of a channel")
        with card.channel("rv-out", link=True) as only:
            fails(lambda: only.recv(timeout=0), errno.EAGAIN, "an end for a link alone")
        link.close()
        fails(lambda: mid.recv(timeout=0), errno.EAGAIN, "the other end is as it was")


def errno_of(call):
    """The errno of the OSError that the call raises, or None."""
    try:
        call()
    except OSError as err:
        return err.errno
    return None


async def check_end(card):
    """The end of an ME process, for receivers in Go and Rust, and for an async and a plain
    iterator."""
    with go_start("TestEnd", NFPCHAN_TEST_END="1") as go, card.channel("once") as sync, \
            (rust_start("end") if os.path.exists(RUST_TESTS) else contextlib.nullcontext()) as rust:
        async with nfpchan.Async(card.channel("once")) as once:
            card.signal("once")
            got = [len(message) async for message in once]
            fails(lambda: once.channel.recv(timeout=0), errno.EPIPE, "end: every later receive fails")
        got += [len(message) for message in sync]
        out = go.stdout.read()
        go_lines(out)
        if rust:
            told = rust.stdout.read()
            same((rust_lines(told), rust.wait()), (1, 0), "end: Rust, too")
            out += told
    got += map(int, re.findall(r"received (\d+)", out))
    same((sorted(got)[-1:], sum(got)), ([8], 8), "end: one receiver gets the message, all end")
    same(go.returncode, 0, "end: Go, too")
    fails(lambda: card.channel("once"), errno.EPIPE, "end: the channel does not open again")


def check_flows():
    """The card plays a capture once. The Python example receives records of flows that ended by
    themselves, the Go example the rest. The totals are the same for all."""
    # Flows that have ended by FIN and RST, then all others
    python = run(os.path.join(TREE, "userspace/examples/flows.py"))
    go = run(os.path.join(TREE, "build/guest/bin/flows-go"), "-flush")
    tool = run("nfpchan", "flows", "--flush")
    same((python[0], go[0], tool[0]), (0, 0, 0), "flows: records and totals add up for all three")
    records, totals = zip(*[out.partition("\n\n")[::2] for _, out in (python, go)])
    same(totals[1], tool[1].partition("\n")[2], "flows: the totals in Go are the tool's")
    status, out = run(os.path.join(TREE, "userspace/examples/flows.py"), "--flush")
    same((status, out), (0, tool[1]), "flows: the totals in Python are the tool's")
    lines = [records[0].splitlines(), records[1].splitlines()]
    shape = re.compile(r"\S+ +\S+ > \S+( type \d+ code \d+)?( vlan \d+(\.\d+)?)?"
                       r"  packets (\d+) bytes (\d+) ms \d+\.\d{3} (fin|rst|idle|evict|flush)")
    found = [[shape.fullmatch(line) for line in part] for part in lines]
    ok(all(map(all, found)), "flows: lines of records",
       [line for part in lines for line in part if not shape.fullmatch(line)])
    ok(all(len(part) > 3 for part in lines), "flows: records in both languages",
       [len(part) for part in lines])
    sums = [sum(int(m[i]) for part in found for m in part if m) for i in (4, 5)]
    want = {line[:24].strip(): line[24:].strip() for line in tool[1].splitlines()}
    same([str(n) for n in sums], [want["packets in flows"], want["bytes"]],
         "flows: the records of both are the packets and bytes of the totals")


def check_gone(card):
    """The driver is unbound while calls wait, in both languages."""
    pci = card.info().pci
    with go_start("TestGone", NFPCHAN_TEST_GONE="1") as go:
        with card.channel("tick") as rx, card.channel("echo-out") as arx:
            results = []

            def wait():
                try:
                    rx.recv()
                except OSError as err:
                    results.append(err.errno)

            async def wait_async():
                try:
                    await nfpchan.Async(arx).recv()
                except OSError as err:
                    results.append(err.errno)

            threads = [threading.Thread(target=wait),
                       threading.Thread(target=asyncio.run, args=(wait_async(),))]
            for thread in threads:
                thread.start()
            with open("/sys/bus/pci/drivers/nfp/unbind", "w", encoding="ascii") as f:
                f.write(pci)
            for thread in threads:
                thread.join()
            same(results, [errno.ENODEV] * 2, "unbound: a wait of a thread and of a task ends")
            fails(lambda: rx.recv(timeout=0), errno.ENODEV, "for good")
            fails(card.info, errno.ENODEV, "unbound: the card is gone")
        go_lines(go.stdout.read())
    same(go.returncode, 0, "unbound: Go too")


def main():
    # If the test hangs, print where
    faulthandler.dump_traceback_later(300, exit=True)
    with nfpchan.Card() as card:
        check_flows()
        check_card(card)
        check_messages(card)
        check_full(card)
        check_iterator(card)
        check_interrupt(card)
        check_library()
        check_rendezvous(card)
        check_streams(card)
        check_threads(card)
        check_links(card)
        asyncio.run(check_tasks(card))
        check_go()
        check_rust()
        asyncio.run(check_end(card))
        check_gone(card)
    return done()


if __name__ == "__main__":
    sys.exit(main())
