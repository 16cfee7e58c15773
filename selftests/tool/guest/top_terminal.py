# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""nfpchan top at a pseudo terminal: keys, sizes of the window, signals. For frames.py, whose card has
a cable."""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios

from tap import SLOW, ok, same

TIME = 60 * SLOW
CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
# A line of a flow with packets in the interval
FLOW = re.compile(r"^[\d.]+:\d+ +[\d.]+:\d+ +(?:tcp|udp) +[1-9]", re.M)
TAKE, RESTORE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"


def lead(args, said, go):
    """The session's leader: run a command in the foreground, as a shell does. Write a line about each
    stop and about the end, with the terminal's flags. Go on after a stop when told to."""
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    pid = os.fork()
    if not pid:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.execvp(args[0], args)
    os.write(said, f"{pid}\n".encode())
    while True:
        _, status = os.waitpid(pid, os.WUNTRACED)
        os.tcsetpgrp(0, os.getpgrp())
        flags = termios.tcgetattr(0)[3] & (termios.ICANON | termios.ECHO)
        stopped = os.WIFSTOPPED(status)
        os.write(said, f"{'stopped' if stopped else os.waitstatus_to_exitcode(status)} {flags}\n".encode())
        if not stopped:
            os._exit(0)
        os.read(go, 1)
        os.tcsetpgrp(0, pid)
        os.killpg(pid, signal.SIGCONT)


class Terminal:
    """A command at a terminal."""

    def __init__(self, *args, rows=24, cols=80, **env):
        said, self.go = os.pipe(), os.pipe()
        leader, self.fd = pty.fork()
        if not leader:
            os.environ.pop("NO_COLOR", None)
            os.environ.update(TERM="xterm", **env)
            try:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("4H", rows, cols, 0, 0))
                lead(args, said[1], self.go[0])
            finally:
                os._exit(1)
        os.close(said[1])
        self.leader = leader
        self.said = os.fdopen(said[0])
        self.text = ""
        self.pid = int(self.said.readline())

    def press(self, keys):
        """Write keys. What was drawn before does not count any more."""
        self.text = ""
        os.write(self.fd, keys.encode())

    def size(self, rows, cols):
        self.text = ""
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("4H", rows, cols, 0, 0))

    def read(self):
        """Read what has come. False: nothing for long, or the terminal is gone."""
        if not select.select([self.fd], [], [], TIME)[0]:
            return False
        try:
            self.text += os.read(self.fd, 65536).decode()
        except OSError:
            return False
        return True

    def window(self, want):
        """Wait for a window that is drawn to its end, and whose lines are as wanted. Return them, or
        what came instead."""
        while True:
            windows = [CODES.sub("", w).split("\r\n") for w in self.text.split("\x1b[H")[1:]]
            found = [w for w in windows if "q quit" in w[-1] and want(w)]
            if found:
                return found[-1]
            if not self.read():
                return [repr(self.text[-2000:])]

    def report(self, text):
        """Wait for the leader's report, after this text of the command. Return it."""
        while text not in self.text and self.read():
            pass
        return self.said.readline().split()

    def resume(self):
        self.text = ""
        os.write(self.go[1], b"x")

    def close(self):
        os.close(self.fd)
        os.waitpid(self.leader, 0)
        self.said.close()
        for fd in self.go:
            os.close(fd)


COOKED = str(termios.ICANON | termios.ECHO)


def title(lines):
    return lines[1] if len(lines) > 1 else ""


