#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host ncl
# build: ncl build/host/gen/firmware-test/chan_table.h build/host/test/mecc_run build/host/test/test_mecc_encode
"""mecc: programs and 500 random functions give the same results on the emulated microengine as on
the host; binutils prints each word as mecc has listed it; what mecc refuses; its object files.

SEED chooses the functions, COUNT their number.
"""

import glob
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.chdir(TREE)
sys.path.insert(0, f"{TREE}/selftests/rig")

from tap import SLOW, done, note, ok, same

SEED = os.environ.get("SEED", "1")
COUNT = os.environ.get("COUNT", "500")
RUNS = "20"
WORD = re.compile(r" *\d+  ([0-9a-f]{12,13})  (.*?)(?:  ;.*)?$")


def compile_all(out):
    run = subprocess.run(["scripts/in-root", "--ncl", "--", "env",
                          f"PYTHONPATH={TREE}/selftests/rig", "selftests/mecc/compile.py", out, SEED, COUNT, RUNS],
                         capture_output=True, text=True, check=False)
    ok(run.returncode == 0, "everything compiles", run.stdout + run.stderr)


def first_difference(want, got):
    for w, g in zip(want, got):
        if w != g:
            return f"host {w}\nme   {g}"
    return f"{len(want)} lines and {len(got)}"


def run_all(out):
    """Run each object file on the core, and compare with what the host has printed."""
    functions, words, insns, bad = 0, 0, 0, []
    for path in sorted(glob.glob(f"{out}/*.want")):
        name = path.removesuffix(".want")
        runs = RUNS if "/random" in name else "200"
        run = subprocess.run(["build/host/test/mecc_run", f"{name}.o", SEED, runs],
                             capture_output=True, text=True, check=False, timeout=120 * SLOW)
        with open(path, encoding="utf-8") as f:
            want = f.read().splitlines()
        counts = re.findall(r"# \w+: (\d+) words, (\d+) instructions", run.stderr)
        functions += len(counts)
        words += sum(int(w) for w, _ in counts)
        insns += sum(int(i) for _, i in counts)
        if run.returncode or run.stdout.splitlines() != want:
            where = first_difference(want, run.stdout.splitlines())
            bad.append(f"{os.path.basename(name)}: {where}\n{run.stderr[-300:]}")
    note(f"seed {SEED}: {functions} functions, {words} words, {insns} instructions")
    ok(not bad and functions >= int(COUNT), "the microengine and the host give the same results",
       "\n".join(bad[:5]))


def contexts(out):
    """Run programs of several contexts, whose comments tell what out[] has at the end."""
    for path in sorted(glob.glob("selftests/mecc/contexts/*.c")):
        name = os.path.basename(path)[:-2]
        with open(path, encoding="utf-8") as f:
            want = re.search(r"\* out: (.*)", f.read())[1].split()
        run = subprocess.run(["build/host/test/mecc_run", f"{out}/{name}.all.o", "all"],
                             capture_output=True, text=True, check=False, timeout=120 * SLOW)
        got = run.stdout.split()
        ok(not run.returncode and got == want + ["0"] * (8 - len(want)), f"contexts: {name}",
           f"{want}\n{run.stdout}{run.stderr}")


def processes(out):
    """Compile ME processes, whose words listings() compares. selftests/fw/microcode.t runs them."""
    for source in ("fw/apps/echo.c", "selftests/fw/apps/capitals.c"):
        name = os.path.basename(source)[:-2]
        run = subprocess.run(["scripts/firmware", "--table", "build/host/gen/firmware-test", source,
                              f"{out}/process-{name}.o"], capture_output=True, text=True, check=False)
        ok(run.returncode == 0 and re.search(r": i35\.me\d, \d+ of 8192 words$", run.stdout),
           f"process {name}", run.stdout + run.stderr)


def disassembled(words):
    run = subprocess.run("scripts/nfp-opcodes", input="\n".join(words) + "\n", capture_output=True,
                         text=True, check=False)
    return run.stdout.splitlines()


