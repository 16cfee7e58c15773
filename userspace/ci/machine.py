# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""The emulated card and the VM of nfpchan-test: start them, and pass on what the guest says."""

import ctypes
import json
import os
import re
import selectors
import signal
import socket
import subprocess
import time

MEM_MB = 768
NO_START, TIMEOUT, CARD_DIED, NO_FRAMES = 123, 124, 121, 120
FRAMES_MISSING = 4      # exit status of nfpboard


class Failure(Exception):
    """The test could not be made. status: the exit status"""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def die_with_parent():
    """Called in a child, which is to get SIGKILL when this process ends."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Lines:
    """Cuts what comes into lines."""

    def __init__(self):
        self.rest = b""

    def feed(self, data):
        *lines, self.rest = (self.rest + data).split(b"\n")
        return [line.decode(errors="replace") for line in lines]


class Machine:
    """A card, and a VM that has it. Use it as a context manager.

    lib: folder of the image's files; run: a folder for sockets and logs, of which the guest gets the
    folder share; work: a folder that the guest gets at the same path, or None; board: options of nfpboard; accel: QEMU's accelerators.
    """

    def __init__(self, lib, run, work, board, accel):
        self.lib, self.run, self.work = lib, run, work
        self.board_args, self.accel = board, accel
        self.sel = selectors.DefaultSelector()
        self.procs = []
        self.fds = {}
        self.board_log = []

    def __enter__(self):
        return self

    def __exit__(self, *error):
        for proc in reversed(self.procs):
            if proc.poll() is None:
                proc.terminate()
            try:
                proc.wait(10)
            except subprocess.TimeoutExpired:
                proc.kill()
                proc.wait()

    def spawn(self, name, argv, **more):
        try:
            proc = subprocess.Popen(argv, stdin=subprocess.DEVNULL, preexec_fn=die_with_parent,
                                    **more)
        except OSError as e:
            raise Failure(NO_START, "%s: %s" % (argv[0], e.strerror)) from e
        self.procs.append(proc)
        self.fds[name] = os.pidfd_open(proc.pid)
        self.sel.register(self.fds[name], selectors.EVENT_READ, name)
        return proc

    def start(self):
        self.start_board()
        self.start_qemu()

    def start_board(self):
        """Start the card, and wait until QEMU can connect."""
        ready, theirs = os.pipe()
        self.board = self.spawn("board", [
            self.lib + "/board/nfpboard", "--socket", self.run + "/card.sock", "--ready-fd",
            str(theirs), "--once"] + self.board_args, stderr=subprocess.PIPE, pass_fds=[theirs])
        os.close(theirs)
        answer = os.read(ready, 64)
        os.close(ready)
        if not answer.startswith(b"ready"):
            raise Failure(NO_START, "the emulated card does not start: "
                          + self.board.stderr.read().decode(errors="replace").strip())
        self.board_lines = Lines()
        self.sel.register(self.board.stderr, selectors.EVENT_READ, "log")

    def start_qemu(self):
        self.port, theirs = socket.socketpair()
        self.lines = Lines()
        lib, share = self.lib, []
        for tag, path, readonly in (("run", self.run + "/share", ",readonly=on"),
                                    ("work", self.work, "")):
            if path:
                path = path.replace(",", ",,")
                share += ["-fsdev", "local,id=%s,path=%s,security_model=none,multidevs=remap%s"
                          % (tag, path, readonly),
                          "-device", "virtio-9p-pci,fsdev=%s,mount_tag=%s" % (tag, tag)]
        card = json.dumps({"driver": "vfio-user-pci", "bus": "slot1",
                           "socket": {"type": "unix", "path": self.run + "/card.sock"}})
        # scripts/vm says why the processor, the clock and the kernel have these options.
        argv = [
            lib + "/qemu/qemu", "-M", "q35,memory-backend=mem,pit=off", "-smp", "2", "-m",
            str(MEM_MB), "-object", "memory-backend-memfd,id=mem,size=%dM,share=on" % MEM_MB,
            "-cpu", "max,-erms,-fsrm", "-nodefaults", "-no-user-config", "-display", "none",
            "-no-reboot", "-serial", "file:" + self.run + "/kernel.log",
            "-kernel", lib + "/vmlinuz", "-initrd", lib + "/initrd", "-append",
            "console=ttyS0 panic=-1 oops=panic net.ifnames=0 nokaslr tsc=reliable no_timer_check "
            "random.trust_cpu=on mitigations=off init_on_alloc=0 8250.nr_uarts=1",
            "-drive", "if=virtio,format=qcow2,readonly=on,file=%s/guest.qcow2" % lib,
            "-device", "virtio-serial-pci,ioeventfd=off",
            "-chardev", "socket,id=port,fd=%d" % theirs.fileno(),
            "-device", "virtserialport,chardev=port,name=nfpchan-test",
            "-device", "pcie-root-port,bus=pcie.0,chassis=1,slot=1,id=slot1", "-device", card]
        for accel in self.accel:
            argv += ["-accel", accel]
        with open(self.run + "/qemu.log", "wb") as log:
            self.qemu = self.spawn("qemu", argv + share, stdout=log, stderr=log,
                                   pass_fds=[theirs.fileno()])
        theirs.close()
        self.sel.register(self.port, selectors.EVENT_READ, "port")

    def events(self, timeout):
        """Yield what the guest says, until it ends or timeout seconds have passed."""
        end = time.monotonic() + timeout
        while True:
            left = end - time.monotonic()
            if left <= 0:
                raise Failure(TIMEOUT, "time is up after %u s; --timeout gives more" % timeout)
            names = [key.data for key, _ in self.sel.select(left)]
            if "log" in names:
                self.read_log()
            elif "port" in names:
                for line in self.read_port():
                    yield json.loads(line)
            elif "board" in names:
                self.board_ended()
            elif "qemu" in names:
                return

    def board_ended(self):
        self.sel.unregister(self.fds["board"])
        if self.board.wait() not in (0, FRAMES_MISSING):
            raise Failure(CARD_DIED, "the emulated card died:\n" + "\n".join(self.board_log[-10:]))

    def end(self):
        """Wait for the ends of QEMU and of the card. Frames of a capture may be missing."""
        if self.qemu.wait():
            raise Failure(NO_START, "QEMU failed:\n" + self.why())
        self.board.wait()
        while self.board.stderr in self.sel.get_map():
            self.read_log()
        if self.board.returncode == FRAMES_MISSING:
            raise Failure(NO_FRAMES, "\n".join(
                line for line in self.board_log if "pcap-" in line))

    def read_port(self):
        try:
            data = self.port.recv(65536)
        except ConnectionResetError:
            data = b""
        if not data:
            self.sel.unregister(self.port)
        return self.lines.feed(data)

    def read_log(self):
        """Keep the card's log. Tell the guest when the capture has ended."""
        data = os.read(self.board.stderr.fileno(), 65536)
        if not data:
            self.sel.unregister(self.board.stderr)
        for line in self.board_lines.feed(data):
            self.board_log.append(line)
            found = re.search(r"wire: .*: end of file: (\d+) frames", line)
            if found:
                self.port.sendall(b'{"frames": %d}\n' % int(found[1]))

    def why(self):
        """The end of what QEMU and the guest's kernel have said."""
        text = ""
        for name in ("qemu.log", "kernel.log"):
            try:
                with open(self.run + "/" + name, encoding="utf-8", errors="replace") as f:
                    text += "".join(f.readlines()[-10:])
            except OSError:
                pass
        return text.strip()
