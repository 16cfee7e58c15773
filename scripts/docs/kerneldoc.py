# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Kernel-doc comments of headers: read them, find what is not documented, turn them into reST.

A comment that begins with "/**" is about the declaration behind it:

    /**
     * NAME() - what it does            (or: struct NAME, typedef NAME, MACRO)
     * @PARAMETER: what it is
     *
     * Text. Lines that are indented by two columns or more stay as they are.
     *
     * Return: what a call returns
     */

An ioctl is documented by the struct in front of it, or by a comment of its own. The comment on the
line before its number says on which files it is."""

import os
import re

COMMENT = re.compile(r"/\*\*\n(.*?)\*/", re.S)
TITLE = re.compile(r"(struct |typedef )?(\w+)(\(\))? - (.*)")
IOCTL = re.compile(r"(?:/\* (on [^*]*) \*/\n)?#define (NFP_CHAN_IOC_\w+)\s+_IO\(")
PROTOTYPE = re.compile(r"^(?!static|typedef|#)[a-z][\w *]*?\b(\w+)\(([^;{}]*)\);", re.M)
STRUCT = re.compile(r"^struct (\w+) \{(.*?)^\}", re.M | re.S)


class Item:
    """A documented declaration. kind: function, macro, struct, typedef, ioctl"""

    def __init__(self, kind, name, header):
        self.kind = kind
        self.name = name
        self.header = header
        self.summary = ""
        self.params = []            # (name, text)
        self.body = []              # lines
        self.returns = []           # lines
        self.declaration = ""       # on one line, without the semicolon
        self.members = []           # names that the declaration has
        self.where = None           # of an ioctl: on which files


class Header:
    """A header: its first comment, items in their order, and what is wrong"""

    def __init__(self, path, text):
        self.path = path
        self.text = text
        self.name = path.split("/include/")[-1].split("uapi/")[-1]
        self.problems = []
        self.items = []
        self.intro = comment_lines(re.search(r"/\*\n(.*?)\*/", text, re.S)[1])
        plain = without_macros(without_comments(text))
        self._documented(text)
        self._ioctls(text)
        have = {(i.kind, i.name) for i in self.items}
        for m in PROTOTYPE.finditer(plain):
            if ("function", m[1]) not in have:
                self._problem(m[1] + "()", "no kernel-doc comment")
        for m in STRUCT.finditer(plain):
            if ("struct", m[1]) not in have:
                self._problem("struct " + m[1], "no kernel-doc comment")
        for item in self.items:
            self._check(item)

    def _problem(self, what, why):
        self.problems.append(f"{self.path}: {what}: {why}")

    def _documented(self, text):
        for m in COMMENT.finditer(text):
            lines = comment_lines(m[1])
            title = TITLE.match(lines[0])
            if not title:
                self._problem(lines[0], "the comment does not begin with NAME - TEXT")
                continue
            item = Item("function", title[2], self.name)
            item.summary = title[4]
            rest = text[m.end():]
            if title[1]:
                item.kind = title[1].strip()
            elif re.match(r"\s*(?:/\*[^*]*\*/\s*)?#", rest):
                item.kind = "macro" if title[3] else "ioctl"
            self._text(item, lines[1:])
            self._declaration(item, rest)
            item.start = m.start()
            self.items.append(item)

    def _text(self, item, lines):
        """Divide a comment into parameters, text and what is returned."""
        target = None
        while lines and re.match(r"@\w+:|\s+\S", lines[0]):
            m = re.match(r"@(\w+): *(.*)", lines[0])
            if m:
                target = m[1]
                item.params.append((target, m[2]))
            elif item.params:
                item.params[-1] = (target, f"{item.params[-1][1]} {lines[0].strip()}")
            lines = lines[1:]
        while lines and not lines[0].strip():
            lines = lines[1:]
        for n, line in enumerate(lines):
            m = re.search(r"(?:^|(?<= ))Return: (.*)", line)
            if m:
                item.body = lines[:n] + ([line[:m.start()].rstrip()] if m.start() else [])
                item.returns = [m[1]] + lines[n + 1:]
                return
        item.body = lines

    def _declaration(self, item, rest):
        name = re.escape(item.name)
        if item.kind == "struct":
            m = re.search(rf"^struct {name} (\{{.*?^\}})", without_comments(rest), re.M | re.S)
            item.declaration = f"struct {item.name}"
            item.members = members(m[1]) if m else []
        elif item.kind == "macro":
            m = re.search(rf"#define ({name}\(([^)]*)\))", rest)
            item.declaration = m[1] if m else ""
            item.members = [a.strip() for a in m[2].split(",")] if m else []
        elif item.kind in ("function", "typedef"):
            m = re.match(r"\s*([^;{]*?\(?\*?" + name + r"\)?\(([^;{]*)\));", rest)
            item.declaration = " ".join(m[1].split()).removeprefix("typedef ") if m else ""
            item.members = arguments(m[2]) if m else []
        elif not re.search(rf"#define {name}\b", rest):
            m = None
        else:
            return
        if not m:
            self._problem(item.name, "the comment is not about what is behind it")

    def _ioctls(self, text):
        """An ioctl without a comment of its own has that of the struct in front of it."""
        for m in IOCTL.finditer(text):
            own = [i for i in self.items if i.kind == "ioctl" and i.name == m[2]]
            before = [i for i in self.items if i.kind == "struct" and i.start < m.start()]
            if not own and not before:
                self._problem(m[2], "no kernel-doc comment")
                continue
            item = own[0] if own else Item("ioctl", m[2], self.name)
            # Another ioctl of the same struct has no comment on its files again.
            item.where = m[1] or next((i.where for i in reversed(self.items) if i.kind == "ioctl"
                                       and i.params == [before[-1].name]), None)
            if not own:
                item.params = [before[-1].name]
                item.summary = before[-1].summary
                self.items.append(item)
            item.start = m.start()
            if not item.where:
                self._problem(m[2], "no comment says on which files it is")
        self.items.sort(key=lambda i: i.start)

    def _check(self, item):
        if item.kind == "ioctl":
            return
        told = [p for p, _ in item.params]
        for name in item.members:
            if name not in told:
                self._problem(item.name, f"@{name} is not documented")
        for name in told:
            if name not in item.members:
                self._problem(item.name, f"there is no @{name}")
        if item.kind == "function" and not item.returns and \
                not re.match(r"void [^*]", item.declaration):
            self._problem(item.name + "()", 'nothing says what it returns ("Return:")')


# ---- C ----

def comment_lines(text):
    return [re.sub(r"^ \* ?", "", line).expandtabs(8).rstrip()
            for line in text.rstrip().splitlines()]


def without_comments(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def without_macros(text):
    return re.sub(r"^#(?:.*\\\n)*.*$", "", text, flags=re.M)


def declared(text):
    """The name that a declaration declares, without types and bounds of arrays"""
    m = re.search(r"\(\*(\w+)\)\(", text) or re.search(r"(\w+)\s*(?:\[[^]]*\]\s*)*$", text.strip())
    return m[1] if m else None


def arguments(text):
    return [declared(a) for a in text.split(",") if a.strip() != "void"]


def members(text):
    """Members of a struct, and of structs in it instead of these"""
    text = text.strip()[1:-1]
    inner = re.findall(r"(?:struct|union) \{(.*?)\}[^;]*;", text, re.S)
    text = re.sub(r"(?:struct|union) \{.*?\}[^;]*;", "", text, flags=re.S)
    found = [declared(d) for d in text.split(";") if d.strip()]
    return found + [m for i in inner for m in members("{" + i + "}")]


# ---- reST ----

class Rest:
    """Text of comments as reST. man: for a manual page, otherwise for Sphinx. known: names that
    have a place to link to. twice: names that a struct and a call have. Sphinx knows one of a name,
    which is the call."""

    TOKEN = re.compile(r"@\w+(?:(?:->|\.)\w+)*|struct (\w+)|\b(\w+)\(\)|[\\*`|]|\w+_(?!\w)")

    def __init__(self, known, man, twice=()):
        self.known = known
        self.man = man
        self.twice = twice

    def inline(self, text):
        return self.TOKEN.sub(self._token, text)

    def _token(self, m):
        word = m[0]
        if word[0] == "@":
            return f"*{word[1:]}*" if self.man else f"``{word[1:]}``"
        if m[1]:
            if m[1] not in self.known or m[1] in self.twice:
                return word
            return f"**{word}**" if self.man else f":c:struct:`struct {m[1]} <{m[1]}>`"
        if m[2]:
            if m[2] not in self.known:
                return word
            return f"**{m[2]}**\\ (3)" if self.man else f":c:func:`{m[2]}`"
        return f"\\{word}" if len(word) == 1 else f"{word[:-1]}\\_"

    def blocks(self, lines):
        """Paragraphs, lists and indented lines"""
        out, n = [], 0
        while n < len(lines):
            line = lines[n]
            indent = len(line) - len(line.lstrip())
            begin = n
            n += 1
            if not line:
                continue
            if line.lstrip().startswith("- "):
                while n < len(lines) and re.match(rf" {{{indent + 1},}}\S", lines[n]):
                    n += 1
                item = " ".join(s.strip() for s in lines[begin:n])
                out += [f"- {self.inline(item[2:])}", ""]
            elif indent >= 2:
                while n < len(lines) and (not lines[n] or lines[n].startswith("  ")):
                    n += 1
                kept = lines[begin:n] if lines[n - 1] else lines[begin:n - 1]
                least = min(len(s) - len(s.lstrip()) for s in kept if s)
                out += ["::", ""] + [f"    {s[least:]}".rstrip() for s in kept] + [""]
            else:
                while n < len(lines) and re.match(r" ?(?!- )\S", lines[n]):
                    n += 1
                out += [self.inline(s) for s in lines[begin:n]] + [""]
        return out


def indented(lines, columns=3):
    return [f"{' ' * columns}{line}".rstrip() for line in lines]


def heading(text, line="="):
    return [text, line * len(text), ""]


def wrapped(declaration):
    """Lines of a declaration, of at most 80 columns if its parameters permit that"""
    lines, indent = [""], " " * (declaration.index("(") + 1)
    for part in re.split(r"(?<=,) ", declaration):
        if lines[-1].strip() and len(lines[-1]) + 1 + len(part) > 80:
            lines.append(indent + part)
        else:
            lines[-1] = f"{lines[-1]} {part}".lstrip() if len(lines) == 1 else f"{lines[-1]} {part}"
    return lines


def sphinx_item(item, rest):
    """The directive of an item"""
    kind = {"ioctl": "macro", "typedef": "type"}.get(item.kind, item.kind)
    declaration = item.name if item.kind in ("ioctl", "struct") else item.declaration
    out = [f".. c:{kind}:: {declaration}"]
    if item.kind == "struct" and item.name in rest.twice:
        out = [f".. index:: struct {item.name}", "", f"struct **{item.name}**"]
    text = [rest.inline(item.summary[:1].upper() + item.summary[1:]) + ".", ""]
    if item.kind == "ioctl":
        text += [f"An ioctl {item.where}.", ""]
        if item.params:
            text += [rest.inline(f"Its argument is struct {item.params[0]}."), ""]
        text += rest.blocks(item.body)
    elif item.kind == "struct":
        for name, what in item.params:
            text += [f"``{name}``", f"   {rest.inline(what)}", ""]
        text += rest.blocks(item.body)
    else:
        text += rest.blocks(item.body)
        text += [f":param {n}: {rest.inline(t)}" for n, t in item.params]
        if item.returns:
            text += [f":returns: {rest.inline(' '.join(s.strip() for s in item.returns))}"]
    return out + ([] if out[-1].startswith("struct") else [""]) + indented(text) + [""]


def sphinx_page(header, rest):
    out = heading(header.name) + rest.blocks(header.intro)
    for item in header.items:
        out += sphinx_item(item, rest)
    out += heading("The file", "-") + ["With its constants.", "", ".. code-block:: c", "",
                                       *indented(header.text.splitlines())]
    return "\n".join(out) + "\n"


def man_page(item, rest, structs):
    """The page of a function or macro, with the structs that its parameters point to"""
    summary = rest.inline(item.summary)
    out = ["=" * len(item.name), *heading(item.name), "-" * len(summary), *heading(summary, "-"),
           ":Manual section: 3", ":Manual group: nfp-chan", ""]
    end = "" if item.kind == "macro" else ";"
    include = "nfpchan_bpf.h" if item.kind == "macro" else "nfpchan.h"
    out += heading("SYNOPSIS") + ["::", "", f"    #include <{include}>", "",
                                  *indented(wrapped(item.declaration + end), 4), ""]
    if item.params:
        out += heading("PARAMETERS")
        for name, what in item.params:
            out += [f"*{name}*", f"   {rest.inline(what)}", ""]
    if any(item.body):
        out += heading("DESCRIPTION") + rest.blocks(item.body)
    if item.returns:
        out += heading("RETURN VALUE") + rest.blocks(item.returns)
    for name in dict.fromkeys(re.findall(r"struct (\w+)", item.declaration)):
        if name in structs:
            out += heading(f"STRUCT {name}")
            for member, what in structs[name].params:
                out += [f"*{member}*", f"   {rest.inline(what)}", ""]
            out += rest.blocks(structs[name].body)
    out += heading("SEE ALSO") + ["**libnfpchan**\\ (3)"]
    return "\n".join(out) + "\n"


# ---- the headers of this project ----

FOLDERS = ("userspace/lib/include", "uapi/nfpchan")


def headers(tree):
    """All public headers"""
    found = []
    for folder in FOLDERS:
        for name in sorted(os.listdir(os.path.join(tree, folder))):
            if name.endswith(".h"):
                path = f"{folder}/{name}"
                with open(os.path.join(tree, path), encoding="utf-8") as f:
                    found.append(Header(path, f.read()))
    return found


def sphinx_pages(found):
    """Names of files, with their text"""
    names = {k: {i.name for h in found for i in h.items if i.kind == k}
             for k in ("struct", "function")}
    known = {i.name for h in found for i in h.items}
    rest = Rest(known, False, names["struct"] & names["function"])
    return {f"{h.name.replace('/', '-').removesuffix('.h')}.rst": sphinx_page(h, rest) for h in found}


def man_pages(found):
    """Names of calls, with the reST of their pages"""
    items = [i for h in found for i in h.items]
    structs = {i.name: i for i in items if i.kind == "struct"}
    calls = [i for i in items if i.kind in ("function", "macro")]
    rest = Rest({i.name for i in calls}, True)
    return {i.name: man_page(i, rest, structs) for i in calls}
