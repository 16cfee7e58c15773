#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host ncl
"""nclc: the programs that it refuses, its options, --explain, and its warnings.

The first line of a case in selftests/ncl/refused has the message that nclc must print for it, and
the number of the line that nclc must name. The number counts the lines before the first case, and
those of the case.
"""

import concurrent.futures
import os
import re
import subprocess
import sys

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.chdir(TREE)
if "NCLC_ROOT" not in os.environ:
    os.execv("scripts/in-root", ["in-root", "--ncl", "--", "env", "NCLC_ROOT=1", "python3",
                                 f"{TREE}/selftests/ncl/nclc.t"])
sys.path.insert(0, f"{TREE}/selftests/rig")

import tempfile

from cases import cases, refusal
from tap import SLOW, done, ok, same

NET = "selftests/ncl/programs/net.and"
PAPER = "userspace/ncl/examples/paper"
OUT = tempfile.mkdtemp()
REFUSED = cases("selftests/ncl/refused/*.c*")


def nclc(*args, firmware=("--firmware", "full")):
    return subprocess.run(["build/ncl/bin/nclc", *firmware, *args], capture_output=True, text=True, check=False,
                          timeout=120 * SLOW)


def written(case, path):
    """Write a case to a file. Return its line and message."""
    text, *rest = refusal(case)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return rest


def refused(case):
    name = case.name + os.path.splitext(case.path)[1]
    out = f"{OUT}/{case.name}"
    os.mkdir(out)
    line, message = written(case, f"{OUT}/{name}")
    run = nclc(f"{OUT}/{name}", "--and", NET, "-o", out, "-DNCL_NO_HOST")
    place = re.search(rf"{name}:{line}:", run.stderr) if line else f"{name}: " in run.stderr
    good = (run.returncode == 1 and message in run.stderr and place and not os.listdir(out) and
            "no input files" not in run.stderr)
    return good, f"refused: {name[:-2]}", f"status {run.returncode}, {os.listdir(out)}\n{run.stderr}"


def refusals():
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for result in pool.map(refused, REFUSED.values()):
            ok(*result)


def usage():
    fig4 = f"{PAPER}/fig4.c"
    for args, text in (((), "FILE is missing"), ((fig4,), "--and NET.and is missing"),
                       ((fig4, "--and"), "--and needs a value"),
                       ((fig4, "--and", NET, "--target", "tofino"), "not 'tofino'"),
                       ((fig4, "--and", NET, "--speed"), "unknown option '--speed'"),
                       ((fig4, fig4, "--and", NET), "a program has one")):
        run = nclc(*args)
        ok(run.returncode == 2 and text in run.stderr, f"usage: {text}", run.stderr)
    for name, text in (("public", "bpf-2.0.6.124 offers no bpf_map_update_elem()"),
                       ("nope", "--firmware nope: no firmware of this name")):
        run = nclc(f"{PAPER}/fig4.c", "--and", f"{PAPER}/net.and", "-o", OUT,
                   firmware=("--firmware", name))
        ok(run.returncode != 0 and text in run.stderr, f"firmware {name}: {text}", run.stderr)
    run = nclc(fig4, "--and", "selftests/ncl/nowhere.and")
    ok(run.returncode == 1 and "nowhere.and" in run.stderr,
       "an AND file that does not exist", run.stderr)
    hosts = [f"host w{i} 10.1.0.{i}" for i in range(1, 65)]
    for devices, text in (([], "the file has no device"), (["device s1 10.1.0.100"], "among the first 64 nodes")):
        with open(f"{OUT}/net.and", "w", encoding="utf-8") as f:
            f.write("\n".join(hosts + devices) + "\n")
        run = nclc("selftests/ncl/programs/types.c", "--and", f"{OUT}/net.and")
        ok(run.returncode == 1 and text in run.stderr, f"AND file: {text}", run.stderr)


def explained():
    run = nclc(f"{PAPER}/fig4.c", "--and", f"{PAPER}/net.and", "-o", OUT, "--explain")
    same(run.returncode, 0, "figure 4 compiles")
    for text in ("the lock: it reads and writes memory (", "of 2560 words on a card",
                 "accum, i32[1024]: array map 'accum' of 128 x 32 bytes, 8 elements in each",
                 "nworkers, u32: array map 'nworkers' of 1 x 4 bytes; read; hosts write it",
                 "firmware needs lookup, update, delete"):
        ok(text in run.stdout, f"--explain prints: {text}", run.stdout + run.stderr)
    most = re.search(r"windows of up to (\d+) elements would fit a card; those of the program have 16", run.stdout)
    ok(most, "--explain prints the largest window that fits", run.stdout)
    for window, status in ((most.group(1), 0), (int(most.group(1)) + 1, 1)) if most else ():
        with open(f"{PAPER}/fig4.c", encoding="utf-8") as f:
            source = f.read().replace("#define WIN_LEN 16", f"#define WIN_LEN {window}")
        with open(f"{OUT}/most.c", "w", encoding="utf-8") as f:
            f.write(source.replace("#define DATA_LEN 1024", "#define DATA_LEN (64 * WIN_LEN)"))
        run = nclc(f"{OUT}/most.c", "--and", f"{PAPER}/net.and", "-o", OUT)
        same(run.returncode, status, f"a window of {window} elements: nclc ends with {status}")


