# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Pictures of terminals, by rich, of what scripts/docs/screens has written."""

import io
import os
import re

import kerneldoc

# Control sequences that are no colours
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-ln-z]")
# The fonts that rich has a browser fetch from elsewhere
FONTS = re.compile(r"@font-face \{.*?\}", re.S)


def svg(title, text):
    """The picture of a terminal that got a text."""
    from rich.console import Console
    from rich.text import Text

    text = Text.from_ansi(CONTROL.sub("", text.replace("\r", "")))
    width = max([80, *map(len, text.plain.splitlines())])
    console = Console(record=True, width=width, file=io.StringIO(), force_terminal=True,
                      color_system="256", legacy_windows=False)
    console.print(text, no_wrap=True, crop=False, overflow="ignore", highlight=False)
    return FONTS.sub("", console.export_svg(title=title))


def page(source, target):
    """Write a picture of each .ansi file of a folder to another. Return the text of a page with them."""
    out = kerneldoc.heading("Screens")
    out += ["What commands show at a terminal, in the VM with the emulated card. ``make screens``",
            "takes them.", ""]
    os.makedirs(target, exist_ok=True)
    for name in sorted(os.listdir(source)):
        with open(os.path.join(source, name), encoding="utf-8", newline="") as f:
            title, text = f.read().split("\n", 1)
        picture = name.replace(".ansi", ".svg")
        with open(os.path.join(target, picture), "w", encoding="utf-8") as f:
            f.write(svg(title, text))
        out += [f"``{title}``", "", f".. image:: {picture}", f"   :alt: {title}", ""]
    return "\n".join(out)
