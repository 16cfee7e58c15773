# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""What a card or its driver refuses: the error that users see, the reason in the
kernel's log, and that nothing stays behind."""

import glob
import os

from bpf_tools import (FS, attach, batch, bpftool, fails_clean, left, map_create, objects,
                       works)

ENOMEM, EINVAL = "Cannot allocate memory", "Invalid argument"
# Entries of the maps that bpf.py has created before this test
IN_USE, ELEMENTS = 115, 2048000


def check_maps():
    large = "NFP net bpf: map elements too large: {}, FW max element size (key+value): 64"
    fails_clean("key of 60 bytes", ENOMEM, *map_create("x", "hash", 60, 4, 2),
                log=large.format(72))
    fails_clean("value of 60 bytes", ENOMEM, *map_create("x", "hash", 4, 60, 2),
                log=large.format(72))
    fails_clean("key and value of 40 bytes", ENOMEM, *map_create("x", "hash", 40, 40, 2),
                log=large.format(80))
    fails_clean("more elements than the card has left",
                ENOMEM, *map_create("x", "hash", 4, 8, ELEMENTS),
                log="NFP net bpf: map with too many elements: "
                    f"{ELEMENTS}, left: {ELEMENTS - IN_USE}")
    fails_clean("map flags", EINVAL, *map_create("x", "hash", 4, 8, 2), "flags", "1",
                log="NFP net bpf: map flags are not supported")
    fails_clean("array with a key of 8 bytes, which only the card refuses", EINVAL,
                *map_create("x", "array", 8, 8, 2))
    fails_clean("no elements", EINVAL, *map_create("x", "array", 4, 8, 0))
    # The kernel refuses all other types of maps without a call of the driver.
    for kind in ("percpu_hash", "lru_hash", "queue"):
        fails_clean(f"map of type {kind}", EINVAL,
                    *map_create("x", kind, 0 if kind == "queue" else 4, 8, 2))


def check_all_of_it():
    works("as many elements as the card has left",
          *map_create("most", "hash", 4, 8, ELEMENTS - IN_USE))
    fails_clean("one more element", ENOMEM, *map_create("x", "array", 4, 8, 1),
                log="NFP net bpf: map with too many elements: 1, left: 0")
    os.unlink(FS + "most")
    before = objects()
    free = 128 - len(bpftool("map", "show"))
    batch(f"{free} further maps", [" ".join(map_create(f"m{i}", "array", 4, 8, 1)[1:])
                                for i in range(free)])
    fails_clean("one more map", ENOMEM, *map_create("x", "array", 4, 8, 1, "eth1"),
                log="NFP net bpf: too many maps for a device")
    for path in glob.glob(FS + "m*"):
        os.unlink(path)
    left(before)
    works("a map after the others were freed", *map_create("x", "array", 4, 8, 1, "eth1"))
    os.unlink(FS + "x")


def check_programs():
    fails_clean("a helper that no card has", "[nfp] unsupported function id: 5",
                *attach("eth0", "bad_helper"))
    fails_clean("a program that is too long", EINVAL, *attach("eth0", "too_long"),
                log="NFP net bpf: instruction limit reached (2560 NFP instructions)")
    fails_clean("a program with a per-CPU map", "map 'm': failed to create: " + EINVAL,
                *attach("eth0", "../xdp-refused/map_percpu"))
    # The card has room for the first of the two maps.
    fails_clean("two maps that are too large together", "map 'second': failed to create: " + ENOMEM,
                *attach("eth0", "../xdp-refused/map_entries"),
                log="NFP net bpf: map with too many elements: "
                    f"48001, left: {ELEMENTS - IN_USE - 2000000}")


def check():
    check_maps()
    check_all_of_it()
    check_programs()
