# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""The keys of nfpchan's JSON, as nfpchan-json(5) lists them, compared with what a command prints."""

import os
import re
import shlex

import tap

PAGE = "userspace/man/nfpchan-json.5"
KINDS = {str: "string", bool: "boolean", int: "number", dict: "object", list: "array",
         type(None): "null"}


class Entry:
    """A value: its kinds, whether it may be left out, and what is in it.

    inside: by key, of an object; "*" stands for any key. element: of an array. section: the name
    of the section that describes the value, or the objects of the array."""

    def __init__(self, words="object"):
        words, *rest = words.split(", ")
        self.optional = "optional" in rest
        kinds, _, of = words.partition(" of ")
        self.kinds = set(kinds.split(" or "))
        self.inside, self.section = {}, None
        self.element = Entry(of.removesuffix("s")) if of in ("strings", "numbers", "objects") else None
        if of and not self.element:
            self.element = Entry()
            self.element.section = of
        if not self.kinds <= set(KINDS.values()):
            self.kinds, self.section = {"object"}, words


def keys_of(line):
    """The keys and the type of a line .BR."""
    words = shlex.split(line.replace("\\-", "-"))[1:]
    return words[::2], re.fullmatch(r" \((.*)\)", words[-1])[1]


def add(top, key, words):
    """Put the entry of a key, such as "events[].seq", below the document's."""
    *path, last = key.split(".")
    for step in path:
        top = top.inside[step.removesuffix("[]")]
        top = top.element if step.endswith("[]") else top
    top.inside["*" if last.isupper() else last] = Entry(words)


def sections():
    """By the name of each command, or part of a document: the entry of an object."""
    with open(os.path.join(tap.TREE, PAGE), encoding="utf-8") as f:
        text = re.search(r"^\.SH COMMANDS$(.*?)^\.SH ", f.read(), re.M | re.S)[1]
    found = {}
    for part in text.split("\n.SS ")[1:]:
        names, _, rest = part.replace("\\-", "-").partition("\n")
        top = Entry()
        for line in re.findall(r"^\.TP\n(\.BR .*)$", rest, re.M):
            keys, words = keys_of(line)
            for key in keys:
                add(top, key, words)
        found.update(dict.fromkeys(names.split(", "), top))
    return found


def last_keys(entry):
    """All keys below an entry, without those of other sections."""
    found = set(entry.inside) - {"*"}
    for part in [*entry.inside.values(), *filter(None, [entry.element])]:
        found |= last_keys(part)
    return found


def compare(entry, value, path, every):
    kind = KINDS.get(type(value), "other")
    if entry.section:
        entry = every[entry.section]
    if kind not in entry.kinds:
        return [f"{path}: {kind}, not {' or '.join(sorted(entry.kinds))}"]
    wrong = []
    if kind == "array":
        for element in value:
            wrong += compare(entry.element, element, f"{path}[]", every)
    if kind == "object":
        wrong += [f"{path}.{key}: not printed" for key, part in entry.inside.items()
                  if not part.optional and key != "*" and key not in value]
        for key in value:
            part = entry.inside.get(key, entry.inside.get("*"))
            wrong += compare(part, value[key], f"{path}.{key}", every) if part else \
                [f"{path}.{key}: not documented"]
    return wrong


def differ(command, doc):
    """How the document that a command has printed differs from the page. Of a document that is an
    array each element is compared."""
    every = sections()
    wrong = []
    for part in doc if isinstance(doc, list) else [doc]:
        wrong += compare(every[command], part, command, every)
    return sorted(set(wrong))


def check(command, doc):
    """Test that nfpchan-json(5) describes what a command has printed. Nothing printed is no proof."""
    tap.ok(bool(doc), f"{command} has printed something", doc)
    tap.same(differ(command, doc), [], f"{PAGE} has the keys of {command}")
