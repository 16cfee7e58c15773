#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Compile test programs with mecc and with the host's compiler, and run the latter's.

usage: compile.py DIRECTORY SEED COUNT RUNS

Runs in the root of NCL, for mecc.t. For each program of selftests/mecc/programs, and for programs
of random functions, DIRECTORY gets NAME.o and NAME.list of mecc, and NAME.want, which the host's
program has printed. NAME.few is a program that was compiled for few registers, NAME.all one of
selftests/mecc/contexts. It also gets
"refused", with a line of JSON for each case of selftests/mecc/refused: whether mecc has refused it,
the name, and what mecc has said.
"""

import concurrent.futures
import glob
import json
import os
import subprocess
import sys

from cases import cases, refusal
from tap import SLOW

MECC = "build/ncl/bin/mecc"
RUN = "selftests/mecc/run"
INCLUDE = (f"-I{RUN}", "-Ifw/mecc")
PER_FILE = 12
FEW = "10"


def call(*args, to=os.devnull):
    with open(to, "w", encoding="utf-8") as f:
        subprocess.run(args, stdout=f, check=True, timeout=120 * SLOW)


def compare(source, name, seed, runs, gprs):
    """Compile one program both ways."""
    call(MECC, source, "-w", "-o", f"{name}.o", "--list", "--exit", "8191", "--gprs", gprs,
         *INCLUDE, to=f"{name}.list")
    call("gcc", "-O1", "-w", "-fwrapv", "-fno-strict-aliasing", *INCLUDE, "-Iselftests/rig",
         f'-DPROGRAM="{os.path.abspath(source)}"', f"{RUN}/host.c", "-o", f"{name}.host")
    call(f"{name}.host", seed, runs, to=f"{name}.want")


def random_program(out, seed, n, count, runs):
    source = f"{out}/random{n}.c"
    call("selftests/mecc/gen.py", str(int(seed) * 1000 + n), str(count), to=source)
    compare(source, f"{out}/random{n}", seed, runs, FEW if n % 4 == 3 else "16")


def refused(out, case):
    source = f"{out}/{case.name}.c"
    text, line, message = refusal(case)
    with open(source, "w", encoding="utf-8") as f:
        f.write(text)
    run = subprocess.run([MECC, source, "-w", "-o", f"{source}.o", *INCLUDE], capture_output=True,
                         text=True, check=False, timeout=120 * SLOW)
    place = f"{case.name}.c:{line}:" if line else ".c: "
    good = (run.returncode == 1 and message in run.stderr and place in run.stderr and
            not os.path.exists(f"{source}.o"))
    return json.dumps([good, case.name, f"status {run.returncode}\n{run.stderr}"])


def main():
    out, seed, count, runs = sys.argv[1:]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = []
        for source in glob.glob("selftests/mecc/programs/*.c"):
            name = f"{out}/{os.path.basename(source)[:-2]}"
            jobs.append(pool.submit(compare, source, name, seed, "200", "16"))
            jobs.append(pool.submit(compare, source, f"{name}.few", seed, "200", "8"))
        for source in glob.glob("selftests/mecc/contexts/*.c"):
            name = f"{out}/{os.path.basename(source)[:-2]}.all"
            jobs.append(pool.submit(call, MECC, source, "-w", "-o", f"{name}.o", "--list",
                                    *INCLUDE, to=f"{name}.list"))
        for n in range(-(-int(count) // PER_FILE)):
            jobs.append(pool.submit(random_program, out, seed, n, PER_FILE, runs))
        lines = pool.map(lambda case: refused(out, case),
                         cases("selftests/mecc/refused/*.c").values())
        with open(f"{out}/refused", "w", encoding="utf-8") as f:
            f.write("\n".join(lines))
        for job in jobs:
            job.result()


if __name__ == "__main__":
    main()
