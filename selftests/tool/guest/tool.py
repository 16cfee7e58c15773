#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Guest side of nfpchan.t: runs the installed programs and compares their output."""

import fcntl
import grp
import json
import os
import re
import shlex
import signal
import struct
import subprocess
import sys
import tempfile

import json_keys
from tap import SLOW, done, same

IOC_OPEN = 0xe1 << 8 | 0x02

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))))


def run(*args, text=None, stdin=subprocess.DEVNULL):
    """(exit status, stdout, stderr) of a command."""
    got = subprocess.run(args, capture_output=True, check=False, timeout=60 * SLOW,
                         input=text, stdin=None if text else stdin)
    return got.returncode, got.stdout.decode(), got.stderr.decode()


def start(*args):
    """Start an nfpchan command, with its output in a pipe. Lines may be read before end()."""
    return subprocess.Popen(["nfpchan", *args], stdout=subprocess.PIPE, bufsize=0,
                            stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)


def end(process):
    """Wait for a started command: (exit status, stdout, stderr)."""
    out, err = process.communicate(timeout=60 * SLOW)
    return process.returncode, out.decode(), err.decode()


def document(*args):
    """The JSON document that a command prints; on an error, None."""
    status, out, err = run("nfpchan", *args)
    try:
        doc = json.loads(out)
    except ValueError:
        doc = None
    if status or doc is None:
        print(f"# {args}: status {status}: {out}{err}")
    return doc


# A sample of the text format of Prometheus: name, labels, value
SAMPLE = re.compile(r'nfpchan_(\w+)_total\{card="(.*)",channel="(.*)",direction="(.*)"\} (\d+)$')
METRICS = {"messages": "msgs", "bytes": "bytes", "dropped": "dropped", "stalls": "stalled",
           "interrupts": "irqs", "signals": "signals", "repeats": "repeated"}


def check_prometheus(pci):
    """stats --prometheus has the counters of stats --json."""
    dirs = {c["name"]: c["dir"] for c in document("list", "--json")}
    want = [(metric, pci, c["name"], dirs[c["name"]], str(c[key]))
            for metric, key in METRICS.items() for c in document("stats", "--json")]
    status, out, err = run("nfpchan", "stats", "--prometheus")
    lines = out.splitlines()
    same((status, err, [SAMPLE.match(line).groups() for line in lines if line[0] != "#"]),
         (0, "", want), "stats --prometheus")
    same([line.split(None, 3)[1:3] for line in lines if line[0] == "#"],
         [[what, f"nfpchan_{m}_total"] for m in METRICS for what in ("HELP", "TYPE")],
         "with the help and the type of each metric")
    status, out, err = run("nfpchan", "stats", "-p", "tick", "nope")
    same((status, len([line for line in out.splitlines() if line[0] != "#"]), "nope: " in err),
         (1, len(METRICS), True), "of one channel that is there, and one that is not")
    check_metrics_service(lines)


def check_metrics_service(lines):
    """The command of the service for the node exporter writes what the command prints."""
    with open(f"{TREE}/userspace/systemd/nfpchan-metrics@.service", encoding="ascii") as f:
        command = re.search(r"^ExecStart=(.*)$", f.read(), re.M)[1].replace("%i", "0")
    with tempfile.TemporaryDirectory() as folder:
        got = subprocess.run(shlex.split(command), check=False,
                             env=dict(os.environ, FOLDER=folder)).returncode
        with open(f"{folder}/nfpchan0.prom", encoding="ascii") as f:
            same((got, os.listdir(folder), [line.split(" ")[0] for line in f.read().splitlines()]),
                 (0, ["nfpchan0.prom"], [line.split(" ")[0] for line in lines]),
                 "nfpchan-metrics@0.service writes them to a file")


