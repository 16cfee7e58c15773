#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
"""The manual pages: each function of the library is in the SYNOPSIS as the headers
declare it, on lines of its own, and groff finds nothing wrong."""

import os
import re
import shlex
import shutil
import subprocess
import sys

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from tap import done, ok, same, skip

LIBRARY = "userspace/man/libnfpchan.3"
PAGES = (LIBRARY, "userspace/man/nfpchan.1")
PROTOTYPE = re.compile(r"^(?:const )?(?:struct )?\w+ \*?(nfpchan_\w+)\([^;{]*\);", re.M)


def read(path):
    with open(os.path.join(TREE, path), encoding="utf-8") as f:
        return f.read()


def prototypes(text):
    """Names of functions, with their prototypes on one line."""
    return {m[1]: " ".join(m[0].split()) for m in PROTOTYPE.finditer(text)}


def declared():
    """The functions of the headers."""
    text = read("userspace/lib/nfpchan.h") + read("userspace/lib/nfpchan_port.h")
    return prototypes(re.sub(r"/\*.*?\*/", "", text, flags=re.S))


def plain(source):
    """Lines of a page's source as text, without the change of fonts."""
    lines = []
    for line in source.splitlines():
        if line.startswith((".B ", ".BI ")):
            macro, *words = shlex.split(line)
            line = ("" if macro == ".BI" else " ").join(words)
        lines.append(line)
    return "\n".join(lines)


def groff(*args):
    return subprocess.run(["groff", "-man", *args], cwd=TREE, capture_output=True, text=True,
                          check=False)


def check_groff(functions):
    """What the reader sees, and what groff says of the pages."""
    if not shutil.which("groff"):
        skip("the pages as groff shows them", "no groff")
        return
    for page in PAGES:
        same(groff("-ww", "-z", page).stderr, "", f"groff -ww has nothing to say about {page}")
    # Without colours and overstriking, and nothing of an example is broken in two
    shown = groff("-Tascii", "-P-cbou", "-rLL=120n", LIBRARY).stdout
    synopsis = re.search(r"^SYNOPSIS$(.*?)^DESCRIPTION$", shown, re.M | re.S)
    seen = prototypes(re.sub("^ +(?=[^ ])", "", synopsis[1] if synopsis else "", flags=re.M))
    same(sorted(functions.items() - seen.items()), [], "each begins a line of the page shown")


def main():
    functions = declared()
    exported = set(re.findall(r"nfpchan_\w+(?=;)", read("userspace/lib/libnfpchan.map")))
    ok(exported, "the library has functions")
    same(set(functions) ^ exported, set(), "the headers declare what the library exports")
    synopsis = re.search(r"^\.SH SYNOPSIS$(.*?)^\.SH ", read(LIBRARY), re.M | re.S)[1]
    same(sorted(functions.items() ^ prototypes(plain(synopsis)).items()), [],
         "libnfpchan(3) has each in its SYNOPSIS, as declared, and no other")
    check_groff(functions)
    return done()


if __name__ == "__main__":
    sys.exit(main())
