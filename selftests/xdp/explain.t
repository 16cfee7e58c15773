#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm long
# build: build/host/bin/nfpchan
"""Compare nfpchan xdp explain with the driver. A program that it calls offloadable loads, and
has the length that it tells. A program that it calls not offloadable is refused. Programs of
selftests/xdp/refused have marks for the reason and the line that it has to name."""

import glob
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

import json_keys
from cases import cases
from tap import SLOW, TREE, done, ok, same

# Programs that are not loaded: the first keeps the verifier busy for minutes in a VM, and the
# others crash the driver by null pointers or by a division by 0.
NOT_LOADED = ("loop_long", "open_copy", "div_zero", "value_unwritten")
MARK = re.compile(r"/\* (refused|warns|notes|unknown)( whole)?: ([a-z0-9, -]+) \*/")
# A card with other firmware: the command and the driver refuse the program
NO_BPF = """object=build/guest/xdp/count.o
doc=$(nfpchan --json xdp explain --dev eth0 $object)
echo "DEVICE nic $? $doc"
! ip link set dev eth0 xdpoffload obj $object sec xdp 2>/dev/null"""
# Limited firmware: it lacks helpers that some programs use, and room for long programs
LESS = {"helpers": "lookup,update,event,adjust_tail,queue", "words": "300"}
# The command follows the verifier of 6.12. The newest kernel's verifier accepts these programs
# as well, or removes other parts of them.
ALWAYS = "an array has a value for each constant key in its bounds"
NEWER = {
    "call_depth": "functions go 16 deep",
    "event_changes": ALWAYS,
    "known_event_count": ALWAYS,
    "mul_quotient": "a quotient has bounds",
    "null_missing": ALWAYS,
    "swap": "another length, for an unknown reason",
    "syn_digest": "another length, for an unknown reason",
} if os.environ.get("NFPCHAN_KERNEL") == "7" else {}
SOURCES = {"xdp": "selftests/xdp/programs/*.c", "xdp-refused": "selftests/xdp/refused/*.c"}
# Functions of the firmware, each with a program that needs it
HELPERS = {"lookup": "two_maps", "update": "hash", "delete": "hash_flags", "event": "event",
           "adjust_head": "head_grow", "adjust_tail": "tail_shrink", "random": "random",
           "queue": "move"}
WORDS = {"error": "refused", "warning": "warns", "note": "notes", "unknown": "unknown"}


def objects(folder):
    """Return {name: path} of the objects that were built from a folder's programs."""
    found = {os.path.basename(p)[:-2]: p
             for p in sorted(glob.glob(f"build/guest/{folder}/*.o"))}
    sources = cases(SOURCES[folder])
    for name in found:
        if not (name in sources or
                os.path.exists(f"userspace/examples/{folder}/{name}.c")):
            sys.exit(f"explain.t: build/guest/{folder}/{name}.o has no source: make clean")
    return found


def explain(path, *options, firmware="full"):
    """Run the command on the host. Return (exit status, document), without programs of section
    "card": these describe in C what the JIT makes of another program."""
    got = subprocess.run(["build/host/bin/nfpchan", "--json", "xdp", "explain", *options,
                          *(("--firmware", firmware) if firmware else ()), path],
                         capture_output=True, text=True, check=False, timeout=120 * SLOW)
    if not got.stdout:
        return got.returncode, got.stderr
    doc = json.loads(got.stdout)
    model = [p for p in doc["programs"] if p["section"] == "card"]
    doc["programs"] = [p for p in doc["programs"] if p not in model]
    return 0 if model else got.returncode, doc


def issues(doc):
    """Return {(kind, reason, line)}. line is None if the issue belongs to no line."""
    return {(WORDS[i["severity"]], i["reason"], i.get("line"))
            for part in doc["maps"] + doc["programs"] for i in part["issues"]
            if i["reason"] != "helper-assumed"}


def expected(case):
    """Return the issues that the marks in a case require."""
    want = set()
    for number, line in enumerate(case.lines, case.first):
        for kind, whole, why in MARK.findall(line):
            want |= {(kind, w, None if whole else number) for w in why.split(", ")}
    return want


def in_vm(*args, board=("firmware=full",)):
    """Return the output of a command in the VM."""
    options = [o for b in board for o in ("--board", b)]
    # A kernel with UBSAN reports the shift of known_call_byte (KNOWN.rst).
    known = ["--known", r"UBSAN: shift-out-of-bounds in .*/nfp/bpf/jit\.c:"]
    got = subprocess.run(["scripts/vm", "--timeout", "500", *known, *options, "--", *args],
                         stdout=subprocess.PIPE, text=True, check=False,
                         stdin=subprocess.DEVNULL)
    if got.returncode:
        print(got.stdout)
        sys.exit(f"explain.t: scripts/vm: status {got.returncode}")
    return got.stdout


