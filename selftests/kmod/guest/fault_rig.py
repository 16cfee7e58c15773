# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Helpers of fault.py: the card's PCI function in sysfs, the card's node, the kernel's log, and a
pair of channels (the witness) that no fault may affect."""

import errno
import fcntl
import mmap
import os
import re
import select
import socket
import struct
import subprocess
import sys
import threading
import time
import zlib

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))))
sys.dont_write_bytecode = True

# pylint: disable=wrong-import-position
import chan_ioctl as abi
from tap import SLOW, fails, ok, same

NODE = "/dev/nfp_chan0"
PORT = 0x5c0            # BD_FAULT_PORT
OPEN_NONBLOCK = 1       # NFP_CHAN_OPEN_NONBLOCK
OPEN_MAPPED = 4         # NFP_CHAN_OPEN_MAPPED
EVERYONE = b"\xff" * 6
ETHERTYPE = 0x88b5      # reserved by IEEE for local experiments
PATIENCE = 20 * SLOW    # seconds after which a wait fails
DMA_API = "/sys/kernel/debug/dma-api"
ATTACHED = r"nfp_chan0: firmware .* channels"
DETACHED = r"nfp_chan0: detached"


class Pci:
    """The card's PCI function in sysfs, and the register that takes faults."""

    def __init__(self):
        self.name = os.path.basename(os.path.realpath("/sys/class/nfp_chan/nfp_chan0/device"))
        self.path = f"/sys/bus/pci/devices/{self.name}"
        self.config = -1
        self.look()

    def look(self):
        """Open the function's configuration space. Call again after a remove and a rescan."""
        if self.config >= 0:
            os.close(self.config)
        self.config = os.open(f"{self.path}/config", os.O_RDWR)

    def fault(self, text):
        """Write @text, in the syntax of --board fault=, to the card's register for faults."""
        line = text.encode() + b"\0"
        line += bytes(-len(line) % 4)
        for i in range(0, len(line), 4):
            os.pwrite(self.config, line[i:i + 4], PORT)
        if self.port(4):
            raise SystemExit(f"Bail out! fault {text}: not understood")

    def port(self, off):
        return struct.unpack("<I", os.pread(self.config, 4, PORT + off))[0]

    def hits(self):
        return self.port(8)

    def held(self):
        """Number of DMA writes that faults hold back."""
        return self.port(12)

    def resets(self):
        """Number of resets of the function since the card was started."""
        return self.port(16)

    def drive(self, what):
        """Bind or unbind nfp."""
        put(f"/sys/bus/pci/drivers/nfp/{what}", self.name)

    def bind_anew(self, order=("unbind", "bind")):
        for what in order:
            self.drive(what)

    def up_anew(self):
        """Bring the first netdev down and up. The module then looks for the firmware again."""
        for state in ("down", "up"):
            subprocess.run(["ip", "link", "set", self.netdevs()[0], state], check=True)

    def vectors(self):
        return sorted(os.listdir(f"{self.path}/msi_irqs"))

    def netdevs(self):
        return sorted(os.listdir(f"{self.path}/net"))

    def frame_crosses(self):
        """Send frames from the first netdev until the second receives one. A cable connects both.
        Frames that are sent before the link is up are lost."""
        names = self.netdevs()[:2]
        for name in names:
            if not link_is_up(name):
                subprocess.run(["ip", "link", "set", name, "up"], check=True)
        body = os.urandom(100)
        with ether(names[0]) as out, ether(names[1]) as back:
            back.settimeout(0.2)
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end:
                try:
                    out.send(EVERYONE + bytes(6) + struct.pack(">H", ETHERTYPE) + body)
                    if back.recv(2048)[14:] == body:
                        return True
                except (TimeoutError, OSError) as err:
                    if err.errno not in (None, errno.ENETDOWN):
                        raise
        return False


def link_is_up(name):
    return int(get(f"/sys/class/net/{name}/flags"), 16) & 1


def ether(name):
    s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETHERTYPE))
    s.bind((name, ETHERTYPE))
    return s


def put(path, text):
    with open(path, "w", encoding="ascii") as f:
        f.write(text)


def sleep_briefly():
    """Have the system go to sleep as far as to the freezer of processes, and wake."""
    put("/sys/power/pm_test", "freezer")
    put("/sys/power/state", "freeze")
    put("/sys/power/pm_test", "none")


def get(path):
    with open(path, encoding="ascii") as f:
        return f.read()