def texts(pairs, name, least):
    """Compare texts of words with those that binutils prints."""
    pairs = sorted(set(pairs))
    got = disassembled([w for w, _ in pairs])
    bad = [f"{w}: {t} | {g}" for (w, t), g in zip(pairs, got) if t != g]
    ok(not bad and len(got) == len(pairs) >= least, f"{name}: {len(pairs)} words",
       "\n".join(bad[:10]))


def listings(out):
    pairs = []
    for path in glob.glob(f"{out}/*.list"):
        with open(path, encoding="utf-8") as f:
            found = [WORD.match(line.rstrip("\n")) for line in f]
        pairs += [(f"{int(m[1], 16) & (1 << 45) - 1:x}", m[2]) for m in found if m]
    texts(pairs, "binutils prints what mecc lists", 1000)
    gen = subprocess.run(["build/host/test/test_mecc_encode", "gen"], capture_output=True,
                         text=True, check=True)
    texts([tuple(line.split("\t")) for line in gen.stdout.splitlines()],
          "binutils prints what the encoder was given", 10000)


def short_forms(out):
    """The forms that save cycles are chosen at all; that they are right, run_all() tells."""
    text = ""
    for name in ("basic", "words"):
        with open(f"{out}/{name}.list", encoding="utf-8") as f:
            text += f.read()
    missing = [form for form in ("24x8_last", "16x16_last", "defer[3]", "ctx_swap[sig1], defer[1]",
                                 "mem[read, ", "mem[write, ", "mem[read32", "mem[write32")
               if form not in text]
    ok(not missing, "short forms of instructions", missing)


def refusals(out):
    with open(f"{out}/refused", encoding="utf-8") as f:
        for line in f:
            good, name, said = json.loads(line)
            ok(good, f"refused: {name}", said)


def sections(data):
    """Return {name: (type, flags, address, contents or size, link, info)}."""
    at, = struct.unpack_from("<Q", data, 0x28)
    count, names = struct.unpack_from("<HH", data, 0x3c)
    heads = [struct.unpack_from("<IIQQQQIIQQ", data, at + 64 * i) for i in range(count)]
    strings = heads[names][4]
    found = {}
    for name, kind, flags, addr, offset, size, link, info, *_ in heads:
        text = data[strings + name:data.index(b"\0", strings + name)].decode()
        contents = size if kind == 8 else data[offset:offset + size]
        found[text] = (kind, flags, addr, contents, link, info)
    return found


def object_file(out):
    with open(f"{out}/basic.o", "rb") as f:
        data = f.read()
    s = sections(data)
    same(struct.unpack_from("<HHIQQQIHHH", data, 16)[:2], (1, 0x6000), "ET_REL of machine 0x6000")
    kind, flags, _, text, _, info = s[".text.i36.me0"]
    same((kind, flags, info), (1, 6, 36 << 24 | 1), "section of the code")
    with open(f"{out}/basic.list", encoding="utf-8") as f:
        listed = [int(m[1], 16) for m in map(WORD.match, f.read().splitlines()) if m]
    words = list(struct.unpack(f"<{len(text) // 8}Q", text))
    relocated = {struct.unpack_from("<Q", s[".rela.text.i36.me0"][3], i)[0] // 8
                 for i in range(0, len(s[".rela.text.i36.me0"][3]), 24)}
    ok(words == listed and relocated, "the code is what --list prints")
    ok(all(words[i] >> 34 & 63 in (0x3c, 0x3d) for i in relocated), "relocations are of immed[]")
    same(s[".ldata.i36.me0"][5], 36 << 24 | 2, "section of local memory with contents")
    same(struct.unpack_from("<8I", s[".ldata.i36.me0"][3]),
         (3, 1, 4, 1, 5, 0x80000000, 0xfffffffe, 6), "words of local memory are little-endian")
    same((s[".emem.far_words"][5], s[".emem.far_words"][3][8:12].hex()), (24 << 24 | 4, "12345678"),
         "bytes of EMEM are in the order of addresses")
    ok(b"mecc " in s[".note.nfpchan"][3], "note with the compiler's version")


with tempfile.TemporaryDirectory(dir="build") as folder:
    folder = os.path.abspath(folder)
    compile_all(folder)
    run_all(folder)
    contexts(folder)
    processes(folder)
    listings(folder)
    short_forms(folder)
    refusals(folder)
    object_file(folder)
sys.exit(done())