def check_driver(path, doc, status, truth):
    """Compare the command's result with the driver's."""
    name = os.path.basename(path)[:-2]
    verdicts = {p["offloadable"] for p in doc["programs"]}
    took, rest = truth
    if name in NEWER:
        same(took, "yes", f"{name}: loads on this kernel: {NEWER[name]}")
    elif verdicts == {"yes"}:
        words = sum(p["instructions"] for p in doc["programs"])
        same((status, took, rest), (0, "yes", str(words)), f"{name}: loads, with {words} words")
    elif "no" in verdicts:
        same((status, took), (1, "no"), f"{name}: is refused ({rest[:60]})")
    else:
        same(status, 4, f"{name}: explain does not know ({took})")


def check_device(lines):
    """Check the results of the command in the VM, with --dev."""
    docs = {}
    for line in lines:
        label, status, doc = line.split(" ", 2)
        docs[label] = (int(status), json.loads(doc))

    def reasons(label):
        doc = docs[label][1]
        return {i["reason"] for part in [doc["device"], *doc["maps"], *doc["programs"]]
                for i in part["issues"] if i["severity"] != "note" or i["reason"] ==
                "device-attached"}

    status, doc = docs["plain"]
    same((status, reasons("plain"), doc["device"]["driver"], doc["device"]["maps"]),
         (0, set(), "nfp", 0), "a port of the card: no obstacle")
    json_keys.check("xdp explain", doc)
    same(doc["limits"]["firmware"], "nfp-chan-full", "the firmware of the interface")
    same((doc["limits"]["read_from_card"], doc["limits"]["instructions"],
          doc["limits"]["stack"], doc["limits"]["packet_bytes"]), (True, 2560, 512, 2016),
         "the limits were read from the card")
    status, doc = docs["user"]
    same((status, doc["limits"]["read_from_card"], "maps" in doc["device"]), (0, False, False),
         "without privilege the limits are assumed, and marked as such")
    same((docs["lo"][0], reasons("lo")), (1, {"device-driver"}), "lo is not a card")
    status, doc = docs["attached"]
    same((status, reasons("attached"), doc["device"]["attached"] > 0),
         (0, {"device-attached"}, True), "a program that is attached can be replaced")
    same((docs["mtu"][0], reasons("mtu")), (1, {"device-mtu"}),
         "an MTU larger than programs can reach")
    same((docs["full"][0], reasons("full")), (1, {"map-entries"}), "no map entries are left")
    same((docs["full"][1]["device"]["maps"], docs["full"][1]["device"]["entries"]),
         (1, 2047950), "maps on the card were counted")
    same((docs["tc"][0], reasons("tc")), (1, {"device-tc"}), "a tc program prevents XDP")
    status, doc = docs["nic"]
    same((status, reasons("nic"), doc["device"]["driver"], doc["limits"]["read_from_card"]),
         (1, {"device-firmware"}, "nfp", False), "a card without BPF firmware")
    same([i["text"].split()[-1] for i in doc["device"]["issues"]], ["nic"],
         "the name of the card's application")


def loads(lines):
    """Return {path: (whether the driver accepted it, its length or the error)}."""
    found = {}
    for line in lines:
        if line.startswith("LOAD "):
            _, path, took, rest = line.split(" ", 3)
            found[path] = (took, rest)
    return found


def check_card(good, board, why, *options, firmware=None):
    """Compare with a card that offers less. The programs are refused for the reasons @why."""
    # programs.t uses the known_ programs.
    paths = [p for n, p in good.items() if not n.startswith("known_")]
    truth = loads(in_vm("build/guest/test/xdp_load", "eth0", *paths, board=board).splitlines())
    named = set()
    for path in paths:
        status, doc = explain(path, *options, firmware=firmware)
        named |= {r for k, r, _ in issues(doc) if k == "refused"}
        check_driver(path, doc, status, truth[path])
    ok(why <= named, f"programs are refused for {', '.join(sorted(why))}", named)


def check_less(good):
    """The public firmware, which the command has as its default; and firmware with less, which the
    command knows from its options."""
    check_card(good, ("firmware=public",), {"firmware-helper"})
    check_card(good, ("firmware=full", *(f"bpf-{k}={v}" for k, v in LESS.items())),
               {"firmware-helper", "too-long"},
               *(o for k, v in LESS.items() for o in (f"--{k}", v)), firmware="full")


def check_told(good):
    """Check firmware without one helper, and firmware with room for one word less."""
    for name, program in HELPERS.items():
        rest = ",".join(n for n in HELPERS if n != name)
        for helpers, want in ((rest, (1, {"firmware-helper"})),
                              (f"{rest},{name}", (0, set()))):
            status, doc = explain(good[program], "--helpers", helpers)
            same((status, {r for k, r, _ in issues(doc) if k == "refused"},
                  doc["limits"]["helpers"]),
                 (*want, [n for n in HELPERS if n in helpers.split(",")]),
                 f"{program}: firmware with {helpers}")
    words = explain(good["pass"])[1]["programs"][0]["instructions"]
    same(explain(good["pass"], "--words", str(words))[0], 0, f"pass: {words} words are enough")
    status, doc = explain(good["pass"], "--words", str(words - 1))
    same((status, {r for _, r, _ in issues(doc)}, doc["limits"]["instructions"]),
         (1, {"too-long"}, words - 1), "pass: one word less is not enough")


