#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Firmware with look-ups in maps, and no other helper, and room for 150 instructions: the
driver refuses what needs more, by name, as xdp explain does when it is told."""

import sys

from bpf_tools import XDP, attach, detach, fails_clean, run, works
from tap import done, ok

NEED = {
    "hash": ("update", "[nfp] map_update: not supported by FW"),
    "atomic_hash": ("delete", "[nfp] map_delete: not supported by FW"),
    "event": ("event", "[nfp] event_output: not supported by FW"),
    "head_grow": ("adjust_head", "[nfp] adjust_head not supported by FW"),
    "tail_shrink": ("adjust_tail", "[nfp] adjust_tail not supported by FW"),
    "random": ("random", "[nfp] bpf_get_prandom_u32(): FW doesn't support random number"),
}


def main():
    works("a program that looks entries up", *attach("eth0", "array"))
    works("the program is detached", *detach("eth0"))
    for program, (helper, error) in NEED.items():
        fails_clean(f"a program that needs {helper}", error, *attach("eth0", program))
        status, out = run("nfpchan", "xdp", "explain", "--helpers", "lookup",
                          f"{XDP}/{program}.o")
        ok(status == 1 and helper in out, f"{helper}: xdp explain refuses the program as well",
           f"status {status}\n{out}")
    fails_clean("a program that is too long", "", *attach("eth0", "jump64"),
                log="NFP net bpf: instruction limit reached (150 NFP instructions)")
    return done()


sys.exit(main())
