#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: -
"""Each file says its licence, and it is that of .reuse/dep5. LICENSES has the texts, and no more."""

import fnmatch
import os
import re
import shutil
import subprocess
import sys

from tap import TREE, done, ok, same, skip

# Files of other formats, and inputs of fuzzers: they can have no comment.
NO_COMMENT = (".pcap", ".png", ".ncd", ".json")
NO_COMMENT_FOLDERS = ("LICENSES/", ".reuse/", "selftests/fuzz/calls/corpus/",
                      "scripts/packaging/debian/source/")


def paragraphs():
    """The pairs (patterns, licence) of .reuse/dep5, in its order"""
    with open(".reuse/dep5", encoding="utf-8") as f:
        text = f.read()
    return [(m[1].split(), m[2]) for m in
            re.finditer(r"^Files: (.*(?:\n .*)*)\nCopyright: .+\nLicense: (.+)$", text, re.M)]


def said(path):
    """What the first lines of the file say, or None"""
    with open(path, encoding="utf-8", errors="replace") as f:
        head = f.read(400)
    m = re.search(r"SPDX-License-Identifier[:] (.+?)(?: \*/| -->)?$", head, re.M)
    return m and m[1]


def wrong(paths, rules):
    """A line for each file whose first lines do not say what .reuse/dep5 says"""
    for path in paths:
        if path.endswith(NO_COMMENT) or path.startswith(NO_COMMENT_FOLDERS):
            continue
        want = [lic for globs, lic in rules
                if any(fnmatch.fnmatchcase(path, glob) for glob in globs)][-1]
        if said(path) != want:
            yield f"{path}: the file says {said(path)}, .reuse/dep5 says {want}"


def main():
    os.chdir(TREE)
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], check=True,
                            capture_output=True, text=True).stdout.split("\n")
    paths = [p for p in listed if p and os.path.isfile(p) and not os.path.islink(p)]
    rules = paragraphs()
    bad = list(wrong(paths, rules))
    ok(not bad, "each file says the licence that .reuse/dep5 says", "\n".join(bad))
    unused = [g for globs, _ in rules for g in globs
              if not fnmatch.filter(paths, g)]
    same(unused, [], "each pattern of .reuse/dep5 is that of a file")
    named = {word for _, lic in rules for word in re.split(r" (?:OR|AND|WITH) ", lic)}
    same(sorted(os.listdir("LICENSES")), sorted(f"{name}.txt" for name in named),
         "LICENSES has the text of each licence")
    if not shutil.which("reuse"):
        skip("reuse lint finds nothing", "no reuse on this machine (Debian package reuse)")
        return
    lint = subprocess.run(["reuse", "lint"], check=False, capture_output=True, text=True)
    ok(lint.returncode == 0 and "ERROR" not in lint.stderr, "reuse lint finds nothing",
       lint.stdout + lint.stderr)


if __name__ == "__main__":
    main()
    sys.exit(done())