def check_named(good):
    """The default is the public firmware, and messages name the firmware."""
    for name, status, who, words in ((None, 1, "bpf-2.0.6.124", 2816),
                                     ("public", 1, "bpf-2.0.6.124", 2816),
                                     ("full", 0, "nfp-chan-full", 2560)):
        got, doc = explain(good["hash"], firmware=name)
        texts = [i["text"] for p in doc["programs"] for i in p["issues"]]
        same((got, doc["limits"]["firmware"], doc["limits"]["instructions"],
              f"{who} offers no bpf_map_update_elem()" in texts),
             (status, who, words, status == 1), f"hash: firmware {name}")
    for name, why in (("nope", "no firmware of this name"), ("/dev/null", ""),
                      (good["hash"], "")):
        status, said = explain(good["hash"], firmware=name)
        ok(status == 2 and f"--firmware {name}: {why}" in said, f"--firmware {name} is refused", said)


def line_records(elf):
    """Return the places of the line records (struct bpf_line_info) in an object's .BTF.ext."""
    table, = struct.unpack_from("<Q", elf, 0x28)
    size, count, names = struct.unpack_from("<3H", elf, 0x3a)
    sections = [struct.unpack_from("<IIQQQQ", elf, table + i * size) for i in range(count)]
    at = next(s[4] for s in sections
              if elf[sections[names][4] + s[0]:].startswith(b".BTF.ext\0"))
    head, lines = (struct.unpack_from("<I", elf, at + i)[0] for i in (4, 16))
    at += head + lines              # record size; then the section's name, and the number
    step, _, records = struct.unpack_from("<3I", elf, at)
    return [at + 12 + i * step for i in range(records)]


def check_no_line(path):
    """An instruction that belongs to no line: clang 14 gives it a record of line 0."""
    issue = explain(path)[1]["programs"][0]["issues"][-1]
    with open(path, "rb") as f:
        elf = bytearray(f.read())
    before = [r for r in line_records(elf) if struct.unpack_from("<I", elf, r)[0] <= 8 * issue["insn"]]
    lines = [struct.unpack_from("<I", elf, r + 12)[0] >> 10 for r in before]
    name = os.path.basename(path)
    same((lines[-1], len(set(lines)) > 1), (issue["line"], True), f"{name}: the record of the line")
    other = next(n for n in reversed(lines) if n != lines[-1])
    for some, want, what in (([r for r, n in zip(before, lines) if n == lines[-1]], other,
                              "the line before holds"), (before, None, "no line is named")):
        for r in some:
            struct.pack_into("<I", elf, r + 12, 0)
        with tempfile.NamedTemporaryFile(suffix=".o") as f:
            f.write(elf)
            f.flush()
            got = explain(f.name)[1]["programs"][0]["issues"][-1]
        same((got["insn"], got.get("line"), "file" in got), (issue["insn"], want, want is not None),
             f"{name}: an instruction of line 0: {what}")


def main():
    os.chdir(TREE)
    good, bad = objects("xdp"), objects("xdp-refused")
    for name, case in cases(SOURCES["xdp-refused"]).items():
        if name not in bad:
            ok(False, f"{name}.c was built")
            continue
        status, doc = explain(bad[name])
        want = expected(case)
        ok(bool(want), f"{name}: its source has a mark")
        ok(isinstance(doc, dict) and issues(doc) == want,
           f"{name}: {', '.join(sorted(w for _, w, _ in want))}",
           f"status {status}\ngot  {doc if isinstance(doc, str) else issues(doc)}\nwant {want}")
    ok(len(bad) >= 25, f"{len(bad)} programs that are refused")
    check_no_line(bad["ctx_size"])
    check_told(good)
    check_named(good)
    check_less(good)
    loaded = [p for n, p in {**good, **bad}.items() if n not in NOT_LOADED]
    out = in_vm("bash", "selftests/xdp/guest/explain.sh", *loaded).splitlines()
    truth = loads(out)
    for path in loaded:
        status, doc = explain(path)
        if path in truth and isinstance(doc, dict):
            check_driver(path, doc, status, truth[path])
        else:
            ok(False, f"{path}: loaded and explained", f"{truth.get(path)} {doc}")
    for name, path in good.items():
        kinds = {k for k, _, _ in issues(explain(path)[1])}
        ok("unknown" not in kinds and ("warns" in kinds) == name.startswith("known_"),
           f"{name}: {'a' if name.startswith('known_') else 'no'} warning that the program does "
           f"something else on the card", kinds)
    out += in_vm("bash", "-c", NO_BPF, board=("firmware=full", "app=nic")).splitlines()
    check_device([line[7:] for line in out if line.startswith("DEVICE ")])
    return done()


if __name__ == "__main__":
    sys.exit(main())
