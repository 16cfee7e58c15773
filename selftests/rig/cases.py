# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Files of many cases. A case begins with a line "/* ---- NAME: TEXT */" or "# ---- NAME: TEXT".
The lines before the first case belong to each case."""

import collections
import glob
import re

# first: the number of the line in which the case begins. lines: from there to the next case.
Case = collections.namedtuple("Case", "path name text first head lines")
BEGIN = re.compile(r"(?:/\*|#) ---- (\w+): (.*?)(?: \*/)?$")


def cases(pattern):
    """Return {name: Case} of all files that match a pattern."""
    found = {}
    for path in sorted(glob.glob(pattern)):
        with open(path, encoding="utf-8") as f:
            lines = f.read().splitlines()
        at = [n for n, line in enumerate(lines) if BEGIN.match(line)]
        head = "\n".join(lines[:at[0]]).rstrip().splitlines()
        for begin, end in zip(at, at[1:] + [None]):
            name, text = BEGIN.match(lines[begin]).groups()
            assert name not in found, f"{path}: case {name} exists twice"
            found[name] = Case(path, name, text, begin + 1, head, lines[begin:end])
    return found


def refusal(case):
    """Return the file of one case, the line that a message has to name, or None, and the message:
    TEXT is "LINE: MESSAGE" or "MESSAGE", and LINE counts the head and the case."""
    line, message = re.match(r"(?:(\d+): )?(.*)", case.text).groups()
    return "\n".join([*case.head, *case.lines, ""]), line, message
