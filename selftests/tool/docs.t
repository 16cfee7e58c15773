#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host long
# build: userspace
"""The documents that are made of others: each public call, struct, ioctl and parameter has a
kernel-doc comment, the manual pages of the calls are right and are installed, and Sphinx makes the
site without a warning."""

import html
import os
import re
import shutil
import subprocess
import sys
import tempfile

from tap import TREE, done, ok, same, skip

sys.path.insert(0, os.path.join(TREE, "scripts/docs"))

import kerneldoc

BUILD = os.path.join(TREE, "scripts/docs/build")
MAN3 = os.path.join(TREE, "build/docs/man3")
HTML = os.path.join(TREE, "build/docs/html")

# A header that has no mistake, and what each change of it makes the converter say
GOOD = """/* x */
/*
 * x.h - a header.
 */
/**
 * nfpchan_f() - do it
 * @a: a number
 * @b: another,
 *\tlonger
 *
 * Text.
 *
 * Return: 0.
 */
int nfpchan_f(int a, void (*b)(int c));

/**
 * struct s - a struct
 * @m: a member
 * @in: a member of a member
 */
struct s {
	__u8	m[4];
	struct {
		int	in;
	} out[2];
};

/* on a card */
#define NFP_CHAN_IOC_S	_IO(0xe1, 0)
"""
BAD = (("@a: a number", "@c: a number",
        ["nfpchan_f: @a is not documented", "nfpchan_f: there is no @c"]),
       ("/**\n * nfpchan_f", "/*\n * nfpchan_f", ["nfpchan_f(): no kernel-doc comment"]),
       ("/**\n * struct", "/*\n * struct",
        ["struct s: no kernel-doc comment", "NFP_CHAN_IOC_S: no kernel-doc comment"]),
       (" * @in: a member of a member\n", "", ["s: @in is not documented"]),
       (" * Return: 0.\n", "", ['nfpchan_f(): nothing says what it returns ("Return:")']),
       ("/* on a card */\n", "", ["NFP_CHAN_IOC_S: no comment says on which files it is"]),
       ("nfpchan_f() - do", "nfpchan_g() - do",
        ["nfpchan_f(): no kernel-doc comment",
         "nfpchan_g: the comment is not about what is behind it"]))


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as f:
        return f.read()


def run(*args):
    return subprocess.run(args, cwd=TREE, capture_output=True, text=True, check=False)


# ---- the converter ----

def check_converter():
    same(kerneldoc.Header("x.h", GOOD).problems, [], "a header that is documented")
    for old, new, want in BAD:
        got = kerneldoc.Header("x.h", GOOD.replace(old, new, 1)).problems
        same([w for w in want if f"x.h: {w}" not in got], [], f"it is missed: {want[0]}")
    rest = kerneldoc.Rest({"nfpchan_f", "s"}, False)
    same(rest.blocks(["See nfpchan_f(), struct s and @a of X_*:", "  ENOENT  none", "", "- one",
                      "  more"]),
         ["See :c:func:`nfpchan_f`, :c:struct:`struct s <s>` and ``a`` of X\\_\\*:", "", "::", "",
          "    ENOENT  none", "", "- one more", ""], "text becomes reST")


def check_headers(found):
    """Nothing in the headers is without a comment, and nothing in them was overlooked."""
    for header in found:
        same(header.problems, [], f"{header.path}: everything public is documented")
    text = "".join(read(TREE, h.path) for h in found)
    for kind, pattern in (("struct", r"^struct (\w+) \{"),
                          ("ioctl", r"^#define (NFP_CHAN_IOC_\w+)\s+_IO")):
        same({i.name for h in found for i in h.items if i.kind == kind},
             set(re.findall(pattern, text, re.M)), f"the converter knows each {kind}")
    exports = re.findall(r"nfpchan_\w+(?=;)", read(TREE, "userspace/lib/libnfpchan.map"))
    same({i.name for h in found for i in h.items if i.kind == "function"}, set(exports),
         "and each call that the library exports")


# ---- manual pages ----

