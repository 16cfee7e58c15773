#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Process 1 of the guest of nfpchan-test, after init: offloads the program and runs COMMAND.

It talks to the host by lines of JSON on a virtio port. To the host:
  {"ready": INTERFACE}                       the driver has the card
  {"step": NAME, "status": pass|fail|skip, "text": TEXT, "detail": TEXT}
  {"explain": DOCUMENT}                      what nfpchan xdp explain says
  {"output": TEXT}                           output of COMMAND
  {"end": TEXT}                              it is done; TEXT says what prevents the test, or is empty
From the host:
  {"frames": N}                              N frames of the capture have arrived at the card
"""

import ctypes
import glob
import json
import os
import subprocess
import sys
import time
import traceback

DEV = "eth0"
SHARE = "/run/nfpchan-test/"
COUNTERS = {"pass": "bpf_pass_pkts", "drop": "bpf_app1_pkts", "tx": "bpf_app2_pkts",
            "abort": "bpf_app3_pkts", "error": "dev_rx_errors"}
TRUNCATED = "A frame of which the capture lacks bytes is an error, and no program gets it. Capture " \
            "whole frames (tcpdump -s 0)."
RB_POWER_OFF = 0x4321fedc


class NoTest(Exception):
    """The test cannot be made."""


def port_open():
    for name in glob.glob("/sys/class/virtio-ports/*/name"):
        with open(name, encoding="ascii") as f:
            if f.read().strip() == "nfpchan-test":
                return open("/dev/" + name.split("/")[-2], "r+b", buffering=0)
    raise NoTest("the guest has no port to the host")


class Guest:
    def __init__(self, port, config):
        self.port, self.config = port, config
        self.lines = b""
        self.object = SHARE + config["object"]
        self.prog = config["prog"]
        self.loaded = False

    # ---- the host ----

    def send(self, **what):
        data = json.dumps(what).encode() + b"\n"
        while data:
            data = data[self.port.write(data):]

    def receive(self):
        while b"\n" not in self.lines:
            self.lines += self.port.read(4096)
        line, self.lines = self.lines.split(b"\n", 1)
        return json.loads(line)

    def step(self, name, good, text, detail=""):
        status = "skip" if good is None else "pass" if good else "fail"
        self.send(step=name, status=status, text=text, detail=detail.strip())
        return good

    # ---- the driver ----

    def prepare(self):
        run("ip", "link", "set", "dev", "lo", "up")
        run("modprobe", "nfp")
        if not os.path.exists("/sys/class/net/" + DEV):
            raise NoTest("the driver has made no interface:\n" + kernel_log(0))
        run("ip", "link", "set", "dev", DEV, "up")
        self.send(ready=DEV)

    def explain(self):
        args = ["nfpchan", "xdp", "explain", "--json", "--dev", DEV]
        if self.config["firmware"]:
            args += ["--firmware", self.config["firmware"]]
        done = subprocess.run(args + [self.object], capture_output=True, text=True, check=False)
        if not done.stdout:
            return self.step("explain", False, "the object cannot be read", done.stderr)
        doc = json.loads(done.stdout)
        self.send(explain=doc)
        progs = [p for p in doc["programs"] if self.prog in (None, p["name"])]
        if not progs:
            have = ", ".join(p["name"] for p in doc["programs"]) or "none"
            return self.step("explain", False, "the object has no program %s, but: %s"
                             % (self.prog, have) if self.prog else "the object has no program")
        prog = next((p for p in progs if p["section"].startswith("xdp")), progs[0])
        self.prog = prog["name"]
        issues = prog["issues"] + [i for m in doc["maps"] for i in m["issues"]]
        detail = "\n".join(issue_text(i) for i in issues)
        if prog["offloadable"] != "yes":
            return self.step("explain", False, "%s: offloadable: %s"
                             % (self.prog, prog["offloadable"]), detail)
        return self.step("explain", True, "%s: %u instructions on the card, of %u" % (
            self.prog, prog["instructions"], doc["limits"]["instructions"]), detail)

    def load(self):
        if not self.prog:
            return self.step("load", None, "there is no program")
        before = kernel_lines()
        done = subprocess.run(
            ["ip", "link", "set", "dev", DEV, "xdpoffload", "object", self.object,
             "program", self.prog], capture_output=True, text=True, check=False)
        self.loaded = done.returncode == 0
        if self.loaded:
            return self.step("load", True, "the driver runs %s on the card" % self.prog)
        return self.step("load", False, "the driver refuses %s" % self.prog,
                         done.stdout + done.stderr + kernel_log(before))

    # ---- frames ----

    def packets(self):
        text = output("ethtool", "-S", DEV)
        counters = dict(line.strip().split(": ") for line in text.splitlines()[1:])
        return {name: int(counters[key]) for name, key in COUNTERS.items()}

    def frames(self):
        """Have the capture arrive, and wait until the program has handled all of it."""
        if not self.loaded:
            return self.step("frames", None, "no program is loaded")
        run("ip", "link", "set", "dev", DEV, "promisc", "on")
        want = self.receive()["frames"]
        end = time.monotonic() + self.config["settle"]
        now = self.packets()
        while sum(now.values()) < want and time.monotonic() < end:
            time.sleep(0.05)
            now = self.packets()
        good = sum(now.values()) >= want and not now["error"]
        return self.step("frames", good, "%u frames: %s" % (
            want, ", ".join("%u %s" % (n, name) for name, n in now.items())),
                         TRUNCATED if now["error"] else "")

    def expect(self):
        now = self.packets()
        wrong = ["%s: %u, expected %u" % (name, now[name], n)
                 for name, n in self.config["expect"].items() if now[name] != n]
        return self.step("expect", not wrong, "; ".join(wrong) or ", ".join(
            "%s: %u" % e for e in self.config["expect"].items()))

    # ---- COMMAND ----

    def mount_work(self):
        os.makedirs(self.config["work"], exist_ok=True)
        run("mount", "-t", "9p", "-o", "trans=virtio,version=9p2000.L,msize=262144,cache=mmap",
            "work", self.config["work"])

    def command(self):
        if not self.loaded:
            return self.step("command", None, "no program is loaded")
        argv = self.config["command"]
        try:
            child = subprocess.Popen(argv, cwd=self.config["work"], stdin=subprocess.DEVNULL,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                     env=dict(os.environ, NFPCHAN_DEV=DEV))
        except OSError as e:
            return self.step("command", False, "%s: %s" % (argv[0], e.strerror))
        while data := os.read(child.stdout.fileno(), 65536):
            self.send(output=data.decode(errors="replace"))
        status = child.wait()
        how = "signal %d" % -status if status < 0 else "exit status %d" % status
        return self.step("command", status == 0, "%s: %s" % (" ".join(argv), how))

    def run(self):
        self.prepare()
        if self.config["work"]:
            self.mount_work()
        self.explain()
        self.load()
        if self.config["frames"]:
            self.frames()
        if self.config["command"]:
            self.command()
        if self.loaded:
            if self.config["expect"]:
                self.expect()
            run("ip", "link", "set", "dev", DEV, "xdpoffload", "off")


def issue_text(issue):
    where = "%s:%s: " % (issue["file"], issue["line"]) if "file" in issue else ""
    return "%s%s: %s\n  %s" % (where, issue["severity"], issue["text"], issue["advice"])


def output(*argv):
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoTest("%s: %s" % (" ".join(argv), done.stderr.strip()))
    return done.stdout


def run(*argv):
    output(*argv)


def kernel_lines():
    return len(output("dmesg").splitlines())


def kernel_log(first):
    return "\n".join(line for line in output("dmesg").splitlines()[first:] if "nfp" in line)


def power_off(libc):
    libc.sync()
    libc.reboot(RB_POWER_OFF)


def main():
    os.environ.update(PATH="/usr/sbin:/usr/bin", HOME="/root", LANG="C.UTF-8", TERM="dumb")
    guest, libc = None, ctypes.CDLL(None)
    try:
        port = port_open()
        with open(SHARE + "config.json", encoding="utf-8") as f:
            guest = Guest(port, json.load(f))
        guest.run()
        guest.send(end="")
    except Exception as e:      # the host gets it, because this process has no other reader
        text = str(e) if isinstance(e, NoTest) else traceback.format_exc()
        if guest:
            guest.send(end=text)
        else:
            print(text, file=sys.stderr)
    finally:
        power_off(libc)


main()
