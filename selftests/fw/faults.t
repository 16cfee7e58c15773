#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: board
"""When an ME process crashes or hangs, nfpboard ends and its log names the process."""

import os
import signal
import socket
import struct
import subprocess
import sys
import tempfile

from tap import SLOW, TREE, done, ok, same

PATIENCE = 120 * SLOW       # seconds
VERSION = 1         # command VERSION of vfio-user, after which the board starts the firmware


class Board:
    """A running board whose process "echo" has @fault, and the board's log."""

    def __init__(self, program, tmp, fault, *args):
        self.path = os.path.join(tmp, "sock")
        self.log = os.path.join(tmp, "log")
        with open(self.log, "wb") as log:
            self.proc = subprocess.Popen(
                [program, "--socket", self.path, "--ready-fd", "1", *args], stderr=log,
                stdout=subprocess.PIPE, cwd=tmp, env=dict(os.environ, FW_FAULT=fault))
        self.proc.stdout.readline()
        self.client = socket.socket(socket.AF_UNIX)

    def power(self):
        """Connect as QEMU does, so that the board starts the firmware."""
        body = struct.pack("<HH", 0, 1) + b"{}\0"
        self.client.connect(self.path)
        self.client.send(struct.pack("<HHIII", 1, VERSION, 16 + len(body), 0, 0) + body)

    def end(self):
        """Wait for the board's end; return its exit status and its log."""
        try:
            status = self.proc.wait(timeout=PATIENCE)
        finally:
            self.proc.kill()
            self.proc.wait()
            self.proc.stdout.close()
            self.client.close()
        with open(self.log, encoding="utf-8") as f:
            return status, f.read()


def crashes(program, tmp):
    for fault, sig, text in (
            ("segv", signal.SIGSEGV, "SIGSEGV at address 0x0\n"),
            ("ill", signal.SIGILL, "SIGILL at address 0x"),
            ("fpe", signal.SIGFPE, "SIGFPE\n"),
            ("bus", signal.SIGBUS, "SIGBUS at address 0x"),
            ("abrt", signal.SIGABRT, "SIGABRT\n"),
            ("overflow", signal.SIGSEGV, "stack overflow (SIGSEGV): ")):
        board = Board(program, tmp, fault)
        board.power()
        status, log = board.end()
        ok("nfpboard: crit: i35.me1.0 echo: " + text in log,
           f"{fault}: the log names process and reason", log)
        same(status, -sig, f"{fault}: the status is the signal's")


def elsewhere(program, tmp):
    board = Board(program, tmp, "")
    board.proc.send_signal(signal.SIGSEGV)
    status, log = board.end()
    ok("nfpboard: crit: SIGSEGV outside of the firmware\n" in log,
       "the log says that a crash was outside of the firmware", log)
    same(status, -signal.SIGSEGV, "the status of that crash is the signal's")


def bugs(program, tmp):
    board = Board(program, tmp, "small")
    board.power()
    status, log = board.end()
    ok("nfpboard: crit: firmware: i35.me1.0 echo: receive of channel 'echo-in': its messages "
       "have up to 2048 bytes, the buffer has 8\n" in log, "small: the log names the channel", log)
    same(status, -signal.SIGABRT, "small: it ends by abort()")


def spins(program, tmp):
    board = Board(program, tmp, "spin", "--set", "watchdog=2")
    board.power()
    status, log = board.end()
    ok("nfpboard: error: i35.me1.0 echo has run for 2 s without a swap"
       " (limit: --set watchdog=)\n" in log, "spin: the log names process and time", log)
    same(status, 3, "spin: the status is 3")

    board = Board(program, tmp, "spin", "--set", "watchdog=3600")
    board.power()
    board.client.recv(4096)     # the firmware runs after the board's answer
    board.proc.terminate()
    status, log = board.end()
    ok("nfpboard: error: i35.me1.0 echo has run for " in log,
       "SIGTERM ends a process that spins", log)
    same(status, 3, "after SIGTERM the status is 3, as for the watchdog")


def works(program, tmp):
    """A process that uses 3 s of CPU time and swaps. Then it ends with abort()."""
    board = Board(program, tmp, "busy", "--set", "watchdog=1")
    board.power()
    status, log = board.end()
    ok(" echo has run for " not in log, "the watchdog does not end a process that swaps", log)
    same(status, -signal.SIGABRT, "that process ends with abort()")


def main():
    with tempfile.TemporaryDirectory() as tmp:
        program = os.path.join(tmp, "board")
        subprocess.run([os.path.join(TREE, "selftests/fw/faulty_board"), program], check=True)
        crashes(program, tmp)
        elsewhere(program, tmp)
        bugs(program, tmp)
        spins(program, tmp)
        works(program, tmp)
    return done()


if __name__ == "__main__":
    sys.exit(main())
