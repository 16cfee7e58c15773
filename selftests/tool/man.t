#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: userspace board accel fabric
"""The manual pages: each function of the library is in the SYNOPSIS as its headers declare
it, on separate lines; options and keys of a program's help are on its page; and groff finds
nothing wrong."""

import os
import re
import shlex
import shutil
import subprocess
import sys

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from tap import done, ok, same, skip

# The library's page, headers, and linker version script, which lists its exports
LIBRARY = ("userspace/man/libnfpchan.3",
           [f"userspace/lib/include/nfpchan{part}.h" for part in ("", "_stream", "_port", "_link")],
           "userspace/lib/libnfpchan.map")
PROTOTYPE = re.compile(r"^(?:const )?(?:struct )?\w+ \*?(nfpchan_\w+)\([^;{]*\);", re.M)


def read(path):
    with open(os.path.join(TREE, path), encoding="utf-8") as f:
        return f.read()


def prototypes(text):
    """Names of functions, with their prototypes on one line."""
    return {m[1]: " ".join(m[0].split()) for m in PROTOTYPE.finditer(text)}


def declared(headers):
    """Prototypes of the functions in the headers."""
    text = "".join(read(h) for h in headers)
    return prototypes(re.sub(r"/\*.*?\*/", "", text, flags=re.S))


def plain(source):
    """Lines of a page's source as text, without font changes."""
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


def check_groff(page, functions=None):
    """Check what groff prints for the page, and that it has no warnings."""
    if not shutil.which("groff"):
        skip(f"{page} as groff shows it", "no groff")
        return
    same(groff("-ww", "-z", page).stderr, "", f"groff -ww has nothing to say about {page}")
    if functions is None:
        return
    # Without colours and overstriking, with lines long enough for all examples
    shown = groff("-Tascii", "-P-cbou", "-rLL=120n", page).stdout
    synopsis = re.search(r"^SYNOPSIS$(.*?)^DESCRIPTION$", shown, re.M | re.S)
    seen = prototypes(re.sub("^ +(?=[^ ])", "", synopsis[1] if synopsis else "", flags=re.M))
    same(sorted(functions.items() - seen.items()), [], "each begins a line of the page shown")


def check_library(page, headers, exports):
    functions = declared(headers)
    exported = set(re.findall(r"nfpchan_\w+(?=;)", read(exports)))
    ok(exported, f"{exports}: the library has functions")
    same(set(functions) ^ exported, set(), "the headers declare what the library exports")
    synopsis = re.search(r"^\.SH SYNOPSIS$(.*?)^\.SH ", read(page), re.M | re.S)[1]
    same(sorted(functions.items() ^ prototypes(plain(synopsis)).items()), [],
         f"{page} has each in its SYNOPSIS, as declared, and no other")
    check_groff(page, functions)


def check_program(name):
    """Each option and KEY= of the program's help is on its page, which `make install` installs."""
    page = f"userspace/man/{name}.1"
    check_groff(page)
    program = os.path.join(TREE, "build/host/bin", name)
    if not os.path.exists(program):
        skip(f"{page} has the options of the program", f"no {name}")
        return
    text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    options = set(re.findall(r"^  .*?(--[a-z][\w-]*)", text, re.M))
    keys = set(re.findall(r"^      ([a-z][\w-]*)=", text, re.M))
    if "KEY, default" in text:
        keys |= set(re.findall(r"^  ([a-z-]+) +\d", text, re.M))
    ok(options, f"{name} --help has options")
    shown = re.sub(r"\\f[A-Z]", "", read(page)).replace("\\-", "-")
    same([w for w in sorted(options | keys)
          if not re.search(rf"(?<![\w-]){re.escape(w)}(?![\w-])", shown)], [],
         f"{page} has the options and keys of {name} --help")


def main():
    check_library(*LIBRARY)
    for name in ("nfpchan", "ncl", "nclc", "nfpboard", "nfpaccel", "nfpfabric"):
        check_program(name)
    check_groff("userspace/man/nfpchan-json.5")
    return done()


if __name__ == "__main__":
    sys.exit(main())
