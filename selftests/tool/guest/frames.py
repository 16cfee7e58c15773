#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Guest side of frames.t. A cable joins the ports: what is replayed at port 0 arrives at port 1."""

import concurrent.futures
import fcntl
import json
import os
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile

import json_keys
import nfpchan
import top_terminal
import wire_ports
from capture import REAL, Frame, read, write
from pcapng import blocks, frames_of
from tap import SLOW, TREE, done, ok, same, skip

TIME = 60 * SLOW
SENT = [f.data.ljust(60, b"\0") for f in read(REAL)]    # a port pads frames
EXPR = "udp or (tcp port 81 and ip[2:2] > 40)"


def run(*args, **more):
    # tshark takes a minute to start on a slow machine.
    got = subprocess.run(args, capture_output=True, check=False, timeout=5 * TIME, **more)
    return got.returncode, got.stdout, got.stderr.decode()


class Capture:
    """A capture that runs. The head of its file has come, so the card captures."""

    def __init__(self, *args):
        self.run = subprocess.Popen(["nfpchan", "capture", *args], stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, bufsize=0)
        self.head = self.run.stdout.read(8)

    def read(self, size):
        """Read until the file has so many bytes."""
        while len(self.head) < size:
            self.head += self.run.stdout.read(size)

    def end(self, sig=None):
        """(exit status, blocks of the file, standard error)"""
        if sig:
            self.run.send_signal(sig)
        out, err = self.run.communicate(timeout=TIME)
        return self.run.returncode, blocks(self.head + out), err.decode()


def replay(*args):
    status, out, err = run("nfpchan", "replay", *args)
    cut = f"nfpchan: {REAL} has only a part of 407 frames, which was sent\n"
    same((status, err), (0, cut if args[0] == REAL else ""), "nfpchan replay")
    return out.decode()


def tcpdump(expr):
    """The frames of the recorded capture that tcpdump finds with a filter."""
    _, out, _ = run("tcpdump", "-r", REAL, "-w", "-", expr)
    with tempfile.NamedTemporaryFile() as f:
        f.write(out)
        f.flush()
        return [x.data.ljust(60, b"\0") for x in read(f.name)]


def received():
    with open("/sys/class/net/eth1/statistics/rx_packets", encoding="ascii") as f:
        return int(f.read())


