#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: -
"""The pages: docutils reads each without a complaint, files that they name are there, the
program of README.rst compiles, and selftests/README.rst has each test in a table."""

import os
import re
import subprocess
import sys

from tap import TREE, done, ok, same, skip

# A path of the tree, in double backquotes
PATH = re.compile(r"``((?:\.ci|fw|kmod|scripts|selftests|uapi|userspace)/[\w./+-]*\w)``")
# Files that a command of a page makes, and names that stand for others
MADE = re.compile(r"fw/nfcc$|/(?:test_)?hello\b|\b(?:NAME|SUBJECT|PROGRAM)\b|_NAME\b")


def files(*patterns):
    found = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard",
                            "--", *patterns], cwd=TREE, capture_output=True, text=True, check=True)
    return [f for f in found.stdout.split() if os.path.exists(os.path.join(TREE, f))]


def read(path):
    with open(os.path.join(TREE, path), encoding="utf-8") as f:
        return f.read()


def there(page, path):
    """A path of the tree, or of the folder in which the page is"""
    return any(os.path.exists(os.path.join(TREE, folder, path + end))
               for folder in ("", "selftests", os.path.dirname(page)) for end in ("", ".c"))


def check_page(page, docutils):
    text = read(page)
    missing = [p for p in PATH.findall(text) if not there(page, p) and not MADE.search(p)]
    same(missing, [], f"{page}: the files that it names are there")
    if not docutils:
        skip(f"{page}: docutils has no complaint", "no docutils")
        return
    got = subprocess.run(
        [sys.executable, "-c", "import sys, docutils.core\n"
         "docutils.core.publish_string(sys.stdin.read(), writer_name='null',\n"
         "    settings_overrides={'report_level': 2, 'syntax_highlight': 'none'})"],
        input=text, capture_output=True, text=True, check=False)
    same(got.stderr, "", f"{page}: docutils has no complaint")


def check_readme():
    text = read("README.rst")
    ok(text.count("\n") <= 220, "README.rst has at most 220 lines", text.count("\n"))
    block = re.search(r"\.\. code-block:: c\n\n((?:    .*\n|\n)+)", text)[1]
    got = subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-Iuserspace/lib/include", "-Iuapi",
                          "-xc", "-fsyntax-only", "-"], input=block, cwd=TREE,
                         capture_output=True, text=True, check=False)
    ok(got.returncode == 0, "the program of README.rst compiles", got.stderr)


def check_list():
    text = read("selftests/README.rst")
    tests = [os.path.basename(f).removesuffix(".c")
             for f in files("selftests/*/*.t", "selftests/*/test_*.c")]
    same([t for t in tests if f"``{t}``" not in text], [],
         "selftests/README.rst has each test in the table of its subject")


def main():
    docutils = subprocess.run([sys.executable, "-c", "import docutils"], check=False,
                              stderr=subprocess.DEVNULL).returncode == 0
    for page in files("*.rst"):
        check_page(page, docutils)
    check_readme()
    check_list()
    return done()


if __name__ == "__main__":
    sys.exit(main())
