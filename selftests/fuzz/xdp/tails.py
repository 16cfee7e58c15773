#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Random programs that call each other. Usage: tails.py OUT SEED COUNT

Writes tails_N.c to OUT for each of COUNT seeds N from SEED on, for rig/link-tails. The programs do
not use what the driver's JIT is known to compile wrongly (selftests/xdp/KNOWN.rst): shifts by
registers, quotients, copies from packet to packet without a change, and single bytes through
pointers to a caller's stack.
"""

import random
import sys

ROOM = 60		# bytes of the packet that a program may access
SEEN = range(16, 40)	# bytes that decide branches and indices
MADE = range(40, ROOM)	# bytes of a packet that the programs write
CYCLIC = 0.25		# share of objects with cycles


class Array:
    """A prog array: the program of each slot, None for an empty slot."""

    def __init__(self, rng, number, progs, first):
        self.name = f"jumps{number}"
        size = rng.choice([1, 2, 3, 4, 4, 8, 8, 11])
        self.slot = [rng.choice([None, *progs[first:]]) if rng.random() < 0.9 else None
                     for _ in range(size)]
        self.least = min((progs.index(s) for s in self.slot if s), default=len(progs))

    def source(self, late):
        """The definition. With late, --slot options fill the slots."""
        if late or not any(self.slot):
            return f"MAP({self.name}, PROG_ARRAY, {len(self.slot)}, __u32, __u32);"
        values = ", ".join(f"[{i}] = {s}" for i, s in enumerate(self.slot) if s)
        return f"JUMPS({self.name}, {len(self.slot)}, {values});"

    def options(self, late):
        if not any(self.slot):
            return [f"--slot {self.name}:none"]
        if not late:
            return []
        return [f"--slot {self.name}:{i}={s}" for i, s in enumerate(self.slot) if s]


class Tails:
    """Programs joined by tail calls; the first one is the entry."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        rng = self.rng
        self.progs = ["entry"] + [f"p{i}" for i in range(1, rng.randint(2, 7))]
        self.cyclic = rng.random() < CYCLIC
        self.events = rng.random() < 0.3
        self.heads = not self.cyclic and rng.random() < 0.3
        self.mark = 0
        first = 0 if self.cyclic and rng.random() < 0.3 else 1
        self.arrays = [Array(rng, i, self.progs, first if not i or self.cyclic else
                             rng.randint(1, len(self.progs) - 1))
                       for i in range(rng.randint(1, 3))]
        # Without cycles an array leads only to programs after those that use it (program()).
        self.late = [rng.random() < 0.25 for _ in self.arrays]
        self.funcs = []
        for i in range(rng.choice([0, 1, 1, 2, 3])):
            self.funcs.append(self.function(i))

    # ---- statements ----

    def seen(self):
        return f"P8({self.rng.choice(SEEN)})"

    def index(self, array, n=None):
        """An index: constant, masked, arbitrary, or too large."""
        rng, size = self.rng, len(array.slot)
        value = n or self.seen()
        kind = rng.random()
        if kind < 0.35:
            return str(rng.randrange(size))
        if kind < 0.7:
            return f"{value} & {rng.choice([1, 3, 7])}"
        if kind < 0.8:
            return f"({value} & {rng.choice([1, 3])}) + {rng.randint(1, size)}"
        if kind < 0.95:
            return n or f"P{rng.choice([8, 8, 16])}({rng.choice(SEEN)})"
        return f"{size} + {value}"

    def tail(self, arrays, n=None):
        array = self.rng.choice(arrays)
        self.mark += 1
        macro = "TAIL" if n else "GO_NR"
        return f"{macro}(&{array.name}, {self.index(array, n)}, {self.mark});"

    def change(self):
        """A statement that changes the packet."""
        rng = self.rng
        to = rng.choice(MADE)
        kind = rng.randrange(4)
        if kind == 0:
            return f"TRACE({rng.randint(1, 9)});"
        if kind == 1:
            return f"P8({to}) += {self.seen()} + {rng.randint(1, 200)};"
        if kind == 2:
            to = rng.choice(range(MADE[0], ROOM - 3, 4))
            return f"P32({to}) ^= P32({rng.choice(SEEN[:-3])}) * {rng.randint(3, 99)} + 1;" \
                if rng.random() < 0.3 else f"P32({to}) += {rng.randint(1, 1 << 30)};"
        return f"P16({rng.choice(MADE[:-1])}) ^= {self.seen()} << {rng.randint(1, 8)};"

    def map_use(self):
        rng = self.rng
        if rng.random() < 0.6:
            return f"count({rng.randrange(8)});"
        if rng.random() < 0.5:
            return f"put({self.seen()} & 7, P32({rng.choice(SEEN[:-3])}));"
        return f"P32({rng.choice(range(MADE[0], ROOM - 3, 4))}) += get({self.seen()} & 7) | 1;"

    def guard(self, text):
        """The statement, in two of three cases under a condition."""
        if self.rng.random() < 0.35:
            return text
        bit = 1 << self.rng.randrange(8)
        return f"if ({self.seen()} & {bit})\n\t\t{text}"

    def again(self, no):
        return f"PACKET_AGAIN(ctx, {ROOM}, {no});"

    def call(self, func):
        rng = self.rng
        text = f"got += {func['name']}(ctx, {self.seen()}{', s' if func['state'] else ''});"
        if func["state"]:
            text = f"s[0] = {self.seen()};\n\t{text}\n\tgot += s[1] & 0xffff;"
        if rng.random() < 0.15:
            return f"REPEAT({rng.randint(2, 4)}, {self.call_in_loop(func)});"
        return f"{text}\n\t{self.again('XDP_ABORTED')}\n\tP8({rng.choice(MADE)}) += got;"

    @staticmethod
    def call_in_loop(func):
        return f"got += {func['name']}(ctx, i_{', s' if func['state'] else ''})"

    def head(self):
        """A statement that moves the head of the packet."""
        n = self.rng.choice([-4, -2, 2, 4])
        text = f"if (bpf_xdp_adjust_head(ctx, {n}))\n\t\treturn XDP_DROP;\n\t" + \
            self.again("XDP_ABORTED")
        if n < 0:
            text += f"\n\tP16(0) = 0x1{self.rng.randint(100, 999)};"
            text += "\n\tP16(2) = 0x5678;" if n == -4 else ""
        return text

    def loop(self, arrays):
        array = self.rng.choice(arrays)
        step = self.rng.choice(["i_", f"i_ + ({self.seen()} & 3)", f"{self.seen()} + i_"])
        self.mark += 1
        return f"REPEAT({self.rng.randint(2, 6)}, TAIL(&{array.name}, {step}, {self.mark}));"

    # ---- functions and programs ----

    def function(self, number):
        """A function; functions after it and programs may call it."""
        rng = self.rng
        arrays = rng.sample(self.arrays, rng.randint(0, len(self.arrays)))
        below = [f for f in self.funcs if rng.random() < 0.4]
        func = {
            "name": f"f{number}", "state": rng.random() < 0.4,
            "least": min([a.least for a in arrays] + [f["least"] for f in below],
                         default=len(self.progs)),
            "depth": 1 + max([f["depth"] for f in below], default=0),
            "reach": {s for a in arrays for s in a.slot if s}.union(
                *(f["reach"] for f in below)),
        }
        body = []
        for below_func in below:
            s = ", s" if below_func["state"] and func["state"] else \
                ", own" if below_func["state"] else ""
            if s == ", own":
                body.append(f"own[0] = n + {rng.randint(1, 9)};")
            body.append(f"got += {below_func['name']}(ctx, n + {rng.randint(0, 9)}{s});")
        if func["state"]:
            body.append("s[1] += s[0] + n;")
        for _ in range(rng.randint(1, 2) if arrays else 0):
            body.append(self.guard_n(self.tail(arrays, "n")))
        if self.events and rng.random() < 0.5:
            body.append("say(ctx, n);")
        if rng.random() < 0.5:
            body.append(f"got += trace(ctx, {rng.randint(1, 9)});")
        rng.shuffle(body)
        params = "struct xdp_md *ctx, __u32 n" + (", __u32 *s" if func["state"] else "")
        lines = ["__u32 got = 1;"] + (["__u32 own[2] = { 0, 1 };"] if any(
            "own" in b for b in body) else [])
        lines += [""] + (["if (!s)\n\t\treturn 0;"] if func["state"] else [])
        func["source"] = f"static __noinline int {func['name']}({params})\n{{\n" + "".join(
            f"\t{x}\n" if x else "\n" for x in lines + body) + "\treturn got & 0xff;\n}\n"
        return func

    def guard_n(self, text):
        if self.rng.random() < 0.5:
            return text
        return f"if (n & {1 << self.rng.randrange(4)})\n\t\t{text}"

    def program(self, number):
        rng = self.rng
        arrays = [a for a in self.arrays if self.cyclic or a.least > number]
        # A program must not call a function from which a tail call may lead back to the program.
        inside = {p for f in self.funcs for p in f["reach"]}
        funcs = [f for f in self.funcs if (f["least"] > number if not self.cyclic else
                                           self.progs[number] not in self.closure(inside))]
        body = []
        for _ in range(rng.randint(1, 4)):
            body.append(self.guard(rng.choice([self.change, self.map_use])()))
        for _ in range(rng.choice([0, 0, 1, 2]) if funcs else 0):
            body.append(self.call(rng.choice(funcs)))
        if self.events and rng.random() < 0.4:
            body.append(f"say(ctx, {rng.randint(1, 99)});")
        if self.heads and rng.random() < 0.4:
            body.append(self.head())
        for _ in range(rng.choice([0, 1, 1, 2]) + (not number) if arrays else 0):
            body.append(self.guard(self.tail(arrays)))
        if arrays and not self.cyclic and rng.random() < 0.2:
            body.append(self.loop(arrays))
        rng.shuffle(body)
        if arrays:
            body.append(self.tail(arrays))
        lines = ["__u32 got = 0;", "__u32 s[2] = { 0, 1 };", ""]
        verdict = rng.choice([f"VERDICT(got + {self.seen()})", f"VERDICT({self.seen()})",
                              "XDP_PASS", "XDP_TX", "XDP_DROP"])
        return f"PROGRAM({self.progs[number]}, {ROOM})\n{{\n" + "".join(
            f"\t{x}\n" if x else "\n" for x in lines + body) + \
            f"\tUSED(got, s);\n\treturn {verdict};\n}}\n"

    def closure(self, progs):
        """Programs that progs may reach in an object with cycles: all programs in any array."""
        return progs | {s for a in self.arrays for s in a.slot if s} if progs else set()

    def source(self, seed):
        options = ["--loop"] if self.cyclic else []
        for array, late in zip(self.arrays, self.late):
            options += array.options(late)
        progs = [self.program(i) for i in range(len(self.progs))]
        declared = "".join(f"int {p}(struct xdp_md *ctx);\n" for p in self.progs)
        arrays = "".join(a.source(late) + "\n" for a, late in zip(self.arrays, self.late))
        text = "".join(progs)
        used = []
        for func in reversed(self.funcs):
            if f" {func['name']}(" in text:
                used.insert(0, func["source"])
                text += func["source"]
        return f"""// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* link: {' '.join(options)}
 * seed {seed} of selftests/fuzz/xdp/tails.py
 */
#include "selftests/fuzz/xdp/tails_random.h"

{declared}{arrays}
""" + "\n".join(used + progs[::-1])


def main():
    out, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for n in range(seed, seed + count):
        with open(f"{out}/tails_{n}.c", "w", encoding="utf-8") as f:
            f.write(Tails(n).source(n))
    return 0


if __name__ == "__main__":
    sys.exit(main())
