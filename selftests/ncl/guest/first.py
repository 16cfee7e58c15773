#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Run the commands of userspace/doc/NCL-FIRST.rst in a shell, and compare their output with the page.

"..." within a line of the page matches any text. A line "..." matches any number of lines.
"""

import os
import re
import subprocess
import sys

from tap import SLOW, TREE, done, ok

PAGE = os.path.join(TREE, "userspace/doc/NCL-FIRST.rst")
FIRST = os.path.join(TREE, "userspace/ncl/examples/first")
MARK = "-- command --"


def indented(text):
    """Return the indented blocks of the page, without the indentation."""
    blocks = re.findall(r"(?:^    .*\n|^\n)+", text, re.M)
    return ["".join(line[4:] if line.strip() else "\n" for line in b.splitlines(True)).strip("\n")
            for b in blocks if b.strip()]


def commands(blocks):
    """Return a list of [command, lines that it must print]."""
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
            ok(f.read().split("\n", 1)[1].strip("\n") in blocks, f"the page has all of {name}")
    typed = commands(blocks)
    script = "".join(f"echo '{MARK}'\n{command}\n" for command, _ in typed)
    got = subprocess.run(["bash"], input=script, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                         text=True, check=False, cwd=TREE, timeout=120 * SLOW)
    outputs = got.stdout.split(MARK + "\n")[1:]
    ok(len(outputs) == len(typed) > 10, "the shell ran all commands of the page", got.stdout)
    for (command, want), out in zip(typed, outputs):
        ok(pattern(want).fullmatch(out), command, "want:\n" + "\n".join(want) + "\ngot:\n" + out)
    return done()


if __name__ == "__main__":
    sys.exit(main())
