#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: userspace
"""Completion of nfpchan and ncl: each command and option of their help is offered, values are those
that fit, and bash, zsh and fish insert them. tool.py has the channels of a card."""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

from tap import SLOW, TREE, done, ok, same, skip

BIN = os.path.join(TREE, "build/host/bin")
SCRIPTS = os.path.join(TREE, "build/host/completion")
ENV = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "TERM": "dumb", "HOME": "/nonexistent"}
COMMAND = re.compile(r"^  ([a-z]+) ", re.M)
OPTION = re.compile(r"^  -\w, (--[\w-]+)", re.M)


def run(*words, **more):
    return subprocess.run(words, env=ENV, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False, timeout=60 * SLOW, **more).stdout


def words(program, *line):
    """What can be in place of the last word of a command line"""
    return [v.split("\t")[0] for v in run(program, "completion", "words", "--", *line).splitlines()]


def offers(line, want):
    """The last word is what is behind the last blank. want: values, in order"""
    same(words(*line.split(" ")), want, line or "nothing")


# ---- what is offered ----

def check_commands(*name):
    """Commands and options of a help, then those of each command that it lists"""
    text = run(*name, "--help")
    if text.startswith(f"usage: {' '.join(name)} COMMAND") or len(name) == 1:
        listed = COMMAND.findall(text)
        same(words(*name, ""), listed, f"{' '.join(name)}: each command of the help")
        for command in listed:
            check_commands(*name, command)
    if len(name) == 1 or "COMMAND [OPTION]" not in text:
        missing = set(OPTION.findall(text)) - set(words(*name, "-"))
        same(missing, set(), f"{' '.join(name)}: each option of the help")


def check_values():
    offers("nfpchan fl", ["flows"])
    offers("nfpchan --card 7 --json gr", ["graph"])
    offers("nfpchan help graph lo", ["load"])
    offers("nfpchan no-such-command ", [])
    offers("nfpchan graph no-such-command ", [])
    offers("nfpchan xdp map ", ["dump"])
    offers("nfpchan xdp run --dev l", ["lo"])
    offers("nfpchan xdp run --dev=l", ["--dev=lo"])
    offers("nfpchan xdp run -d l", ["lo"])
    offers("nfpchan xdp run -jd l", ["lo"])
    offers("nfpchan xdp run --entr", ["--entry"])
    offers("nfpchan xdp explain -F ", ["public", "full", ":files"])
    offers("nfpchan xdp explain --helpers lookup,u", ["lookup,update"])
    offers("nfpchan xdp run --carrier q", ["queue"])
    offers("nfpchan xdp run --count ", [])
    offers("nfpchan xdp run -- -", [":files"])
    offers("nfpchan xdp link one.o two.o ", [":files"])
    offers("nfpchan replay one.pcap ", [])
    offers("nfpchan send --file ", [":files"])
    offers("nfpchan info --card 99 ", [])
    offers("nfpchan completion ", ["bash", "zsh", "fish"])
    if not os.path.exists(os.path.join(BIN, "ncl")):
        skip("values of ncl", "not built: no libbpf")
        return
    offers("ncl deploy ", [":files .ncd"])
    offers("ncl deploy hops.ncd ", [":files .and"])
    offers("ncl deploy --map s1=l", ["s1=lo"])
    offers("ncl deploy --map s1=lo:g", ["s1=lo:generic"])
    offers("ncl serve hops selftests/ncl/deploy/net.and --allow se", ["server"])
    offers("ncl serve hops no-such-file --allow ", [])


def check_script(shell):
    for program in ("nfpchan", "ncl"):
        with open(os.path.join(SCRIPTS, f"{program}.{shell}"), encoding="utf-8") as f:
            same(run("nfpchan", "completion", shell).replace("nfpchan", program), f.read(),
                 f"make writes what {program} completion {shell} prints")


# ---- shells ----

BASH = r"""
. "$1"
COMP_LINE=$2 COMP_POINT=${#2}
[ -z "$3" ] || COMP_WORDBREAKS=$3
_nfpchan nfpchan
printf '%s\n' "${COMPREPLY[@]}"
"""


def bash(line, folder, breaks=" \t\n\"'><=;|&(:"):
    return run("bash", "--norc", "-c", BASH, "bash", os.path.join(SCRIPTS, "nfpchan.bash"), line,
               breaks, cwd=folder).split("\n")[:-1]