def largest():
    """A larger window can have fewer words than a smaller one. The largest that fits is printed,
    whatever window the program has."""
    with open(f"{PAPER}/fig4.c", encoding="utf-8") as f:
        source = f.read()

    def compiled(window):
        path = f"{OUT}/win{window}.c"
        with open(path, "w", encoding="utf-8") as f:
            f.write(source.replace("_win_(WIN_LEN)", f"_win_({window})"))
        return nclc(path, "--and", f"{PAPER}/net.and", "-o", OUT)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = dict(zip(range(40, 51), pool.map(compiled, range(40, 51))))
    fit = [window for window, run in runs.items() if not run.returncode]
    said = {window: re.findall(r"fits with windows of (\d+) elements instead of", run.stderr)
            for window, run in runs.items() if "instruction words, a card has" in run.stderr}
    ok(fit and any(w < max(fit) for w in runs if w not in fit),
       "of the windows of figure 4, a smaller one fits less than the largest", fit)
    same(said, {window: [str(max(fit))] for window in said},
         f"nclc says the largest that fits to each of {len(said)} that do not")


def warned():
    """A shift that the driver's JIT translates wrongly compiles. nclc warns only for a card."""
    with open(f"{OUT}/shift.c", "w", encoding="utf-8") as f:
        f.write("#include <ncl.h>\n_net_ _out_ _at_(\"s1\") _win_(2) void shift(int32_t *v)\n{\n"
                "\tv[0] >>= v[1];\n\t_reflect();\n}\n")
    for target, want in (("nfp", True), ("xdp", False)):
        run = nclc(f"{OUT}/shift.c", "--and", NET, "-o", OUT, "--target", target, "-DNCL_NO_HOST")
        ok(not run.returncode and ("shift.c:4: warning: for a card" in run.stderr) == want,
           f"--target {target}: a warning of a shift only for a card", run.stderr)


def targets():
    path = f"{OUT}/division.c"
    written(REFUSED["division"], path)
    run = nclc(path, "--and", NET, "-o", OUT, "--target", "xdp", "-DNCL_NO_HOST")
    with open(f"{OUT}/division.ncd", encoding="utf-8") as f:
        objects = [line.split()[-2:] for line in f if line.startswith("object")]
    ok(run.returncode == 0 and objects == [["0", "xdp"]] * 2, "--target xdp accepts a division",
       f"{objects}\n{run.stderr}")


def large():
    with open(f"{OUT}/large.c", "w", encoding="utf-8") as f:
        f.write("#include <ncl.h>\n_net_ _out_ _at_(\"s1\") _win_(2) void k(int32_t *v)\n{\n"
                "\tint32_t x = v[1];\n\n\tfor (int i = 0; i < 6000; i++)\n"
                "\t\tx = (x ^ (x >> 3)) * 5 + i;\n\tv[0] = x;\n}\n")
    run = nclc(f"{OUT}/large.c", "--and", NET, "-o", OUT, "--target", "xdp", "-DNCL_NO_HOST")
    ok(run.returncode == 0 and os.path.getsize(f"{OUT}/large.s1.o") > 1 << 20,
       "an object of more than 1 MiB is written", run.stderr)


def outputs():
    """All files of a program are written, or none."""
    fig4 = (f"{PAPER}/fig4.c", "--and", f"{PAPER}/net.and", "-o")
    new = f"{OUT}/new/er"
    run = nclc(*fig4, f"{new}/")
    same((run.returncode, run.stderr, sorted(os.listdir(new))),
         (0, "", ["fig4.ncd", "fig4.o", "fig4.s1.o"]), "-o makes folders, and all files are there")
    written(REFUSED["host_name"], f"{OUT}/fig4.c")
    before = {name: os.stat(f"{new}/{name}").st_mtime_ns for name in os.listdir(new)}
    run = nclc(f"{OUT}/fig4.c", *fig4[1:], new)
    same((run.returncode, {name: os.stat(f"{new}/{name}").st_mtime_ns for name in os.listdir(new)}),
         (1, before), "a program whose host part is refused leaves the files as they were")
    run = nclc(f"{OUT}/fig4.c", *fig4[1:], f"{OUT}/none")
    ok(run.returncode == 1 and not os.path.exists(f"{OUT}/none"), "and makes no folder", run.stderr)
    for name in ("fig4.ncd", "fig4.s1.o", "fig4.o"):
        blocked = f"{OUT}/blocked.{name}"
        os.makedirs(f"{blocked}/{name}")
        run = nclc(*fig4, blocked)
        ok(run.returncode == 1 and f"{blocked}/{name}: Is a directory" in run.stderr and
           os.listdir(blocked) == [name], f"{name} cannot be written: no file is",
           f"{run.stderr}{os.listdir(blocked)}")
    run = nclc(*fig4, f"{new}/fig4.o/sub")
    ok(run.returncode == 1 and f"-o {new}/fig4.o/sub: Not a directory" in run.stderr,
       "-o below a file is refused", run.stderr)
    run = nclc(*fig4, f"{OUT}/kept", "--keep")
    same((run.returncode, len(os.listdir(f"{OUT}/kept"))), (0, 4), "--keep makes the folder, too")


refusals()
usage()
outputs()
explained()
largest()
warned()
targets()
large()
done()