class Log:
    """The module's lines in the kernel's log."""

    LIMIT, WINDOW = 10, 5.5     # dev_err_ratelimited() prints 10 lines of a kind in 5 s

    def __init__(self):
        self.limited = []
        self.complaints = []
        self.last = ()      # the lines that says() waited for in its last call
        self.fd = os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK)
        os.lseek(self.fd, 0, os.SEEK_END)
        self.lines = select.poll()
        self.lines.register(self.fd, select.POLLIN)

    def new(self):
        """Return the module's lines since the last call."""
        lines = []
        while True:
            try:
                line = os.read(self.fd, 8192).decode(errors="replace")
            except BlockingIOError:
                return lines
            except BrokenPipeError:
                continue
            if "DMA-API: " in line and "Mapped at:" not in line:
                self.complaints.append(line.split("DMA-API: ", 1)[1].split("\n")[0])
            if "nfp_chan: " in line:
                lines.append(line.split("nfp_chan: ", 1)[1].split("\n")[0])

    def dma_says(self, name, known=None):
        """Check that DMA-API has reported nothing since the last call. Reports with the text known
        do not count."""
        said = [c for c in self.complaints if known is None or known not in c]
        self.complaints = []
        if os.path.exists(DMA_API):
            ok(not said, f"{name}: DMA-API", "\n".join(said))

    def room(self):
        """Wait until the kernel's rate limit allows one more line. Call this before a case whose
        kind of line many cases produce."""
        if len(self.limited) == self.LIMIT - 1:
            time.sleep(max(0, self.limited.pop(0) + self.WINDOW - time.monotonic()))
        self.limited.append(time.monotonic())

    def says(self, *texts, name):
        """Check that the module has logged these lines since the last call, in this order, and no
        others. Wait for them, because a worker may log a line late."""
        self.last = texts
        lines = self.new()
        end = time.monotonic() + PATIENCE
        while len(lines) < len(texts) and time.monotonic() < end:
            self.lines.poll(1000 * (end - time.monotonic()))
            lines += self.new()
        good = len(lines) == len(texts) and all(
            re.search(text, line) for text, line in zip(texts, lines))
        ok(good, f"{name}: log", "\n".join(["got"] + lines + ["want"] + list(texts)))

    def says_again(self, name):
        """Check that the module has logged nothing since the last says() except lines of the same
        kinds."""
        odd = [line for line in self.new() if not any(re.search(text, line) for text in self.last)]
        ok(not odd, f"{name}: log", "\n".join(odd))

    def attached(self, *before, name):
        """Check for the lines @before and the line of an attach. The module makes the node before
        it logs the line, so a test that waits for the node must call this before it expects no
        line."""
        self.says(*before, ATTACHED, name=name)


def until(call, name):
    """Wait until @call returns true; fail the test @name if it does not in time."""
    end = time.monotonic() + PATIENCE
    while not call():
        if time.monotonic() > end:
            ok(False, name, f"not within {PATIENCE} s")
            return False
        time.sleep(0.01)
    return True


class Card:
    """The card's node, opened."""

    def __init__(self, node=NODE):
        self.fd = os.open(node, os.O_RDWR | os.O_CLOEXEC)

    def open(self, name, flags=0):
        """Open a channel; return its file descriptor."""
        return abi.open_channel(self.fd, flags, name.encode())

    def open_shared(self, name, other):
        """Open a channel in the ring of the channel @other."""
        return abi.open_channel(self.fd, OPEN_MAPPED, name.encode(), ring=other)

    def used(self):
        """Return the number of pipes in use."""
        return self.info()[6]

    def info(self):
        return abi.ioctl(self.fd, abi.IOC_INFO, abi.INFO, *[0] * 11, b"", b"", b"")

    def query(self, name, flags=0):
        return abi.ioctl(self.fd, abi.IOC_QUERY, abi.QUERY, flags, name.encode(), *[0] * 19)

    def process(self, name):
        """Return the name of a channel's ME process."""
        return self.query(name, abi.QUERY_PROCESS)[2].rstrip(b"\0").decode()

    def counts(self, name):
        """Return the carried and the dropped messages of a channel since the firmware started."""
        return self.query(name)[14], self.query(name)[16]

    def signal(self, name):
        arg = abi.SIGNAL.pack(abi.SIGNAL.size, 0, name.encode())
        fcntl.ioctl(self.fd, abi.IOC_SIGNAL, arg)

    def close(self):
        os.close(self.fd)


