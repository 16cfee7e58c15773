#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Print a C program with random functions for mecc and the host's compiler.

usage: gen.py SEED COUNT

All that the two could do differently is left out: the order of evaluation, uninitialised
variables, shifts by more than the width, divisions by 0, and the order of bytes in memory. Signed
numbers wrap: compile with -fwrapv.
"""

import random
import sys

TYPES = ("u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64")
BITS = {t: int(t[1:]) for t in TYPES}
NUMBERS = (0, 1, 2, 3, 7, 10, 31, 100, 127, 128, 255, 256, 1000, 32767, 32768, 65535, 65536,
           0x12345678, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff)
FIELDS = ("a", "b", "c", "d", "e", "f", "g", "h")


class Function:
    """A random function. Variables are names and types; arrays have a length, too."""

    def __init__(self, rng, n, callees=6):
        self.rng = rng
        self.n = n
        self.callees = callees
        self.vars = {f"v{i}": rng.choice(TYPES) for i in range(rng.randint(3, 8))}
        self.arrays = {}
        self.globals = []
        self.loops = []
        self.depth = 0
        self.indent = 1
        self.lines = []
        self.helpers = {}
        kinds = ("", "", "static", "static", "static __emem")
        for i in range(rng.randint(0, 3)):
            kind, name = rng.choice(kinds), f"a{n}_{i}"
            kind_type, length = rng.choice(TYPES), rng.choice((4, 8, 11, 16))
            self.arrays[name] = (kind_type, length, kind)
        self.record = rng.random() < 0.5
        self.record_type = [rng.choice(TYPES) for _ in FIELDS]
        self.record_bits = [rng.random() < 0.2 for _ in FIELDS]
        self.record_kind = rng.choice(("static", "static __emem", ""))
        self.records = rng.choice((1, 1, 3))

    def pick(self, *choices):
        return self.rng.choice(choices)()

    # ---- expressions ----

    def number(self):
        v = self.rng.choice(NUMBERS)
        if self.rng.random() < 0.3:
            v = self.rng.getrandbits(self.rng.choice((4, 8, 16, 32)))
        if self.rng.random() < 0.1:
            return f"{self.rng.getrandbits(64):#x}ull"
        return f"{v}u" if self.rng.random() < 0.5 else f"(s32){v}u"

    def index(self, length):
        if length & (length - 1):
            return f"(u32)({self.expr()}) % {length}u"
        return f"({self.expr()}) & {length - 1}"

    def field(self):
        at = f"[{self.index(4)} % 3u]" if self.records > 1 else ""
        return f"r{self.n}{at}.{self.rng.choice(FIELDS)}"

    def leaf(self):
        kind = self.rng.random()
        if kind < 0.2:
            return self.number()
        if kind < 0.3:
            return f"in[{self.rng.randint(0, 7)}]"
        if kind < 0.4 and self.loops:
            return self.rng.choice(self.loops)
        if kind < 0.6 and self.arrays and self.depth < 4:
            name = self.rng.choice(list(self.arrays))
            return f"{name}[{self.index(self.arrays[name][1])}]"
        if kind < 0.7 and self.record and self.depth < 4:
            return self.field()
        return self.rng.choice(list(self.vars))

    def binary(self):
        op = self.rng.choice(("+", "-", "*", "&", "|", "^", "+", "-", "&"))
        return f"({self.expr()} {op} {self.expr()})"

    def shift(self):
        t = self.rng.choice(TYPES)
        n = self.rng.randint(0, BITS[t] - 1)
        by = str(n) if self.rng.random() < 0.6 else f"({self.expr()} & {BITS[t] - 1})"
        return f"(({t})({self.expr()}) {self.rng.choice(('<<', '>>'))} {by})"

    def compare(self):
        op = self.rng.choice(("<", "<=", ">", ">=", "==", "!="))
        return f"({self.expr()} {op} {self.expr()})"

    def divide(self):
        t = self.rng.choice(("u8", "u16", "u32", "s8", "s16", "s32", "u64", "s64"))
        by = self.rng.choice((1, 2, 3, 5, 7, 10, 13, 16, 60, 100, 641, 1000, 4096))
        if BITS[t] == 64:
            by = self.rng.choice((1, 2, 8, 256, 65536))
        elif t == "u32" and self.rng.random() < 0.2:
            by = self.rng.choice((0x10001, 0x7fffffff, 0x80000000, 0x80000001, 0xffffffff))
        elif t[0] == "s" and self.rng.random() < 0.3:
            return f"(({t})({self.expr()}) {self.rng.choice(('/', '%'))} -{by + 1})"
        op, end = self.rng.choice(("/", "%")), "u" if t[0] == "u" else ""
        return f"(({t})({self.expr()}) {op} {by}{end})"

    def unary(self):
        return f"({self.rng.choice(('-', '~', '!'))}{self.expr()})"

    def cast(self):
        return f"(({self.rng.choice(TYPES)}){self.expr()})"

    def choose(self):
        return f"({self.compare()} ? {self.expr()} : {self.expr()})"

    def logic(self):
        return f"({self.compare()} {self.rng.choice(('&&', '||'))} {self.expr()})"

    def call(self):
        if not self.callees or self.depth > 2:
            return self.leaf()
        return f"h{self.rng.randrange(self.callees)}({self.expr()}, {self.expr()})"

    def expr(self):
        self.depth += 1
        limit = 1 + (len(self.lines) + self.n) % 3 % 2 + (self.n % 8 == 0)
        if self.depth > limit or self.rng.random() < 0.2:
            e = self.leaf()
        else:
            e = self.pick(self.binary, self.binary, self.binary, self.shift, self.compare,
                          self.cast, self.divide, self.unary, self.choose, self.logic, self.call)
        self.depth -= 1
        return e

    # ---- statements ----

    def line(self, text):
        self.lines.append("\t" * self.indent + text)

    def target(self):
        kind = self.rng.random()
        if kind < 0.25 and self.arrays:
            name = self.rng.choice(list(self.arrays))
            return f"{name}[{self.index(self.arrays[name][1])}]"
        if kind < 0.4 and self.record:
            return self.field()
        return self.rng.choice(list(self.vars))

    def assign(self):
        op = self.rng.choice(("=", "=", "=", "+=", "-=", "^=", "|=", "&=", "*="))
        self.line(f"{self.target()} {op} {self.expr()};")

    def body(self, n):
        self.indent += 1
        for _ in range(self.rng.randint(1, n)):
            self.statement()
        self.indent -= 1

    def branch(self):
        self.line(f"if ({self.rng.choice((self.compare, self.logic, self.expr))()}) {{")
        self.body(2)
        if self.rng.random() < 0.5:
            self.line("} else {")
            self.body(2)
        self.line("}")

    def loop(self):
        if len(self.loops) == 2:
            self.assign()
            return
        i = f"i{len(self.loops)}"
        most = self.rng.randint(1, 6)
        end = str(most) if self.rng.random() < 0.5 else f"(u32)({self.expr()}) % {most + 1}u"
        self.line(f"{{ u32 end{len(self.loops)} = {end}, {i};")
        self.line(f"for ({i} = 0; {i} < end{len(self.loops)}; {i}++) {{")
        self.loops.append(i)
        self.body(3)
        if self.rng.random() < 0.3:
            self.line(f"\tif ({self.compare()}) {self.rng.choice(('break', 'continue'))};")
        self.loops.pop()
        self.line("} }")

    def switch(self):
        self.line(f"switch ({self.expr()} & 7) {{")
        for v in sorted(self.rng.sample(range(8), self.rng.randint(1, 5))):
            self.line(f"case {v}:")
            self.body(1)
            if self.rng.random() < 0.8:
                self.line("\tbreak;")
        if self.rng.random() < 0.5:
            self.line("default:")
            self.body(1)
            self.line("\tbreak;")
        self.line("}")

    def statement(self):
        if self.indent > 3:
            self.assign()
            return
        self.pick(self.assign, self.assign, self.assign, self.assign, self.branch, self.loop,
                  self.switch)

    # ---- the function ----

    def record_text(self):
        text = f"{self.record_kind} struct {{"
        for name, t, bits in zip(FIELDS, self.record_type, self.record_bits):
            width = f" : {self.rng.randint(1, BITS[t])}" if bits and BITS[t] == 32 else ""
            text += f" {t} {name}{width};"
        return text + f" }} r{self.n}" + (f"[{self.records}]" if self.records > 1 else "")

    def text(self):
        outer, inner = [], []
        for name, (t, length, kind) in self.arrays.items():
            if kind:
                outer.append(f"{kind} {t} {name}[{length}];")
            else:
                inner.append(f"\t{t} {name}[{length}] = {{ 0 }};")
        if self.record:
            if self.record_kind:
                outer.append(self.record_text() + ";")
            else:
                zeros = "{ { 0 } }" if self.records > 1 else "{ 0 }"
                inner.append(f"\t{self.record_text()} = {zeros};")
        for i, (name, t) in enumerate(self.vars.items()):
            inner.append(f"\t{t} {name} = ({t})(in[{i % 8}] * {2 * i + 1}u);")
        for _ in range(self.rng.randint(2, 5)):
            self.statement()
        out = []
        for i, (name, t) in enumerate(self.vars.items()):
            v = f"(u32){name} ^ (u32)((u64){name} >> 32)"
            out.append(f"\tout[{i % 8}] {'=' if i < 8 else '^='} {v};")
        head = [f"void f{self.n}(void)", "{"]
        return "\n".join(outer + head + inner + self.lines + out + ["}", ""])


def helper(rng, n):
    """A function that others call: mecc inlines it, or does not."""
    f = Function(rng, 0, n)
    f.arrays, f.record = {}, False
    if rng.random() < 0.3:
        f.arrays["la"] = rng.choice(TYPES), 8, ""
    types = rng.choice(TYPES), rng.choice(TYPES), rng.choice(TYPES)
    f.vars = {"x": types[1], "y": types[2]}
    for _ in range(rng.randint(0, 1)):
        f.statement()
    lines = "\n".join([f"\t{kind} {name}[{length}] = {{ x, y }};"
                       for name, (kind, length, _) in f.arrays.items()] + f.lines)
    inline = rng.choice(("", "__attribute__((noinline)) "))
    head = f"static {inline}{types[0]} h{n}({types[1]} x, {types[2]} y)"
    return f"{head}\n{{\n{lines}\n\treturn {f.expr()};\n}}\n"


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    print(f"/* gen.py {seed} {count} */\n#include \"prog.h\"\n")
    for n in range(6):
        print(helper(rng, n))
    for n in range(1, count + 1):
        print(Function(rng, n).text())
    print("#define ENTRIES(X) " + " ".join(f"X(f{n})" for n in range(1, count + 1)))


if __name__ == "__main__":
    main()