def check_tables():
    """list, info and stats print the same as text and as JSON."""
    chans = document("list", "--json")
    names = [c["name"] for c in chans]
    same({"flows", "flow-ctl", "echo-in", "echo-out"} <= set(names), True, "list --json")
    status, out, _ = run("nfpchan", "list")
    same((status, [line.split()[0] for line in out.splitlines()]), (0, ["CHANNEL", *names]),
         "list has the same channels, in the same order")
    by_name = {c["name"]: c for c in chans}
    same((by_name["rv-in"]["depth"], by_name["rv-in"]["dir"], by_name["flows"]["exclusive"],
          by_name["tick"]["signal"], by_name["flows"]["elem_size"]),
         (0, "to-nfp", True, True, 80), "list --json has the properties")
    same(document("info", "echo-in", "--json"), by_name["echo-in"], "info of one is the same")
    places = {line.split()[0]: " ".join(line.split()[6:8]) for line in out.splitlines()}
    same((places["echo-in"], places["flows"], places["frames-out"], places["xdp0"],
          by_name["flows"]["process"]),
         ("i35.me1.0 echo", "i32.me0.0 flowmeter", "i32.me1.2 frames-out", "i35.me0.0 xdp-event-0",
          "flowmeter"), "list has the context and the name of the ME process")
    same(run("nfpchan", "info", "tick")[1].splitlines()[3],
         "process     i35.me3.1 tick: island 35, ME 3, context 1", "info, too")
    words = run("nfpchan", "completion", "words", "--", "--card", "0", "info", "")[1]
    same([w.split("\t")[0] for w in words.splitlines()], names, "completion offers the channels")
    words = run("nfpchan", "completion", "words", "--", "xdp", "watch", "--channel", "")[1]
    same([w.split("\t")[0] for w in words.splitlines()], [n for n in names if by_name[n]["xdp"]],
         "and those that take events, where these are wanted")
    card = document("--json", "info")
    same((card["channels"], card["abi_major"], card["pipes_used"], card["held_bytes"]),
         (len(names), 3, 0, 0),
         "info --json of the card")
    status, out, _ = run("nfpchan", "info", "-c", card["pci"])
    same((status, card["pci"] in out and card["fw_name"] in out), (0, True),
         "info of the card by its PCI function")
    same(run("nfpchan", "-c", "0", "info")[1], out, "and by its number")
    same([s["name"] for s in document("stats", "--json")], names, "stats --json")
    same([json.loads(line) for line in run("nfpchan", "list", "-J")[1].splitlines()], chans,
         "list --json-lines has the same objects")
    same(run("nfpchan", "info", "-J")[1], run("nfpchan", "info", "-j")[1],
         "info --json-lines is one line, as it is with --json")
    check_prometheus(card["pci"])
    status, out, _ = run("nfpchan", "stats", "tick", "once")
    same((status, [line.split()[0] for line in out.splitlines()]),
         (0, ["CHANNEL", "tick", "once"]), "stats of two channels")
    same(run("nfpchan", "stats", "nope")[0::2],
         (1, "nfpchan: nope: no such channel in the firmware's table. nfpchan list prints the names\n"),
         "stats of none")
    near = "no such channel in the firmware's table. Did you mean \"echo-in\"? nfpchan list"
    for args in (("send", "ecko-in", "x"), ("info", "echo-inn"), ("signal", "ehco-in"),
                 ("link", "echo-out", "echoin"), ("-c", "0", "stats", "cho-in")):
        status, out, err = run("nfpchan", *args)
        card = " -c 0" if "-c" in args else ""
        same((status, "echo" in out, f"{near}{card} prints the names\n" in err), (1, False, True),
             f"{' '.join(args)} names the channel that was meant")


def check_keys():
    """nfpchan-json(5) describes what these commands print. Others are compared where they run."""
    for name, *args in (("list",), ("info CHANNEL", "tick"), ("info",), ("stats",), ("stats", "tick"),
                        ("send", "sink", "text")):
        json_keys.check(name, document(name.split()[0], *args, "--json"))


