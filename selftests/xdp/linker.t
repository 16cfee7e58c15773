#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: build/host/bin/nfpchan
"""Error messages of nfpchan xdp link: objects that it refuses (selftests/xdp/tails/refused),
slots that do not exist, files that it cannot write. tails.t runs the linked programs."""

import json
import os
import re
import stat
import subprocess
import sys
import tempfile

from cases import cases
from tap import SLOW, TREE, done, ok, same

TOOL = "build/host/bin/nfpchan"
TAILS = "build/guest/xdp-tails"
REFUSED = "selftests/xdp/tails/refused/*.c"


def build():
    """Build the objects with the compiler of the test root."""
    got = subprocess.run(["scripts/in-root", "--", "make", "-s", "O=build/guest", "bpf"],
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, check=False)
    if got.returncode:
        sys.exit(f"linker.t: make bpf: {got.stdout}")


def link(*args, json_out=False):
    """Run the command. Return (exit status, standard output, standard error)."""
    got = subprocess.run([TOOL, *["--json"][:json_out], "xdp", "link", *args],
                         stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                         timeout=60 * SLOW)
    return got.returncode, got.stdout, got.stderr


def fails(name, args, status, text, out):
    """Test that the command ends with this status and message, and writes no file."""
    got, said, why = link("--output", out, *args)
    ok((got, said) == (status, "") and text in why and not os.path.exists(out), name,
       f"status {got}, want {status} and {text!r}\n{said}{why}")


# ---- what cannot be linked ----

def marks(case):
    """Read a case's marks: (options, patterns of the message's lines, line to be named)."""
    text = "\n".join(case.lines)
    options = re.search(r"\blink: (.*)", text)
    first = re.search(r"\brefused: (.*)", text)
    here = [n for n, line in enumerate(case.lines, case.first) if "/* here */" in line]
    return (options.group(1).split() if options else [],
            [first.group(1), *re.findall(r"\bthen: (.*)", text)], here[0] if here else None)


def refused(case, out):
    options, patterns, line = marks(case)
    if not case.name.startswith("entries"):
        options = ["--entry", "entry", *options]
    got, said, why = link("--output", out, *options,
                          f"build/guest/xdp-tails-refused/{case.name}.o")
    source = re.escape(os.path.basename(case.path))
    place = rf"program \w+, instruction \d+ \({source}:{line}: .*\): " if line else ""
    good = re.search(place + patterns[0], why)
    for pattern, told in zip(patterns[1:], why.splitlines()[1:]):
        good = good and re.fullmatch(" +" + pattern, told)
    good = good and len(why.splitlines()) == len(patterns)
    ok(bool(good) and (got, said) == (1, "") and not os.path.exists(out),
       f"{case.name}.c: {patterns[0]}", f"status {got}\nwant {place}{patterns}\n{said}{why}")


# ---- slots and names ----

def names(out):
    index = f"{TAILS}/index.o"
    for slot in ("any", "any:", ":1=a", "any:1", "any:1=", "any:x=a", "any:-1=a", "any:=a",
                 "any:4294967296=a", "any:1 =a"):
        fails(f"--slot {slot}", ["--slot", slot, index], 2,
              f'--slot is "{slot}", not MAP:INDEX=PROG, MAP:INDEX=none or MAP:none', out)
    fails("a map that does not exist", ["--slot", "nope:0=a", index], 1,
          f'no map "nope" in {index}', out)
    fails("a map that is no prog array", ["--slot", "counts:0=entry", f"{TAILS}/maps.o"], 1,
          f"map counts of {TAILS}/maps.o is no prog array", out)
    fails("a slot that does not exist", ["--slot", "any:8=a", index], 1,
          "map any has no slot 8, only 0 to 7 (max_entries)", out)
    fails("a program that does not exist, in a slot", ["--slot", "any:1=nope", index], 1,
          f'map any, slot 1: no XDP program "nope" in {index}', out)
    fails("a program that does not exist, as entry", ["--entry", "nope", index], 1,
          f'no XDP program "nope" in {index}', out)
    fails("an object that does not exist", ["nope.o"], 1, "nope.o", out)
    fails("one of two objects does not exist", [index, "nope.o"], 1, "nope.o", out)
    fails("no object", [], 2, "an object file is missing", out)
    got, _, why = link(index)
    same((got, "--output" in why), (2, True), "no --output")


def words(out):
    """Check the printed length, and --words with exactly this length and with one word less."""
    path = f"{TAILS}/index.o"
    got, said, why = link("--output", out, path, json_out=True)
    doc = json.loads(said) if said else {}
    same((got, doc.get("programs"), doc.get("file"), os.path.exists(out)), (0, 5, out, True),
         "JSON output")
    got, said, _ = link("--output", out, path)
    same(said, f"{out}: 5 programs, {doc.get('instructions')} BPF instructions, "
         f"{doc.get('words')} microengine instructions on the card\n", "text output")
    os.unlink(out)
    size = doc["words"]
    same(link("--words", str(size), "--output", out, path)[0], 0,
         "--words of the program's length is enough")
    os.unlink(out)
    fails("one word less is not enough", ["--words", str(size - 1), path], 1,
          f"the linked program has {size} microengine instructions, "
          f"bpf-2.0.6.124 has room for {size - 1}", out)


def firmware(out):
    """Limits are those of the public firmware, or of --firmware."""
    path = f"{TAILS}/maps.o"
    fails("the public firmware has no updates", [path], 1,
          "bpf-2.0.6.124 offers no bpf_map_update_elem()", out)
    same(link("--firmware", "full", "--output", out, path)[0], 0, "--firmware full has them")
    os.unlink(out)
    fails("firmware that does not exist", ["--firmware", "nope", path], 1,
          "firmware nope: no firmware of this name; there are public, full, and files", out)
    fails("a file that is no firmware", ["--firmware", path, path], 1, f"firmware {path}: ", out)


# ---- the file ----

# Link to a disk of one page, in a new mount namespace. Print the status and list the disk.
SMALL_DISK = """mount -t tmpfs -o size=4k small "$1" || exit
"$2" xdp link --output "$1/x.o" "$3"
echo "status $?"
ls "$1"
"""


def output(folder, out):
    path = f"{TAILS}/constant.o"
    fails("a folder that does not exist", [path, "--output", f"{folder}/nope/x.o"], 1,
          f"{folder}/nope/x.o: No such file", out)
    fails("a folder as the file", [path, "--output", folder], 1, f"{folder}: Is a directory", out)
    full = f"{folder}/full"
    os.mknod(full, 0o666 | stat.S_IFCHR, os.makedev(1, 7))
    fails("a full disk", [path, "--output", full], 1, f"{full}: No space left", out)
    ok(os.path.exists(full), "a device file is not removed")
    got = subprocess.run(["unshare", "--mount", "sh", "-c", SMALL_DISK, "sh", folder, TOOL,
                          f"{TAILS}/many.o"],
                         capture_output=True, text=True, check=False, timeout=60 * SLOW)
    same((got.stdout, got.stderr), ("status 1\n", f"nfpchan: {folder}/x.o: No space left on device\n"),
         "a disk with too little room: no part of the file is left")


def main():
    os.chdir(TREE)
    build()
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/out.o"
        for case in cases(REFUSED).values():
            refused(case, out)
        names(out)
        words(out)
        firmware(out)
        output(folder, out)
    return done()


if __name__ == "__main__":
    sys.exit(main())
