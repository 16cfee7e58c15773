#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Compile programs with nclc, and their models with a host's compiler, for diff/main.c.

usage: compile.py [--some] [--include HEADER] OUT SOURCE...

Run it in the root of NCL. The first comment of a SOURCE may name its AND file, with "and: FILE", in
the folder of the SOURCE. Otherwise net.and of that folder is used, or programs/net.and. OUT/list
has a line "NAME OBJECT MODEL" for each place of each program. nclc and the host's compiler include
HEADER first.

All programs must compile. With --some, nine of ten must compile, and OUT/list has only places where
a kernel runs. The programs that nclc refuses are counted on standard output.
"""

import collections
import concurrent.futures
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NCLC = "build/ncl/bin/nclc"
INCLUDE = "userspace/ncl"
# -fwrapv: signed numbers wrap, as on devices.
CFLAGS = ["-O1", "-g", "-w", "-fwrapv", "-fno-strict-aliasing", "-fsanitize=bounds", "-fPIC",
          "-fvisibility=hidden", "-shared", "-DNCL_MODEL", f"-I{HERE}/model/include",
          f"-I{INCLUDE}"]


class Failed(Exception):
    """nclc refuses a program. The text is the message of nclc."""


def run(*args, **more):
    return subprocess.run(args, capture_output=True, text=True, check=False, **more)


def must(*args, **more):
    got = run(*args, **more)
    if got.returncode:
        raise RuntimeError(f"{' '.join(args[:3])}: {got.stderr}")
    return got.stdout


def net_of(source):
    with open(source, encoding="utf-8") as f:
        named = re.search(r"\band: (\S+)", f.read().split("*/")[0])
    if named:
        return os.path.join(os.path.dirname(source), named.group(1))
    beside = os.path.join(os.path.dirname(source), "net.and")
    return beside if os.path.exists(beside) else f"{HERE}/programs/net.and"


def model(source, desc, place, out, *flags):
    """Build the model of a program at a place, a shared object. Return its path."""
    cpp = not source.endswith(".c")
    wrapper = f"{out}/{place}.{'cpp' if cpp else 'c'}"
    with open(wrapper, "w", encoding="utf-8") as f:
        f.write(must(f"{HERE}/model/wrap.py", source, desc, place, net_of(source)))
    so = f"{out}/{place}.so"
    must(*(["g++", "-std=gnu++20"] if cpp else ["gcc", "-std=gnu11"]), *CFLAGS, *flags, "-o", so,
         wrapper)
    return so


def said_of(text):
    """Return the line of the output of clang and nclc that has the reason."""
    lines = text.splitlines()
    for word in ("internal error", "LLVM ERROR", "error: "):
        for line in lines:
            if word in line:
                return line
    return lines[-1] if lines else "nothing"


def places_of(desc, some):
    """Return (label, object) of each place; with `some`, only of places where a kernel runs."""
    with open(desc, encoding="utf-8") as f:
        text = f.read()
    kernels = re.findall(r"^kernel \d+ \S+ out \d+ \S+ (\S+)$", text, re.M)
    return [(place, file) for place, file in re.findall(r"^object (\S+) (\S+)", text, re.M)
            if not some or any(k == "-" or place in k.split(",") for k in kernels)]


def compile_one(source, out, some, include):
    """Compile one program. Return its lines of OUT/list."""
    name = os.path.basename(source).rsplit(".", 1)[0]
    out = f"{out}/{name}"
    os.makedirs(out, exist_ok=True)
    got = run(NCLC, "--firmware", "full", source, "--and", net_of(source), "-o", out, f"-I{INCLUDE}", *include)
    said = said_of(got.stderr)
    if got.returncode == 1 and "error: " in said:
        raise Failed(said)
    if got.returncode:
        raise RuntimeError(f"{source}: nclc ended with {got.returncode}: {said}")
    desc = f"{out}/{name}.ncd"
    return [f"{name}@{place} {os.path.join(out, file)} {model(source, desc, place, out, *include)}"
            for place, file in places_of(desc, some)]


def main():
    args = sys.argv[1:]
    some = args[:1] == ["--some"]
    args = args[some:]
    include = ["-include", args[1]] if args[:1] == ["--include"] else []
    out, *sources = args[len(include):]
    os.makedirs(out, exist_ok=True)
    refused, broken, lines = collections.Counter(), [], []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [(s, pool.submit(compile_one, s, out, some, include)) for s in sources]
        for source, job in jobs:
            try:
                lines += job.result()
            except Failed as why:
                if not some:
                    print(f"# {why}")
                refused[re.sub(r"\d+", "N", str(why).split("error: ")[-1])] += 1
            except RuntimeError as why:
                print(f"# {why}")
                broken.append(source)
    with open(f"{out}/list", "w", encoding="utf-8") as f:
        f.writelines(line + "\n" for line in lines)
    bad = sum(refused.values())
    print(f"# {len(sources) - bad - len(broken)} of {len(sources)} programs compiled, "
          f"for {len(lines)} places")
    for why, count in refused.most_common():
        print(f"# refused: {count}: {why}")
    return 1 if broken or not lines or bad * 10 > (len(sources) if some else 0) else 0


if __name__ == "__main__":
    sys.exit(main())