def check_all(tmp):
    """Every frame, its length and order, the interfaces, the statistics; and the netdev gets it too."""
    path = os.path.join(tmp, "all.pcapng")
    os.mkfifo(path)
    before = received()
    got = subprocess.Popen(["nfpchan", "--json", "capture", "-w", path, "-p", "1", "-n", "768"],
                           stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    with open(path, "rb") as f:
        data = f.read(8)
        same(replay(REAL, "-a"), "768 frames sent at port 0\n", "replay says what it has sent")
        data += f.read()
    out, _ = got.communicate(timeout=TIME)
    doc = json.loads(out)
    json_keys.check("capture", doc)
    found = blocks(data)
    frames = frames_of(found)
    same([x.data for x in frames], SENT, "all frames are captured, in order")
    same({x.interface for x in frames}, {1}, "at port 1")
    ok(all(a.ns <= b.ns for a, b in zip(frames, frames[1:])), "time stamps do not step back")
    same((got.returncode, doc["written"], doc["ports"][1]),
         (0, 768, {"seen": 768, "accepted": 768, "copied": 768, "dropped": 0, "lost": 0}),
         "--json has the totals")
    same(received() - before, 768, "the netdev has received each frame as well")
    section, interfaces = found[0], [b for b in found if b.kind == 1]
    text = section.options[1].decode()
    ok(text.startswith("card 0000:") and "firmware" in text, "a comment names the card", text)
    same([i.options[2] for i in interfaces], [b"port0", b"port1"], "an interface for each port")
    same([i.options[9] for i in interfaces], [b"\x09"] * 2, "nanoseconds")
    stats = [struct.unpack("<Q", b.options[7])[0] for b in found if b.kind == 5]
    same(stats, [0, 0], "dropped frames are in the statistics")
    return data


def check_tshark(data):
    if not shutil.which("tshark"):
        skip("tshark reads the capture", "no tshark")
        return
    fields = [w for f in ("frame.interface_name", "frame.len", "frame.protocols") for w in ("-e", f)]
    status, out, err = run("tshark", "-n", "-r", "-", "-T", "fields", *fields, input=data)
    lines = [line.split("\t") for line in out.decode().splitlines()]
    same((status, len(lines), {x[0] for x in lines}), (0, 768, {"port1"}),
         f"tshark reads the capture {err}")
    same([int(x[1]) for x in lines], [len(x) for x in SENT], "with its lengths")


def check_filters(tmp):
    """A filter by expression, by --dd, and through a pipe; and the other ways to choose frames."""
    want = tcpdump(EXPR)
    ok(0 < len(want) < len(SENT), "the filter of the test accepts some frames", len(want))
    dd = os.path.join(tmp, "dd")
    with open(dd, "wb") as f:
        f.write(run("tcpdump", "-y", "EN10MB", "-dd", EXPR)[1])
    for how in ((EXPR,), tuple(EXPR.split()), ("--dd", dd)):
        got = Capture("-p", "1", *how)
        replay(REAL, "-a")
        status, found, err = got.end(signal.SIGINT)
        same(([x.data for x in frames_of(found)], status), (want, 0), f"capture {' '.join(how)[:8]}")
    ok(f"{len(want)} frames captured, 768 seen" in err, "says how many", err)
    same(len([b for b in found if b.kind == 5]), 2, "statistics at the end of an interrupted capture")
    got = Capture("-s", "20", "-S", "10", "-p", "1")
    replay(REAL, "-a")
    _, found, _ = got.end(signal.SIGTERM)
    same([(x.data, x.length) for x in frames_of(found)],
         [(x[:20], len(x)) for x in SENT[::10]], "--snap and --sample")
    pipe = subprocess.Popen(f"nfpchan capture -p 1 -n 3 | tcpdump -n -r - -w {tmp}/piped.pcap",
                            shell=True, stderr=subprocess.PIPE)
    for _ in range(100):
        replay(REAL, "-a")
        if pipe.poll() is not None:
            break
    pipe.communicate(timeout=TIME)
    same(len(read(f"{tmp}/piped.pcap")), 3, "a pipe to tcpdump")


def ends(frame):
    """The two ends of a TCP or UDP connection over IPv4, in no order, or None."""
    ip = frame.data[14:]
    if frame.data[12:14] != b"\x08\x00" or ip[9] not in (6, 17) or ip[6] & 0x3f or ip[7]:
        return None
    ports = 4 * (ip[0] & 15)
    return ip[9], frozenset({ip[12:16] + ip[ports:ports + 2], ip[16:20] + ip[ports + 2:ports + 4]})


def check_streams(tmp):
    """A file for each stream, FIFOs here: each connection is in one of them."""
    paths = [os.path.join(tmp, f"streams.{i}") for i in range(4)]
    for path in paths:
        os.mkfifo(path)
    got = subprocess.Popen(["nfpchan", "--json", "capture", "-w", os.path.join(tmp, "streams"), "-t", "4",
                            "-p", "1", "-n", "768"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    files = [open(path, "rb") for path in paths]
    heads = [f.read(8) for f in files]
    with concurrent.futures.ThreadPoolExecutor(len(files)) as pool:
        rest = pool.map(lambda f: f.read(), files)
        replay(REAL, "-a")
        parts = [frames_of(blocks(head + data)) for head, data in zip(heads, rest)]
    for f in files:
        f.close()
    out, _ = got.communicate(timeout=TIME)
    doc = json.loads(out)
    same((got.returncode, doc["written"], doc["ports"][1]["copied"]), (0, 768, 768),
         "capture --streams: the totals are of all streams")
    ok(all(parts), "frames in each stream", [len(part) for part in parts])
    same(sorted(x.data for part in parts for x in part), sorted(SENT), "all frames, once each")
    ok(all(a.ns <= b.ns for part in parts for a, b in zip(part, part[1:])), "in order")
    found = [{ends(x) for x in part} - {None} for part in parts]
    ok(len(set.union(*found)) == sum(map(len, found)), "each connection in one stream", found)


class Unread:
    """A capture to FIFOs that nobody reads until read(). They are full, so the capture waits."""

    def __init__(self, tmp, streams):
        base = tempfile.mktemp(dir=tmp)
        paths = [base] if streams == 1 else [f"{base}.{i}" for i in range(streams)]
        for path in paths:
            os.mkfifo(path)
        self.run = subprocess.Popen(["nfpchan", "capture", "-w", base, "-t", str(streams), "-p", "1"],
                                    stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        self.files = [open(path, "rb") for path in paths]
        for f in self.files:
            fcntl.fcntl(f, fcntl.F_SETPIPE_SZ, 4096)
        self.heads = [f.read(8) for f in self.files]
        path = os.path.join(tmp, "flows.pcap")
        write(path, [Frame(i, 0, 1000, udp(i)) for i in range(100)])
        replay(path, "-a")
        for path in paths:
            self.fill(path)

    @staticmethod
    def fill(path):
        writer = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        while select.select((), (writer,), (), 0)[1]:
            pass
        os.close(writer)

    def interrupt(self):
        """Interrupt the capture. Returns the line for each FIFO, which come when it has the signal."""
        self.run.send_signal(signal.SIGINT)
        return [self.run.stderr.readline().decode() for _ in self.files]

    def read(self):
        with concurrent.futures.ThreadPoolExecutor(len(self.files)) as pool:
            rest = list(pool.map(lambda f: f.read(), self.files))
        return [blocks(head + data) for head, data in zip(self.heads, rest)]

    def end(self):
        """(exit status, standard error)"""
        _, err = self.run.communicate(timeout=TIME)
        for f in self.files:
            f.close()
        return self.run.returncode, err.decode()


def udp(number):
    """A frame of a connection of its number, for RSS."""
    ip = struct.pack(">BBHHHBBHII", 0x45, 0, 986, 0, 0, 64, 17, 0, 0x0a000001, 0x0a000002)
    frame = b"\2" * 12 + b"\x08\x00" + ip + struct.pack(">HHHH", number, 9, 966, 0)
    return frame.ljust(1000, b"\0")


def check_interrupts(tmp):
    """Interrupts while nobody reads the file."""
    path = os.path.join(tmp, "no-reader")
    os.mkfifo(path)
    opening = subprocess.Popen(["nfpchan", "capture", "-w", path], stdin=subprocess.DEVNULL)
    opening.send_signal(signal.SIGINT)
    same(opening.wait(timeout=TIME), -signal.SIGINT, "an interrupt: a FIFO without a reader")
    for streams in 1, 4:
        what = f"{streams} unread"
        got = Unread(tmp, streams)
        lines = got.interrupt()
        ok(all("waiting for its reader, interrupt again" in x for x in lines),
           f"an interrupt, {what}: says what it waits for", lines)
        parts = got.read()
        status, err = got.end()
        same((status, sum(len(frames_of(x)) for x in parts)), (0, 100),
             f"an interrupt, {what}: all frames are written when somebody reads {err}")
        same([len([b for b in x if b.kind == 5]) for x in parts], [2] * streams,
             f"an interrupt, {what}: and the statistics")
        got = Unread(tmp, streams)
        got.interrupt()
        got.run.send_signal(signal.SIGINT)
        same(got.end(), (1, "nfpchan: ended before all frames were written\n"),
             f"two interrupts, {what}: the end")


def check_drops(tmp):
    """A capture that does not read: what is dropped is counted, and said where it is missing."""
    path = os.path.join(tmp, "large.pcap")
    write(path, [Frame(i, 0, 1000, struct.pack(">I", i) * 250) for i in range(6000)])
    got = Capture("-p", "1")
    got.run.send_signal(signal.SIGSTOP)
    replay(path, "-a")
    got.run.send_signal(signal.SIGCONT)
    got.read(1000000)       # most of what was in the ring: there is room again
    replay(REAL, "-a")
    status, found, err = got.end(signal.SIGTERM)
    frames = frames_of(found)
    dropped = sum(x.drops for x in frames)
    same((status, len(frames) + dropped), (0, 6768), "each frame is captured, or counted as dropped")
    ok(f"{dropped} dropped" in err and dropped > 1000, "as the command says", (dropped, err))
    numbers = [struct.unpack(">I", x.data[:4])[0] for x in frames if x.length == 1000]
    first = next(i for i, x in enumerate(frames) if x.drops)
    numbers += [6000]       # of the first frame of the other capture
    same((numbers[:first], frames[first].drops),
         (list(range(first)), numbers[first] - first), "the number stands where they are missing")


def check_replay(tmp):
    path = os.path.join(tmp, "odd.pcap")
    frames = [Frame(5, 0, 100, b"x" * 100), Frame(4, 0, 9300, b"y" * 9300), Frame(4, 0, 200, b"z" * 60)]
    write(path, frames)
    got = Capture("-p", "1", "-n", "2")
    status, out, err = run("nfpchan", "replay", "--json", path)
    doc = json.loads(out)
    json_keys.check("replay", doc)
    same((status, doc), (1, {"sent": 2, "cut": 1, "left_out": 1}), "frames that cannot be sent")
    ok("1 frames have more than 9238 bytes" in err and "a part of 1 frames" in err, "it says why", err)
    same([x.data for x in frames_of(got.end()[1])], [b"x" * 100, b"z" * 60], "the others are sent")
    with open(path, "rb") as f:
        text = bytearray(f.read())
    text[20] = 101
    same(run("nfpchan", "replay", "-", input=bytes(text))[2],
         "nfpchan: -: the frames are RAW, the port sends Ethernet\n", "no Ethernet")
    seen = Capture("-n", "1")
    got = subprocess.Popen(["nfpchan", "replay", REAL, "--speed", "0.001"], stdout=subprocess.PIPE)
    seen.end()      # ends when the first frame has come
    got.send_signal(signal.SIGTERM)
    out, _ = got.communicate(timeout=TIME)
    same(got.returncode, 0, f"an interrupted replay {out}")


def check_errors():
    first = Capture()
    status, _, err = run("nfpchan", "capture")
    same((status, err), (1, "nfpchan: frames: the channel is exclusive, and open already\n"),
         "a second capture")
    same(first.end(signal.SIGTERM)[0], 0, "the first one is not disturbed")
    status, _, err = run("nfpchan", "capture", "-w", "/nonexistent/x")
    same((status, err), (1, "nfpchan: /nonexistent/x: No such file or directory\n"), "no such folder")
    with open("/dev/full", "wb") as full:
        got = subprocess.run(["nfpchan", "capture"], stdout=full, stderr=subprocess.PIPE, check=False,
                             timeout=TIME)
    same((got.returncode, got.stderr), (1, b"nfpchan: standard output: No space left on device\n"),
         "a full disk")


def check_extcap(tmp):
    if not shutil.which("tshark"):
        skip("tshark captures by extcap", "no tshark")
        return
    env = dict(os.environ, HOME=tmp)
    folder = os.path.join(tmp, ".local/lib/wireshark/extcap")
    os.makedirs(folder)
    os.symlink(os.path.join(TREE, "userspace/extcap/nfpchan"), os.path.join(folder, "nfpchan"))
    _, out, _ = run("tshark", "-D", env=env)
    ok(b"nfp_chan0 (Agilio 0000:" in out, "tshark -D lists the card", out)
    path = os.path.join(tmp, "extcap.pcapng")
    want = tcpdump("udp")
    got = subprocess.Popen(["tshark", "-q", "-i", "nfp_chan0", "-f", "udp", "-c", str(len(want)),
                            "-w", path], env=env, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    for _ in range(100):
        replay(REAL, "-a")
        if got.poll() is not None:
            break
    _, err = got.communicate(timeout=TIME)
    frames = []
    if os.path.exists(path):
        with open(path, "rb") as f:
            frames = frames_of(blocks(f.read()))
    ok(len(frames) == len(want) and all(x.data in want for x in frames),
       "tshark captures by extcap what its filter accepts", (len(frames), err))
    status, out, err = run("nfpchan", "extcap", "-i", "nfp_chan0", "-f", "not a filter")
    same((status, out), (1, b""), f"a wrong filter {err}")


def check_languages():
    """The sources of frames of the Go and Python packages."""
    status, out, err = run(os.path.join(TREE, "build/guest/test/lang_go"), "-test.v",
                           "-test.run=^TestFrames", env=dict(os.environ, NFPCHAN_TEST_CARD="1",
                                                             NFPCHAN_TEST_CABLE="1"))
    text = out.decode()
    ok(status == 0 and text.count("--- PASS: ") == 3, "Go", text + err)
    insns = [(0x30, 0, 0, 0), (0x15, 0, 1, 7), (6, 0, 0, 65535), (6, 0, 0, 0)]
    with nfpchan.Card() as card, card.channel("wire") as wire:
        with nfpchan.Frames(card, ports=2) as frames:
            for data in SENT:
                wire.send(data)
            got = [frame for _, frame in zip(SENT, frames)]
            same([bytes(f.data) for f in got], SENT, "Python: all frames, in order")
            same({(f.port, f.length - len(f.data), type(f.data)) for f in got},
                 {(1, 0, memoryview)}, "Python: each is a memoryview, with its port and length")
            same((tuple(frames.stop()[1]), frames.dropped), ((768, 768, 768, 0, 0), 0),
                 "Python: totals")
        with nfpchan.Frames(card, insns, snap=4, sample=2) as frames:
            for n in range(20):
                wire.send(bytes([7 if n % 3 else 8]) * (60 + n))
            same([(bytes(f.data), f.length) for _, f in zip(range(7), frames)],
                 [(b"\7" * 4, 60 + n) for n in (1, 4, 7, 10, 13, 16, 19)],
                 "Python: filter, snap length and sampling")
        try:
            nfpchan.Frames(card, [(0x60, 0, 0, 16)])
            ok(False, "Python: a filter that the card refuses")
        except ValueError as e:
            ok("instruction 0 of the filter: " in str(e), "Python: a filter that the card refuses", e)


def main():
    wire_ports.up()
    with tempfile.TemporaryDirectory() as tmp:
        data = check_all(tmp)
        check_tshark(data)
        check_filters(tmp)
        check_streams(tmp)
        check_interrupts(tmp)
        check_drops(tmp)
        check_replay(tmp)
        check_errors()
        check_extcap(tmp)
        check_languages()
        top_terminal.check(REAL)
    return done()


if __name__ == "__main__":
    sys.exit(main())