def check_channels():
    chans = json.loads(subprocess.run(["nfpchan", "-j", "list"], stdout=subprocess.PIPE, check=True).stdout)
    top = Terminal("nfpchan", "top")
    got = top.window(lambda w: True)
    ok(TAKE in top.text, "top takes the terminal", repr(top.text[:80]))
    same((len(got), f"top: {len(chans)} channels, " in got[0], title(got).split()[:3]),
         (24, True, ["CHANNEL", "*MSG/S", "BYTE/S"]), "a window of 80x24")
    with subprocess.Popen(["nfpchan", "send", "sink", "x" * 100, "--count", "1000000000"]) as send:
        got = top.window(lambda w: re.match(r"sink +[1-9]", w[2]))
        ok(re.match(r"sink +[1-9]", got[2] if len(got) > 2 else ""), "the busy channel comes first", got)
        send.kill()
    for key, want in (("n", "*CHANNEL"), ("d", "*DROP/S"), ("b", "*BYTE/S"), ("s", "*STALL/S"),
                      ("i", "*IRQ/S"), ("x", "*IRQ/S"), ("m", "*MSG/S")):
        top.press(key)
        got = top.window(lambda w, want=want: want in w[1])
        ok(want in title(got), f"key {key}", got)
    top.size(50, 200)
    got = top.window(lambda w: len(w) == 50)
    same((len(got), title(got).split()[-5:]), (50, ["MESSAGES", "BYTES", "DROPPED", "STALLED", "IRQS"]),
         "a window of 200x50, after SIGWINCH")
    ok("\x1b[2m" in top.text, "idle channels are dim", repr(top.text[:400]))
    return top


def check_flows(top, traffic):
    with subprocess.Popen(["sh", "-c", f"while :; do nfpchan replay {traffic} -a; done"],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          start_new_session=True) as replay:
        top.press("f")
        # The busiest flow may be one of IPv6.
        got = top.window(lambda w: any(map(FLOW.match, w[2:])))
        ok(any(map(FLOW.match, got[2:])), "flows with their rates", got)
        ok("flows, packets/s: " in got[0], "and what the meter counts", got[0])
        once = subprocess.run(["nfpchan", "top", "--once", "--flows"], capture_output=True, text=True,
                              check=False, timeout=TIME)
        same((once.returncode, once.stdout, "exclusive" in once.stderr), (1, "", True),
             "a second reader is told that the channel is in use")
        top.press("c")
        top.window(lambda w: "CHANNEL" in w[1])
        while subprocess.run(["nfpchan", "-j", "info", "flows"], stdout=subprocess.PIPE,
                             check=True).stdout.find(b'"pipes":0') < 0:
            pass
        once = subprocess.run(["nfpchan", "top", "--once", "--flows"], capture_output=True, text=True,
                              check=False, timeout=TIME)
        ok(once.returncode == 0 and FLOW.search(once.stdout) and "\x1b" not in once.stdout,
           "--once --flows prints flows of one interval", f"{once.stdout}{once.stderr}")
        os.killpg(replay.pid, signal.SIGKILL)


def check_signals(top):
    top.press("\x1a")
    same((top.report(RESTORE), RESTORE in top.text), (["stopped", COOKED], True),
         "Ctrl-Z: the terminal is restored")
    top.resume()
    got = top.window(lambda w: True)
    same((len(got), TAKE in top.text), (50, True), "and taken again when the command goes on")
    top.press("\x03")
    same((top.report(RESTORE), RESTORE in top.text), (["0", COOKED], True), "Ctrl-C: restored")
    top.close()
    for name, end in (("SIGTERM", lambda t: os.kill(t.pid, signal.SIGTERM)),
                      ("SIGINT", lambda t: os.kill(t.pid, signal.SIGINT)),
                      ("q", lambda t: os.write(t.fd, b"q"))):
        top = Terminal("nfpchan", "top", NO_COLOR="1")
        top.window(lambda w: True)
        ok("\x1b[7m" in top.text and not re.search(r"\x1b\[(2|3\d)m", top.text), "no colours with NO_COLOR",
           repr(top.text[:400]))
        end(top)
        same((top.report(RESTORE), RESTORE in top.text), (["0", COOKED], True), f"{name}: restored")
        top.close()


def check_once():
    chans = subprocess.run(["nfpchan", "list"], stdout=subprocess.PIPE, text=True, check=True).stdout
    got = subprocess.run(["nfpchan", "top", "--once"], capture_output=True, text=True, check=False,
                         timeout=TIME)
    names = sorted(line.split()[0] for line in got.stdout.splitlines()[2:])
    same((got.returncode, got.stderr, "\x1b" in got.stdout, names),
         (0, "", False, sorted(line.split()[0] for line in chans.splitlines()[1:])),
         "--once prints each channel, without escape codes")


def check(traffic):
    """@traffic: a capture with TCP connections, to be replayed at a port"""
    check_once()
    top = check_channels()
    check_flows(top, traffic)
    check_signals(top)
