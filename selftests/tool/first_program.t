#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm
# boot:
"""The programs of userspace/doc/FIRST-CHANNEL-PROGRAM.rst run in the VM as the page says."""

import os
import re
import subprocess
import sys
import tempfile
import textwrap

from tap import SLOW, done, ok, same

with open(f"{os.environ['NFPCHAN_TREE']}/userspace/doc/FIRST-CHANNEL-PROGRAM.rst", encoding="utf-8") as page:
    TEXT = page.read()


def program(language):
    """The page's program, with its limit of one second for a slow machine"""
    text = re.search(rf"\.\. code-block:: {language}\n\n((?:    .*\n|\n)+)", TEXT)[1]
    for limit in ("timeout=1.0", "SECOND 1000000000", "time.Second"):
        text = text.replace(limit, f"{limit}ll * {SLOW}" if "000" in limit else f"{limit} * {SLOW}")
    return textwrap.dedent(text)


def commands(first):
    """The commands of the literal block that begins with this text"""
    block = re.search(rf"::\n\n((?:    .*\n)*?    {re.escape(first)}.*\n(?:    .*\n)*)", TEXT)[1]
    return textwrap.dedent(block)


def prints(what, script, want):
    got = subprocess.run(["sh", "-e", "-c", script], capture_output=True, text=True, check=False)
    same((got.returncode, got.stdout), (0, want), what)
    if got.returncode:
        print("# " + got.stderr.replace("\n", "\n# "))


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for name, language in (("first.py", "python"), ("first.c", "c"), ("first.go", "go")):
        with open(name, "w", encoding="utf-8") as f:
            f.write(program(language))
    prints("Python", "python3 first.py", "b'hello'\n")
    prints("C", commands("cc -o first"), "hello\n")
    prints("Go", commands("go mod init"), "hello\n")
    shell = commands("mkdir -p build/first").replace("build/first", "first")
    got = subprocess.run(["sh", "-e", "-c", shell], capture_output=True, text=True, check=False)
    ok("echo-out" in got.stdout and got.stdout.endswith("hello\n"), "the shell", got.stdout)
sys.exit(done())
