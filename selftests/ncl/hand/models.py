#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Build the model of hand.c, and five models that differ from bpf/hand.c: wrong_1 to wrong_5.

usage: models.py OUT

OUT/list is an input of diff/main.c, which must find a difference for each wrong_*.
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import compile as build  # noqa: E402

OBJECT = "build/ncl/ncl/hand.o"


def main():
    out = sys.argv[1]
    lines = []
    for wrong in range(6):
        name = f"wrong_{wrong}" if wrong else "hand"
        os.makedirs(f"{out}/{name}", exist_ok=True)
        so = build.model(f"{HERE}/hand.c", f"{HERE}/hand.ncd", "s1", f"{out}/{name}",
                         f"-DHAND_WRONG={wrong}")
        lines.append(f"{name} {OBJECT} {so}\n")
    with open(f"{out}/list", "w", encoding="utf-8") as f:
        f.writelines(lines)


if __name__ == "__main__":
    main()