def check_messages():
    """send and recv, with their options."""
    recv = start("recv", "echo-out", "--count", "3")
    same(run("nfpchan", "send", "echo-in", "plain text"), (0, "", ""), "send says nothing")
    same(run("nfpchan", "send", "echo-in", "-", text=b"from\nstdin"), (0, "", ""), "send -")
    sent = document("send", "echo-in", "--hex", "00Ff5c", "--json")
    same(sent, {"channel": "echo-in", "sent": 1, "bytes": 3}, "send --hex --json")
    same(end(recv), (0, "plain text\nfrom\\x0astdin\n\\x00\\xff\\x5c\n", ""), "recv as text")

    for option, want in (("--hex", "616263\n616263\n"), ("--raw", "abcabc")):
        recv = start("recv", "echo-out", "--count", "2", option)
        run("nfpchan", "send", "echo-in", "abc", "--count", "2")
        same(end(recv), (0, want, ""), f"recv {option}")
    recv = start("recv", "echo-out", "--count", "2", "--json")
    run("nfpchan", "send", "echo-in", "a\"b")
    run("nfpchan", "send", "echo-in", "--hex", "80")
    status, out, _ = end(recv)
    json_keys.check("recv", json.loads(out))
    same((status, json.loads(out)), (0, [{"len": 3, "hex": "612262", "text": "a\"b"},
                                         {"len": 1, "hex": "80"}]), "recv --json")

    recv = start("recv", "echo-out", "--json-lines")
    for word in ("first", "second"):
        run("nfpchan", "send", "echo-in", word)
        same(json.loads(recv.stdout.readline()),
             {"len": len(word), "hex": word.encode().hex(), "text": word},
             f"recv --json-lines: the {word} message is there while the command runs")
    recv.send_signal(signal.SIGINT)
    same(end(recv), (0, "", ""), "and nothing is printed at the end")

    path = os.path.join(TREE, "build", "tool-message")
    with open(path, "wb") as f:
        f.write(bytes(range(256)) * 8)
    recv = start("recv", "echo-out", "--count", "1", "--hex")
    same(run("nfpchan", "send", "echo-in", "--file", path)[0], 0, "send --file of max_size")
    same(end(recv)[1], (bytes(range(256)) * 8).hex() + "\n", "arrives whole")
    with open(path, "ab") as f:
        f.write(b"x")
    same(run("nfpchan", "send", "echo-in", "--file", path),
         (1, "", "nfpchan: echo-in: message of 2049 bytes, the channel takes at most 2048\n"),
         "one byte more is refused")
    with open(path, "ab") as f:
        f.truncate(3000)
    same(run("nfpchan", "send", "echo-in", "--file", path),
         (1, "", "nfpchan: echo-in: message of 3000 bytes, the channel takes at most 2048\n"),
         "the size of a larger file is named")
    with open(path, "rb") as f:
        f.seek(500)
        same(run("nfpchan", "send", "echo-in", "-", stdin=f)[2],
             "nfpchan: echo-in: message of 2500 bytes, the channel takes at most 2048\n",
             "and the size of the rest of one")
    same(run("nfpchan", "send", "echo-in", "-", text=bytes(3000)),
         (1, "", "nfpchan: echo-in: message of 2049 bytes or more, the channel takes at most "
          "2048\n"), "of a pipe the size is a lower bound")
    same(run("nfpchan", "send", "echo-in", "--file", "/dev/zero")[0], 1,
         "and an endless file is not read on")
    os.unlink(path)
    same(run("nfpchan", "send", "echo-in", "--file", "/etc"),
         (1, "", "nfpchan: /etc: Is a directory\n"), "what cannot be read is not sent")
    same(run("nfpchan", "recv", "echo-out", "--timeout", "0")[0], 3, "nor anything else")


def check_large():
    """send --file of a file that does not fit into one message."""
    path = os.path.join(TREE, "build", "tool-large")
    size = (65 << 20) + 5
    with open(path, "wb") as f:
        f.truncate(size)
    before = document("stats", "sink", "--json")[0]["bytes"]
    same(document("send", "sink", "--file", path, "--json")["bytes"], size, "a large file")
    same(document("stats", "sink", "--json")[0]["bytes"] - before, size, "is sent whole")
    os.unlink(path)