def readable(fd, seconds=PATIENCE):
    p = select.poll()
    p.register(fd, select.POLLIN)
    return p.poll(seconds * 1000)


class Sleeper(threading.Thread):
    """A thread that makes one system call, and keeps its result."""

    def __init__(self, number, call):
        super().__init__(daemon=True)
        self.number = number
        self.call = call
        self.result = None
        self.start()

    def asleep(self):
        """True if the thread sleeps in the call, so that it has armed the pipe, or has ended."""
        try:
            said = get(f"/proc/self/task/{self.native_id}/syscall")
            return said.startswith(f"{self.number} ")
        except (FileNotFoundError, ProcessLookupError):
            return True

    def run(self):
        try:
            self.result = self.call()
        except OSError as err:
            self.result = errno.errorcode[err.errno]


class Reader(Sleeper):
    """A thread in read(), until a message comes."""

    def __init__(self, fd):
        super().__init__(0, lambda: os.read(fd, 4096))


class Writer(Sleeper):
    """A thread in write(), until its message is received or cancelled."""

    def __init__(self, fd, data):
        super().__init__(1, lambda: os.write(fd, data))


class Witness:
    """A pair of channels that no fault may affect: echo-in and echo-out must carry each message
    whole and in order."""

    def __init__(self, card):
        self.to_card = card.open("echo-in")
        self.back = card.open("echo-out")
        self.count = 0

    def whole(self, n=5, seconds=PATIENCE):
        for _ in range(n):
            self.count += 1
            body = os.urandom(16 + self.count % 1500)
            message = struct.pack("<II", self.count, zlib.crc32(body)) + body
            os.write(self.to_card, message)
            if not readable(self.back, seconds):
                return False
            got = os.read(self.back, 4096)
            count, crc = struct.unpack_from("<II", got)
            if count != self.count or crc != zlib.crc32(got[8:]) or got != message:
                return False
        return True

    def goes_on(self, name):
        """Check that messages still come back."""
        try:
            ok(self.whole(), name, "a message is missing, or is not the one that was sent")
        except OSError as err:
            ok(False, name, err)

    def close(self):
        os.close(self.to_card)
        os.close(self.back)


# Faults that affect all channels, but not the netdevs. Other faults affect only the named channel.
NETDEVS_ONLY = ("fw-stop", "fw-restart", "sram-ones")


