#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Type the commands of userspace/NCL-FIRST.rst into a shell, and compare what they print: "..." in
a line of the page is anything in it, a line that is "..." any lines."""

import os
import re
import subprocess
import sys

from tap import SLOW, TREE, done, ok

PAGE = os.path.join(TREE, "userspace/NCL-FIRST.rst")
FIRST = os.path.join(TREE, "userspace/ncl/examples/first")
MARK = "-- command --"


def indented(text):
    """The page's blocks, without their margin"""
    blocks = re.findall(r"(?:^    .*\n|^\n)+", text, re.M)
    return ["".join(line[4:] if line.strip() else "\n" for line in b.splitlines(True)).strip("\n")
            for b in blocks if b.strip()]


def commands(blocks):
    """[command, what it is to print]"""
    found = []
    for line in "\n".join(b for b in blocks if b.startswith("$ ")).split("\n"):
        if line.startswith("$ "):
            found.append([line[2:], []])
        else:
            found[-1][1].append(line)
    return found


def pattern(lines):
    parts = [r"(?:.*\n)*" if line == "..." else
             ".*".join(map(re.escape, line.split("..."))) + r"\n" for line in lines]
    return re.compile("".join(parts))


def main():
    with open(PAGE, encoding="utf-8") as f:
        blocks = indented(f.read())
    for name in ("auction.c", "net.and"):
        with open(os.path.join(FIRST, name), encoding="utf-8") as f:
            ok(f.read().split("\n", 1)[1].strip("\n") in blocks, f"the page has {name} as it is")
    typed = commands(blocks)
    script = "".join(f"echo '{MARK}'\n{command}\n" for command, _ in typed)
    got = subprocess.run(["bash"], input=script, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, check=False, cwd=TREE, timeout=120 * SLOW)
    outputs = got.stdout.split(MARK + "\n")[1:]
    ok(len(outputs) == len(typed) > 10, "all commands were typed", got.stdout)
    for (command, want), out in zip(typed, outputs):
        ok(pattern(want).fullmatch(out), command, "want:\n" + "\n".join(want) + "\ngot:\n" + out)
    return done()


if __name__ == "__main__":
    sys.exit(main())