def check_bash(folder):
    same(bash("nfpchan xdp exp", folder), ["explain"], "bash: a command")
    same(bash("nfpchan flows --f", folder), ["--flush", "--follow"], "bash: options")
    same(sorted(bash("nfpchan replay ", folder)), ["a folder", "one.and", "one.pcap"],
         "bash: files")
    same(bash("nfpchan replay one.p", folder), ["one.pcap"], "bash: a file")
    same(bash("nfpchan xdp run --dev=l", folder), ["lo"], "bash has what is in front of '='")
    same(bash("nfpchan xdp run --dev=l", folder, " \t\n"), ["--dev=lo"],
         "bash that does not take '=' for the end of a word")
    same(bash("nfpchan send --file=one.p", folder), ["one.pcap"], "bash: a file behind '='")


def fish(line, folder):
    script = f"source {SCRIPTS}/nfpchan.fish; source {SCRIPTS}/ncl.fish; complete -C $argv[1]"
    return [w.split("\t")[0] for w in
            run("fish", "--no-config", "-c", script, line, cwd=folder).splitlines()]


def check_fish(folder):
    same(fish("nfpchan xdp exp", folder), ["explain"], "fish: a command")
    same(sorted(fish("nfpchan flows --f", folder)), ["--flush", "--follow"], "fish: options")
    same(fish("nfpchan replay one.p", folder), ["one.pcap"], "fish: a file")
    same(fish("nfpchan xdp run --dev=l", folder), ["--dev=lo"], "fish: a value behind '='")
    same(fish("nfpchan send --file=one.p", folder), ["--file=one.pcap"], "fish: a file behind '='")
    same(fish("ncl deploy x.ncd one", folder), ["one.and"], "fish: files of one ending")


class Zsh:
    """A zsh at a terminal"""

    def __init__(self, folder):
        pid, self.fd = pty.fork()
        if not pid:
            os.chdir(folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], ENV)
        self.ask("PROMPT='%%'; unsetopt zle_bracketed_paste prompt_cr prompt_sp 2>/dev/null; "
                 "setopt no_beep no_auto_remove_slash; autoload -U compinit; "
                 f"fpath=({folder}/site $fpath); compinit -u -D; echo rea''dy\n", "ready")

    def ask(self, text, want):
        """Type text. Returns whether want appears, and what appeared"""
        os.write(self.fd, text.encode())
        got, end = "", time.monotonic() + 10 * SLOW
        while want not in got and time.monotonic() < end:
            if select.select([self.fd], [], [], 1)[0]:
                got += os.read(self.fd, 4096).decode(errors="replace")
        return want in got, got

    def completes(self, line, want):
        ok(*self.ask(line + "\t", want)[:1], f"zsh: {line} becomes {want.strip()}")
        self.ask("\x15echo clea''red\n", "cleared")


def check_zsh(folder):
    site = os.path.join(folder, "site")
    os.mkdir(site)
    for program in ("nfpchan", "ncl"):
        shutil.copy(os.path.join(SCRIPTS, f"{program}.zsh"), os.path.join(site, f"_{program}"))
    zsh = Zsh(folder)
    zsh.completes("nfpchan xdp exp", "nfpchan xdp explain ")
    zsh.completes("nfpchan flows --fo", "nfpchan flows --follow ")
    zsh.completes("nfpchan replay one.p", "nfpchan replay one.pcap ")
    zsh.completes("nfpchan xdp run --dev=l", "nfpchan xdp run --dev=lo ")
    zsh.completes("ncl deploy --map s1=lo:g", "ncl deploy --map s1=lo:generic ")
    zsh.completes("ncl deploy x.ncd one", "ncl deploy x.ncd one.and ")
    os.close(zsh.fd)


def main():
    for program in ("nfpchan", "ncl"):
        if os.path.exists(os.path.join(BIN, program)):
            check_commands(program)
        else:
            skip(f"commands of {program}", "not built: no libbpf")
    check_values()
    for shell, check in (("bash", check_bash), ("zsh", check_zsh), ("fish", check_fish)):
        check_script(shell)
        if not shutil.which(shell):
            skip(f"{shell} completes", f"no {shell}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            for name in ("one.pcap", "one.and"):
                with open(os.path.join(folder, name), "w", encoding="utf-8"):
                    pass
            os.mkdir(os.path.join(folder, "a folder"))
            check(folder)
    return done()


if __name__ == "__main__":
    sys.exit(main())