def check_interrupt():
    """recv ends on SIGTERM, also while more data is there all the time."""
    total = 16 << 20
    path = os.path.join(TREE, "build", "tool-source")
    with open(path, "wb") as f:
        f.write(struct.pack("<QII", total, 4096, 0))
    with start("recv", "source", "--hex") as recv:
        wait_pipes("source", 1)
        same(run("nfpchan", "send", "source-ctl", "--file", path)[0], 0, "a long stream")
        recv.stdout.read(total // 64)
        recv.send_signal(signal.SIGTERM)
        same(len(recv.stdout.read()) < total, True, "recv is interrupted in the middle of it")
        same(recv.wait(), 0, "and ends with status 0")
    # The rest of the stream waits for the next receiver
    with open("/dev/full", "wb") as full, \
            subprocess.Popen(["nfpchan", "recv", "source", "--hex"], stdout=full,
                             stderr=subprocess.PIPE) as recv:
        same((recv.stderr.read(), recv.wait()),
             (b"nfpchan: standard output: No space left on device\n", 1),
             "nor does it go on when nobody gets what it prints")
    os.unlink(path)


def check_streams():
    """send and recv of a stream: any number of bytes, in parts."""
    path = os.path.join(TREE, "build", "tool-stream")
    want = bytes(i * 7 % 251 for i in range(200000))
    with open(path, "wb") as f:
        f.write(want)
    with subprocess.Popen(["nfpchan", "recv", "loop-out", "--raw"],
                          stdout=subprocess.PIPE) as recv:
        wait_pipes("loop-out", 1)
        # Rings and pipe may be too small for all of it, so the send ends only when it is read.
        send = start("send", "loop-in", "--file", path)
        got = recv.stdout.read(len(want))
        same(end(send), (0, "", ""), "send of a stream")
        recv.send_signal(signal.SIGINT)
        recv.wait()
    same(got == want, True, "recv --raw: all that was sent, in order")
    os.unlink(path)
    same(run("nfpchan", "send", "loop64-in", "x")[0::2],
         (1, "nfpchan: loop64-in: 1 bytes, the stream's elements have 64\n"),
         "part of an element is refused")
    info = document("info", "loop64-in", "--json")
    same((info["kind"], info["elem_size"]), ("stream", 64), "info says what it carries")


def check_rendezvous():
    """A channel of depth 0: a send whose message nobody receives takes it back."""
    # The ME process takes one message, then waits until its answer is received
    run("nfpchan", "send", "rv-in", "first")
    same(run("nfpchan", "send", "rv-in", "second", "--timeout", "50"),
         (3, "", "nfpchan: rv-in: 0 of 1 messages sent, the last one was not taken within 50 ms\n"),
         "send to a process that does not receive times out")
    same(run("nfpchan", "recv", "rv-out", "--count", "1")[:2], (0, "first\n"),
         "what was sent before is received")
    same(run("nfpchan", "recv", "rv-out", "--timeout", "50")[0::2],
         (3, "nfpchan: rv-out: no message within 50 ms, 0 came before\n"),
         "what timed out was not delivered")


def check_signals():
    """signal, and interrupts of recv."""
    recv = start("recv", "tick", "--count", "1", "--hex")
    wait_pipes("tick", 1)
    same(run("nfpchan", "signal", "tick"), (0, "", ""), "signal")
    same(end(recv)[:2], (0, "0100000000000000\n"), "the ME process got the signal")
    doc = document("signal", "tick", "--json")
    same(doc, {"channel": "tick", "signalled": True}, "signal --json")
    json_keys.check("signal", doc)
    same(run("nfpchan", "signal", "echo-in")[0::2],
         (1, "nfpchan: echo-in: its ME process takes no signals\n"), "signal to a deaf process")
    recv = start("recv", "echo-out", "--json")
    wait_pipes("echo-out", 1)
    recv.send_signal(signal.SIGINT)
    status, out, err = end(recv)
    same((status, out, err), (0, "[]\n", ""), "recv --json ends with status 0 when interrupted")
    recv = start("recv", "once")
    wait_pipes("once", 1)
    run("nfpchan", "signal", "once")
    status, out, err = end(recv)
    same((status, out, err),
         (1, "\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\n",
          "nfpchan: once: the ME process has ended after message 1\n"),
         "the last message, then the end of the process")
    same(run("nfpchan", "recv", "once"),
         (1, "", "nfpchan: once: its ME process has ended; only a restart of the firmware starts "
          "it again\n"), "a later receiver learns why nothing comes")


def check_rights():
    """The message for a user who may not open the node has the group that may."""
    node = "/dev/nfp_chan0"
    pci = document("info", "--json")["pci"]
    was = os.stat(node)
    group = grp.getgrgid(1).gr_name
    os.chown(node, 1, 1)
    os.chmod(node, 0o660)
    # Neither the owner nor in the group, and without CAP_DAC_OVERRIDE
    other = ("setpriv", "--clear-groups", "--bounding-set=-dac_override,-dac_read_search",
             "nfpchan")
    for name, args in (("(first)", ()), ("0", ("-c", "0")), (pci, ("-c", pci))):
        same(run(*other, "list", *args),
             (1, "", f"nfpchan: card {name}: no permission to open {node}: group {group} has it "
              f"(usermod -aG {group} USER, then a new login)\n"), f"card {name} without rights")
    os.chown(node, was.st_uid, was.st_gid)
    os.chmod(node, was.st_mode & 0o7777)
    same(run(*other, "list")[0], 0, "with them it can be opened")


def check_moderation():
    """info and list print how interrupts of the open pipes are held back."""
    form = "=II32sIiIIiiQ"      # struct nfp_chan_open
    req = struct.pack(form, struct.calcsize(form), 0, b"tick", 0, -1, 32, 1000, -1, -1, 0)
    same(document("info", "tick", "--json")["irq_usecs"], 0, "info: nothing is open")
    card = os.open("/dev/nfp_chan0", os.O_RDWR)
    pipe = struct.unpack(form, fcntl.ioctl(card, IOC_OPEN, req))[4]
    doc = document("info", "tick", "--json")
    same((doc["pipes"], doc["irq_count"], doc["irq_usecs"]), (1, 32, 1000), "info --json")
    same("interrupts  held back for 32 messages or 1000 us\n" in run("nfpchan", "info", "tick")[1],
         True, "info")
    lines = [line.split() for line in run("nfpchan", "list")[1].splitlines() if "irq=" in line]
    same([(line[0], line[-1]) for line in lines], [("tick", "irq=32/1000us")], "list")
    os.close(pipe)
    os.close(card)
    same("not held back" in run("nfpchan", "info", "tick")[1], True, "info: closed again")


def check_links():
    """link: two links in series last until interrupted, and then print their counters."""
    with start("link", "load", "echo-in", "--interval", "10") as first, \
            start("link", "echo-out", "pit") as second:
        same((first.stdout.readline(), second.stdout.readline()),
             (b"load -> echo-in: linked\n", b"echo-out -> pit: linked\n"), "link")
        path = os.path.join(TREE, "build", "tool-load")
        with open(path, "wb") as f:
            f.write(struct.pack("<IIII", 5000, 64, 1, 7))
        run("nfpchan", "send", "load-ctl", "--file", path)
        os.unlink(path)
        line = b""
        while b": 5000 messages, 320000 bytes, 0 dropped, " not in line:
            line = first.stdout.readline()
        same(line.split(b":")[0], b"load -> echo-in", "counters at intervals")
        while document("info", "pit", "--json")["pipes"] and \
                document("stats", "echo-out", "--json")[0]["msgs"] < 5000:
            pass
        second.send_signal(signal.SIGTERM)
        status, out, err = end(second)
        same((status, out.split(", ")[:3], err),
             (0, ["echo-out -> pit: 5000 messages", "320000 bytes", "0 dropped"], ""),
             "interrupted, it tells what it has carried")
        first.send_signal(signal.SIGINT)
        same(first.wait(), 0, "the other link prints them as well")
    want = {"from": "echo-out", "to": "pit", "msgs": 0, "bytes": 0, "dropped": 0, "stalled": 0}
    with start("link", "echo-out", "pit", "--json-lines", "--interval", "10") as link:
        same([json.loads(link.stdout.readline()) for _ in range(2)], [want, want],
             "link --json-lines at intervals")
        link.send_signal(signal.SIGTERM)
        status, out, err = end(link)
        same((status, [json.loads(line) for line in out.splitlines()][-1], err), (0, want, ""),
             "and at the end")
    with start("link", "echo-out", "pit", "--json") as link:
        wait_pipes("pit", 1)
        link.send_signal(signal.SIGTERM)
        status, out, err = end(link)
        same((status, json.loads(out), err),
             (0, [want], ""), "link --json")
        json_keys.check("link", json.loads(out))
    with start("link", "rv-out", "echo-in", "--command", "4e414741ffffffff", "--state", "u32,4,2") as link:
        same(link.stdout.readline(), b"rv-out -> echo-in: linked\n", "link with a command that counts")
        fronts = []
        for _ in range(2):
            run("nfpchan", "send", "rv-in", "--hex", "01020304")
            got = run("nfpchan", "recv", "echo-out", "--count", "1", "--timeout", "10000", "--hex")[1]
            fronts.append(got.replace(" ", "")[:16])
        same(fronts, ["4e414741ffffffff", "4e41474101000000"], "each message has the command")
        link.send_signal(signal.SIGTERM)
        same(end(link)[0], 0, "interrupted")
    for args in (["-x", "4e4147"], ["-x", "4e41474x"], ["-x", "4e414741", "-s", "u16,0,1"],
                 ["-s", "u32,0,4294967296"], ["-s", "u32,0"]):
        status, _, err = run("nfpchan", "link", "tick", "echo-in", *args)
        same((status, args[-1] in err), (2, True), f"link {' '.join(args)}")
    status, _, err = run("nfpchan", "link", "tick", "echo-in", "-x", "4e414741", "-s", "u32,4,1")
    same((status, "at a multiple of 4" in err), (1, True), "link with a state behind its command")
    same(run("nfpchan", "link", "load", "sink"),
         (1, "", "nfpchan: load: a stream cannot be linked with a channel of messages\n"),
         "link of what cannot be linked")
    same(run("nfpchan", "link", "load")[0], 2, "link without a second channel")


def wait_pipes(channel, want):
    """Wait until a channel has @want open pipes."""
    while document("info", channel, "--json")["pipes"] != want:
        pass


def check_examples():
    """The examples of the documentation work."""
    words = ["one", "two words", "\u00fcnicode", "x" * 2000]
    lines = "".join(w + "\n" for w in words)
    status, out, err = run("chan_echo", *words)
    same((status, out, err.split()[:2]), (0, lines, ["4", "messages,"]), "chan_echo.c")
    example = os.path.join(TREE, "userspace/examples/chan_echo.py")
    # Enough data for the ring to wrap round many times
    words = [f"message {i} " + "y" * (i * 13 % 2000) for i in range(100)]
    lines = "".join(w + "\n" for w in words)
    same(run(example, *words), (0, lines, ""), "chan_echo.py")


def check_flows():
    """Options of nfpchan flows that flows.t does not test."""
    flows = start("flows", "--json-lines", "--count", "5")
    first = json.loads(flows.stdout.readline())
    status, out, err = end(flows)
    *records, last = map(json.loads, out.splitlines())
    same((status, len(records), last["complete"]), (0, 4, True),
         f"flows --json-lines --count 5 {err}")
    json_keys.check("flows", {"flows": [first, *records], **last})
    same(["src" in r for r in (first, *records, last)], [True] * 5 + [False],
         "five lines are records, and the last one has the totals")

    flows = start("flows", "--json", "--flush", "--follow")
    wait_pipes("flows", 1)
    same(run("nfpchan", "flows")[0::2],
         (1, "nfpchan: flows: the channel is exclusive, and open already\n"),
         "a second reader is told")
    while document("stats", "flow-ctl", "--json")[0]["msgs"] < 4:
        pass
    # The flush may be under way now or may have been answered: both must end with status 0
    flows.send_signal(signal.SIGTERM)
    status, out, err = end(flows)
    doc = json.loads(out)
    same((status, doc["complete"], doc["active"]), (0, True, 0),
         f"flows --flush --follow ends well when interrupted {err}".strip())
    c = doc["counters"]
    same(doc["packets"] + sum(c.values()), doc["seen"], "packets and counters are those seen")

    status, out, _ = run("nfpchan", "flows", "--flush", "--quiet", "0")
    lines = [line.rsplit(None, 1) for line in out.splitlines() if line]
    same((status, ["packets in flows", str(doc["packets"])] in [[a.strip(), b] for a, b in lines]),
         (0, True), "the totals as text are the same")


def main():
    check_tables()
    check_keys()
    check_messages()
    check_streams()
    check_interrupt()
    check_links()
    check_large()
    check_rendezvous()
    check_moderation()
    check_signals()
    check_rights()
    check_examples()
    check_flows()
    same(document("--json", "info")["pipes_used"], 0, "nothing is left open")
    return done()


if __name__ == "__main__":
    sys.exit(main())
