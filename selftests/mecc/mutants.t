#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: nightly ncl
# build: ncl build/host/gen/firmware-test/chan_table.h build/host/test/mecc_run build/host/test/test_mecc_encode
"""Errors that are put into mecc on purpose: mecc.t finds each of them.

The errors are in a copy of the tree. An error is a text of a file and what it becomes.
"""

import os
import subprocess
import sys
import tempfile

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.chdir(TREE)
sys.path.insert(0, f"{TREE}/selftests/rig")

from tap import SLOW, done, ok

COUNT = "60"
BUILT = ("build/host/test/mecc_run", "build/host/test/test_mecc_encode", "build/host/gen")
MUTANTS = (
    ("a destination in the other bank", "encode.c",
     "BITS(in->op, 31) | BITS(in->d.k == EN_B, 36)", "BITS(in->op, 31) | BITS(in->d.k == EN_A, 36)"),
    ("a defer slot is dropped", "slots.c",
     "img->w[to + i] = slot[i];", "img->w[to + i] = slot[0];"),
    ("the carry is lost", "emit.c", "in->alu == EN_ADD ? EN_ADDC : EN_SUBC", "in->alu"),
    ("a wait for a pointer is too short", "emit.c",
     "e->ready[p] = e->img->n + LM_LATENCY;", "e->ready[p] = e->img->n + LM_LATENCY - 1;"),
    ("spilled registers share words", "spill.c", "slot % FRAME_POINTER);", "slot % 8);"),
    ("registers of one time are joined", "coalesce.c",
     "return !bit_test(graph_row(g, g->clash, a), b) && !bit_test", "return !bit_test"),
    ("a turned branch keeps its condition", "emit.c", "en_inverse(in->alu) : !in->alu", "in->alu : !in->alu"),
    ("what a called function calls is forgotten", "alloc.c",
     "r->clobbers[1] |= f->program->r[in->imm].clobbers[1];", ""),
    ("moves overwrite what others read", "emit_call.c",
     "k != i && is_register(m[k].from)", "k < i && is_register(m[k].from)"),
    ("contexts share their frames", "main.c", "p->base = p->areas + i * p->area;", "p->base = p->areas;"),
    ("a signal is tested the other way", "emit.c", ".op = EN_SIG, .sig", ".op = EN_NO_SIG, .sig"),
    ("the sign is taken from another word", "emit.c",
     "alu(e, none, none, EN_ALU_B, s[0]);\n\t\tasr", "asr"),
    ("a short product of long factors", "isel_mul.c", "abits <= 16 && bbits", "abits <= 17 && bbits"),
)


def run(command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=False,
                          timeout=600 * SLOW, **more)


def copy(to):
    """Copy the tree with what mecc.t needs of what is built."""
    files = run(["git", "ls-files", "-co", "--exclude-standard"]).stdout.split("\n")
    names = "\n".join([f for f in files if f and os.path.exists(f)] + list(BUILT))
    subprocess.run(f"tar -cf - -T - | tar -xf - -C {to}", shell=True, input=names, text=True,
                   check=True)


def build(tree):
    return run([f"{tree}/scripts/in-root", "--ncl", "--", "make", "-s", "O=build/ncl",
                "build/ncl/bin/mecc"])


def test(tree):
    return run([f"{tree}/selftests/mecc/mecc.t"],
               env={**os.environ, "COUNT": COUNT, "PYTHONPATH": f"{tree}/selftests/rig"})


def mutant(tree, name, file, old, new):
    path = f"{tree}/fw/mecc/{file}"
    with open(path, encoding="utf-8") as f:
        text = f.read()
    if text.count(old) != 1:
        ok(False, name, f"{file} has {text.count(old)} times: {old}")
        return
    with open(path, "w", encoding="utf-8") as f:
        f.write(text.replace(old, new))
    built = build(tree)
    found = test(tree) if not built.returncode else None
    ok(found and found.returncode == 1 and "\nnot ok" in found.stdout, name,
       built.stderr if not found else found.stdout[-500:] + found.stderr)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


with tempfile.TemporaryDirectory(dir="build", prefix="mutants.") as folder:
    folder = os.path.abspath(folder)
    copy(folder)
    first = build(folder)
    ok(not first.returncode, "the copy is built", first.stderr)
    same = test(folder)
    ok(not same.returncode, "without an error, the tests pass", same.stdout[-1000:])
    for m in MUTANTS:
        mutant(folder, *m)
sys.exit(done())