class Rig:
    """The card and the witness, and the resources that are in use without a fault."""

    def __init__(self):
        self.pci = Pci()
        self.log = Log()
        self.failing = ""
        self.start()
        self.memory = self.dma()

    def start(self):
        self.card = Card()
        self.witness = Witness(self.card)
        self.used = self.card.used()
        self.vectors = self.pci.vectors()
        self.fds = len(os.listdir("/proc/self/fd"))

    def stop(self):
        self.witness.close()
        self.card.close()

    def fault(self, text):
        """Begin or end a fault. Then check that other channels and the netdevs still work."""
        self.pci.fault(text)
        self.failing = "" if text == "off" or text[0] == "-" else text
        if self.failing:
            self.others(text)

    def bind_well(self, name):
        """End the fault of a card that the module has failed to attach, and bind nfp again. End it
        while nfp is unbound. Otherwise the module may attach the card before the unbind, when a
        netdev is brought up, and the log has two attaches. An attempt before the unbind fails like
        the first one."""
        self.pci.drive("unbind")
        self.log.says_again(f"{name}, unbound again")
        self.fault("off")
        self.pci.drive("bind")

    def others(self, name):
        """During a fault, check channels that the fault does not name, and the netdevs."""
        if not self.failing.startswith(NETDEVS_ONLY):
            self.witness.goes_on(f"{name}: other channels still work")
        ok(self.pci.frame_crosses(), f"{name}: the netdevs still work")

    def settled(self, name):
        """Check the others and end the fault. Then check that no resource was leaked, and that
        channels of each kind open and work."""
        if self.failing:
            self.others(f"{name}, at its end")
        self.fault("off")
        self.witness.goes_on(f"{name}: other channels go on")
        for kind in (self.message, self.rendezvous, self.stream):
            try:
                ok(kind(), f"{name}: after it a {kind.__name__} is carried")
            except OSError as err:
                ok(False, f"{name}: after it a {kind.__name__} is carried", err)
        until(lambda: (self.card.used(), self.dma()) == (self.used, self.memory),
              f"{name}: pipes and memory")
        same((self.card.used(), self.dma(), self.pci.vectors(),
              len(os.listdir("/proc/self/fd"))),
             (self.used, self.memory, self.vectors, self.fds), f"{name}: nothing is left over")

    def over(self, name, *texts):
        """Like settled(), and check that the log has these lines and no others."""
        self.settled(name)
        self.log.says(*texts, name=name)

    def gone(self, name, reader):
        """Check that the module detaches the card: its periodic check wakes sleepers within a few
        seconds, and calls return ENODEV."""
        reader.join(PATIENCE)
        same(reader.result, "ENODEV", f"{name}: a sleeping reader")
        fails(lambda: self.card.open("tick"), errno.ENODEV, f"{name}: open")
        fails(lambda: self.card.query("tick"), errno.ENODEV, f"{name}: query")
        fails(lambda: os.write(self.witness.to_card, b"x"), errno.ENODEV, f"{name}: write")

    def kept(self, pipes, name):
        """Check that @pipes pipes are in use besides those of the rig. Each has a ring and a record
        of one page."""
        same((self.card.used() - self.used, self.dma()[0] - self.memory[0]),
             (pipes, 2 * pipes * mmap.PAGESIZE), f"{name}: memory that the card may write is kept")

    def message(self):
        """Send a message to the NFP."""
        before = self.card.counts("pit")[0]
        fd = self.card.open("pit")
        os.write(fd, b"m" * 100)
        came = until(lambda: self.card.counts("pit")[0] == before + 1, "a message to the NFP")
        os.close(fd)
        return came

    def rendezvous(self):
        """Send a rendezvous message and receive it back. The writer sleeps until it is received."""
        tx, rx = self.card.open("rv-in"), self.card.open("rv-out")
        body = os.urandom(100)
        writer = Writer(tx, body)
        came = readable(rx) and os.read(rx, 256) == body
        writer.join(PATIENCE)
        os.close(tx)
        os.close(rx)
        return came and writer.result == len(body)

    def stream(self):
        """Send bytes of a stream and receive them back."""
        rx, tx = self.card.open("loop-out"), self.card.open("loop-in")
        body, got = os.urandom(5000), b""
        os.write(tx, body)
        while len(got) < len(body) and readable(rx):
            got += os.read(rx, 4096)
        os.close(tx)
        os.close(rx)
        return got == body

    def tick(self, name, opened=lambda: None):
        """Check that a channel opens, works, and closes. Call opened() after the open."""
        ok(self.ticks(opened), f"{name}: channels open again")

    def ticks(self, opened=lambda: None):
        """True if the channel tick opens, reports a signal, and closes."""
        fd = self.card.open("tick")
        opened()
        self.card.signal("tick")
        came = readable(fd) and len(os.read(fd, 8)) == 8
        os.close(fd)
        return came

    def dma(self):
        """Return the bytes of DMA memory in use, and of DMA memory that the card may still
        write."""
        return self.card.info()[10:12]


def pipes():
    """Return the fdinfo of each pipe that this process has open, as a dict."""
    said = []
    for fd in os.listdir("/proc/self/fdinfo"):
        try:
            lines = get(f"/proc/self/fdinfo/{fd}").splitlines()
        except FileNotFoundError:
            continue    # the descriptor of the listed folder itself
        said.append(dict(line.split(":\t", 1) for line in lines if ":\t" in line))
    return [pipe for pipe in said if "chan" in pipe]


class Dma:
    """Count the DMA mappings that the function's drivers make after this object was created."""

    EVENTS = ("dma_map_sg", "dma_unmap_sg")
    TRACING = "/sys/kernel/tracing"

    def __init__(self, pci):
        self.pci = pci
        put(f"{self.TRACING}/trace", "")
        for event in self.EVENTS:
            put(f"{self.TRACING}/events/dma/{event}/enable", "1")

    def held(self):
        """Return the number of mappings that exist."""
        said = re.findall(rf"(dma_\w+): {self.pci.name} .*phys_addrs=(\S+)",
                          get(f"{self.TRACING}/trace"))
        held = set()
        for event, addr in said:
            if event == "dma_map_sg":
                held.add(addr)
            else:
                held.discard(addr)
        return len(held)

    def end(self):
        for event in self.EVENTS:
            put(f"{self.TRACING}/events/dma/{event}/enable", "0")
