#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
"""Each command that `nfpchan --help` and `ncl --help` list: its help has usage, options and an
example, and a wrong command line ends with status 2 and says what is wrong."""

import os
import re
import subprocess
import sys

from tap import TREE, done, ok, skip

PROGRAMS = ("nfpchan", "ncl")
# A line of the list of commands: name, arguments, and what it does
COMMAND = re.compile(r"^  (\w+) +(.*?) *  ([a-zX].*)$", re.M)


def run(*words):
    return subprocess.run([os.path.join(TREE, "build/host/bin", words[0]), *words[1:]],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                          timeout=60)


def commands(*words):
    """The names of all commands that the help of a program or a group lists."""
    found = []
    for m in COMMAND.finditer(run(*words, "--help").stdout):
        name = (*words, m[1])
        found += commands(*name) if run(*name, "--help").stdout.startswith(
            f"usage: {' '.join(name)} COMMAND") else [name]
    return found


def refused(what, got, *texts):
    ok(got.returncode == 2 and not got.stdout and all(t in got.stderr for t in texts), what, got)


def check_command(name):
    text = " ".join(name)
    got = run(*name, "--help")
    usage = re.match(rf"usage: {text} \[OPTION\]\.\.\.(.*)\n", got.stdout)
    ok(got.returncode == 0 and not got.stderr and usage, f"{text} --help has a usage", got)
    ok("\n  -h, --help " in got.stdout, f"{text} --help has the options", got.stdout)
    ok(got.stdout.splitlines()[-1].startswith(f"Example: {text}"),
       f"{text} --help ends with an example", got.stdout)
    refused(f"{text} --bad-option", run(*name, "--bad-option"), "--bad-option", f"Try {text} --help.")
    refused(f"{text} --hlep", run(*name, "--hlep"), f"Did you mean --help? Try {text} --help.")
    arguments = re.findall(r"\[[^]]*\][.]*|\S+", usage[1] if usage else "")
    # A word in small letters stands for itself: "dump" of xdp map.
    words = [a if a.islower() else "x" for a in arguments]
    needed = [w for w, a in zip(words, arguments) if not a.startswith("[")]
    if needed:
        refused(f"{text} without an argument", run(*name), "missing", f"Try {text} --help.")
    for n in range(1, len(needed)):
        got = run(*name, *needed[:n])
        ok(got.returncode == 2, f"{text} with {n} of {len(needed)} arguments", got)
    if not any(a.endswith("...") for a in arguments):
        refused(f"{text} with an argument too many", run(*name, *words, "y"), 'too many: "y"')


def check_groups(program):
    """Names that do not exist, of commands and of groups"""
    for group in {name[:-1] for name in commands(program)}:
        text = " ".join(group)
        refused(f"{text} no-such-command", run(*group, "no-such-command"),
                f'{text}: no command "no-such-command"\nTry {text} --help.\n')
        refused(f"{text} without a command", run(*group), f"usage: {text} ")


def main():
    for program in PROGRAMS:
        if not os.path.exists(os.path.join(TREE, "build/host/bin", program)):
            skip(f"commands of {program}", "not built: no libbpf")
            continue
        names = commands(program)
        ok(len(names) >= 5, f"{program} --help lists its commands", names)
        for name in names:
            check_command(name)
        check_groups(program)
    return done()


if __name__ == "__main__":
    sys.exit(main())