def check_man(found):
    if run(sys.executable, "-c", "import docutils").returncode:
        skip("manual pages of the calls", "no docutils")
        return
    got = run(BUILD, "--man")
    ok(not got.returncode, "docutils makes the manual pages", got.stderr)
    calls = {i.name: i for h in found for i in h.items if i.kind in ("function", "macro")}
    same({f"{n}.3" for n in calls}, set(os.listdir(MAN3)), "each call has one")
    with tempfile.TemporaryDirectory() as root:
        make = ("env", "-u", "MAKEFLAGS", "-u", "MFLAGS", "make", "-s", f"DESTDIR={root}",
                "PREFIX=/usr")
        got = run(*make, "install")
        ok(os.path.exists(f"{root}/usr/share/man/man3/nfpchan_open.3"),
           "make install installs them", got)
        got = run(*make, "uninstall")
        same(os.listdir(f"{root}/usr/share/man/man3"), [], "make uninstall removes them")
    if not shutil.which("groff"):
        skip("manual pages as groff shows them", "no groff")
        return
    same([n for n in calls if run("groff", "-man", "-ww", "-z", f"{MAN3}/{n}.3").stderr], [],
         "groff has nothing to say about them")
    wrong = []
    for name, item in calls.items():
        got = run("groff", "-man", "-Tascii", "-P-cbou", "-rHY=0", f"{MAN3}/{name}.3").stdout
        shown = " ".join(got.split())
        if f"NAME {name} - " not in shown or item.declaration not in shown:
            wrong.append(name)
    same(wrong, [], "each shows the name and the declaration")


# ---- the site ----

TERMINAL = "nfpchan x\n\x1b[K<b> \x1b[31mred\x1b[0m plain\r\n\x1b[7mbar\x1b[0m\r\n"


def add_screen():
    """A terminal's text, from which the site makes a picture. Returns its file."""
    folder = os.path.join(TREE, "build/docs/screens")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "test.ansi")
    with open(path, "w", encoding="utf-8", newline="") as f:
        f.write(TERMINAL)
    return path


def check_picture():
    text = read(HTML, "_images/test.svg")
    shown = [html.unescape(t).replace("\xa0", " ").strip() for t in re.findall(r"<text[^>]*>([^<]*)</text>", text)]
    same([t for t in shown if t], ["nfpchan x", "<b>", "red", "plain", "bar"], "a picture has a terminal's text")
    ok("http" not in re.sub(r'xmlns="[^"]*"|<!--.*?-->', "", text), "and fetches nothing from elsewhere", text)


def check_site(found):
    reason = "no root for documents in the cache (make docs makes it), and no Sphinx 7.2"
    root = run("bash", "-c", 'set -eu; . scripts/env.sh; [ -d "$cache/$docs_key" ]').returncode == 0
    if not shutil.which("sphinx-build") and (not root or os.getuid()):
        skip("Sphinx makes the site", reason if not root else "this test does not run as root")
        return
    shutil.rmtree(HTML, ignore_errors=True)
    screen = add_screen()
    got = run(BUILD)
    os.remove(screen)
    ok(not got.returncode, "Sphinx makes the site without a warning", got.stdout + got.stderr)
    if got.returncode:
        return
    pages = [f for f in run("git", "ls-files", "--", "*.rst").stdout.split()
             if os.path.exists(os.path.join(TREE, f))]
    made = [os.path.join(HTML, p.removesuffix(".rst") + ".html") for p in pages]
    same([p for p in made if not os.path.exists(p)], [], "each page of the tree is there")
    check_picture()
    api = "".join(read(HTML, "api", f) for f in os.listdir(os.path.join(HTML, "api")))
    names = [i.name for h in found for i in h.items if i.kind != "struct"]
    same([n for n in names if f'id="c.{n}"' not in api], [], "each call and ioctl has a place to link to")
    shown = html.unescape(re.sub(r"<[^>]*>", "", api))
    words = ("func (c *Card) Channel(name string", "class nfpchan.Frames(card",
             "on a card or a channel.", "#define NFP_CHAN_OPEN_LINK")
    same([w for w in words if w not in shown], [], "Go, Python, ioctls and constants are there")
    readme = read(HTML, "README.html")
    ok('href="userspace/doc/XDP.html"' in readme, "pages that name pages link to them")
    index = read(HTML, "searchindex.js")
    ok("rendezv" in index and "nfpchan_open" in index, "the search knows words and calls")


def main():
    check_converter()
    found = kerneldoc.headers(TREE)
    check_headers(found)
    check_man(found)
    check_site(found)
    return done()


if __name__ == "__main__":
    sys.exit(main())
