#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Random programs for nclc. Usage: kernels.py OUT SEED COUNT

Writes kernels_N.c to OUT for each of COUNT seeds N from SEED on, for ncl/compile.py. The programs
have no undefined behaviour: indices are masked, shifts are by constants, and arithmetic that may
overflow is unsigned.
"""

import random
import sys

UNSIGNED = ["uint8_t", "uint16_t", "uint32_t", "uint64_t"]
TYPES = UNSIGNED + ["int8_t", "int16_t", "int32_t", "int64_t"]
SIZE = {t: int("".join(c for c in t if c.isdigit())) // 8 for t in TYPES}
SEQS = 4		# window sequence numbers are below this
LABELS = ["w1", "w2", "s1", "s2", "far"]
EDGES = ["0u", "1u", "2u", "0x7fu", "0x80u", "0xffu", "0x7fffu", "0xffffu", "0x7fffffffu",
         "0x80000000u", "0xffffffffu"]


class Var:
    """A variable of the network. dims: powers of 2; fields: of a struct, or None."""

    def __init__(self, rng, number):
        self.name = f"v{number}"
        self.kind = rng.choice(["plain"] * 5 + ["ctrl", "count", "struct"])
        self.type = rng.choice(TYPES)
        if self.kind == "count":
            self.type = rng.choice(["uint32_t", "uint64_t", "int32_t", "int64_t"])
        self.dims = rng.choice([[], [4], [8], [16], [4, 4], [2, 8], [8, 2], [4, 8]])
        self.fields = None
        if self.kind == "struct":
            self.dims = rng.choice([[], [4], [8]])
            types = sorted(rng.choices(TYPES, k=rng.randint(2, 4)), key=lambda t: -SIZE[t])
            self.fields = [(f"f{i}", t) for i, t in enumerate(types)]
            self.type = f"struct s{number}"

    def source(self, at):
        dims = "".join(f"[{d}]" for d in self.dims)
        ctrl = "_ctrl_ " if self.kind == "ctrl" else ""
        text = f"_net_ {at}{ctrl}{self.type} {self.name}{dims};\n"
        if self.fields:
            body = "".join(f"\t{t} {f};\n" for f, t in self.fields)
            text = f"{self.type} {{\n{body}}};\n{text}"
        return text


class Kernel:
    """A kernel's statements. Names in scope are in self.locals and self.loops."""

    def __init__(self, program, number):
        self.p, self.rng, self.nr = program, program.rng, number
        rng = self.rng
        self.arrays = [(f"a{i}", rng.choice(TYPES), rng.randint(1, 6))
                       for i in range(rng.randint(0, 2))]
        self.values = [(f"x{i}", rng.choice(TYPES)) for i in range(rng.randint(0, 3))]
        if not self.arrays and not self.values:
            self.values = [("x0", "uint32_t")]
        self.locals, self.loops, self.made = [], [], 0
        self.budget = rng.randint(3, 8)
        self.lines = []

    # ---- numbers ----

    def index(self, size):
        """An expression that is below size, a power of 2."""
        rng = self.rng
        inside = [n for n, bound in self.loops if bound <= size]
        kind = rng.random()
        if inside and kind < 0.4:
            return rng.choice(inside)
        if kind < 0.6:
            return str(rng.randrange(size))
        if kind < 0.75 and size >= SEQS:
            return "window.seq"
        if inside and kind < 0.85:
            return f"({rng.choice(inside)} + {self.small()}) & {size - 1}"
        return f"{self.small()} & {size - 1}"

    def small(self):
        """A value of the window, for use in indices."""
        rng = self.rng
        names = [n for n, _ in self.values] + [n for n, t in self.locals if t == "uint32_t"]
        names += [f"window.{n}" for n in ["seq", "from", "invocation"] + self.p.field_names()]
        names += [f"{n}[{rng.randrange(c)}]" for n, _, c in self.arrays]
        return rng.choice(names)

    def element(self, var):
        text = var.name + "".join(f"[{self.index(d)}]" for d in var.dims)
        if var.fields:
            text += "." + self.rng.choice(var.fields)[0]
        return text

    def array_element(self):
        name, _, count = self.rng.choice(self.arrays)
        inside = [n for n, bound in self.loops if bound <= count]
        if inside and self.rng.random() < 0.7:
            return f"{name}[{self.rng.choice(inside)}]"
        return f"{name}[{self.rng.randrange(count)}]"

    def leaf(self):
        rng = self.rng
        kind = rng.random()
        read = [v for v in self.p.vars if v.kind != "count"]
        if read and kind < 0.35:
            return self.element(rng.choice(read))
        if self.arrays and kind < 0.6:
            return self.array_element()
        if self.locals and kind < 0.75:
            return rng.choice(self.locals)[0]
        if self.loops and kind < 0.8:
            return rng.choice(self.loops)[0]
        if self.values and kind < 0.92:
            return rng.choice(self.values)[0]
        names = ["seq", "len", "from", "to", "invocation"] + self.p.field_names()
        return rng.choice([f"window.{rng.choice(names)}", "location.id"])

    def constant(self):
        return self.rng.choice([self.rng.choice(EDGES), f"{self.rng.randrange(100)}u"])

    def number(self, depth=0):
        """An expression of type uint32_t."""
        rng = self.rng
        kind = rng.random()
        if depth > 2 or kind < 0.35:
            return f"(uint32_t){self.leaf()}" if rng.random() < 0.8 else self.constant()
        a = self.number(depth + 1)
        if kind < 0.7:
            return f"({a} {rng.choice(['+', '-', '^', '&', '|'])} {self.number(depth + 1)})"
        if kind < 0.78:
            return f"({a} {rng.choice(['<<', '>>'])} {rng.randint(1, 31)})"
        if kind < 0.82:
            return f"({a} * {rng.choice([3, 5, 7, 10, 100, 1000])}u)"
        if kind < 0.84:
            return f"({a} / {rng.choice([2, 3, 7, 10, 16, 1000])}u)"
        if kind < 0.88:
            return f"~{a}"
        if kind < 0.92:
            return f"(uint32_t)({self.wide(depth + 1)})"
        if kind < 0.95 and self.p.helpers:
            return f"{rng.choice(self.p.helpers)}({a}, {self.number(depth + 1)})"
        if kind < 0.97:
            return f"(uint32_t)((int32_t){a} >> {rng.randint(1, 31)})"
        return f"({self.condition(depth + 1)} ? {a} : {self.number(depth + 1)})"

    def wide(self, depth=0):
        """An expression of type uint64_t."""
        rng = self.rng
        a = f"(uint64_t){self.leaf()}"
        if depth > 2 or rng.random() < 0.4:
            return a
        if rng.random() < 0.3:
            return f"({a} {rng.choice(['<<', '>>'])} {rng.randint(1, 63)})"
        return f"({a} {rng.choice(['+', '-', '^', '&', '|'])} {self.wide(depth + 1)})"

    def condition(self, depth=0):
        rng = self.rng
        kind = rng.random()
        op = rng.choice(["<", ">", "<=", ">=", "==", "!="])
        if kind < 0.35:
            return f"{self.number(depth + 1)} {op} {self.number(depth + 1)}"
        if kind < 0.55:
            return f"(int32_t){self.leaf()} {op} (int32_t){self.number(2)}"
        if kind < 0.65:
            return f"(int64_t){self.leaf()} {op} (int64_t){self.leaf()}"
        if kind < 0.85 or depth > 1:
            return f"((uint32_t){self.leaf()} & {1 << rng.randrange(5)}u)"
        return f"({self.condition(depth + 1)} {rng.choice(['&&', '||'])} " \
            f"{self.condition(depth + 1)})"

    # ---- statements ----

    def put(self, text, depth):
        self.lines.append("\t" * depth + text)

    def assign(self, depth):
        rng = self.rng
        targets = [v for v in self.p.vars if v.kind in ("plain", "struct", "count")]
        kind = rng.random()
        if targets and kind < 0.6:
            var = rng.choice(targets)
            if var.kind == "count":
                self.put(f"{self.element(var)} += {rng.choice(['1u', self.number(1)])};", depth)
                return
            to = self.element(var)
        elif self.arrays and kind < 0.85:
            to = self.array_element()
        else:
            mine = [n for n, t in self.locals if t != "table"]
            if not mine:
                self.local(depth)
                return
            to = rng.choice(mine)
        value = self.number() if rng.random() < 0.75 else self.wide()
        self.put(f"{to} {rng.choice(['=', '=', '+=', '+=', '-=', '^=', '|=', '&='])} {value};",
                 depth)

    def local(self, depth):
        self.made += 1
        kind = self.rng.choice(["uint32_t", "uint32_t", "uint64_t", "int32_t", "uint16_t"])
        name = f"l{self.made}"
        self.put(f"{kind} {name} = {self.number()};", depth)
        self.locals.append((name, kind))

    def block(self, depth, most):
        """Statements with a scope of their own."""
        known = len(self.locals)
        for _ in range(self.rng.randint(1, most)):
            self.statement(depth)
        del self.locals[known:]

    def branch(self, depth):
        self.put(f"if ({self.condition()}) {{", depth)
        self.block(depth + 1, 2)
        if self.rng.random() < 0.5:
            self.put("} else {", depth)
            self.block(depth + 1, 2)
        self.put("}", depth)

    def switch(self, depth):
        self.put(f"switch ({self.number(1)} & 3) {{", depth)
        for case in self.rng.sample(range(4), 2):
            self.put(f"case {case}:", depth)
            self.block(depth + 1, 1)
            if self.rng.random() < 0.7:
                self.put("break;", depth + 1)
        self.put("}", depth)

    def loop(self, depth):
        name, bound = f"i{len(self.loops)}", self.rng.randint(2, 4)
        if self.arrays and self.rng.random() < 0.6:
            bound = self.rng.choice(self.arrays)[2]
        self.put(f"for (uint32_t {name} = 0; {name} < {bound}; {name}++) {{", depth)
        self.loops.append((name, bound))
        self.block(depth + 1, 2)
        if self.rng.random() < 0.2:
            self.put(f"if ({self.condition(1)})", depth + 1)
            self.put(self.rng.choice(["break;", "continue;"]), depth + 2)
        self.loops.pop()
        self.put("}", depth)

    def copy(self, depth):
        """A memcpy() between a row of a variable and an array of the window."""
        pairs = [(v, a) for v in self.p.vars if v.kind == "plain" and v.dims
                 for a in self.arrays if SIZE[v.type] == SIZE[a[1]]]
        if not pairs:
            self.assign(depth)
            return
        var, (name, kind, count) = self.rng.choice(pairs)
        count = min(count, var.dims[-1])
        row = var.name + "".join(f"[{self.index(d)}]" for d in var.dims[:-1])
        ways = [(row, name), (name, row)]
        to, source = self.rng.choice(ways)
        self.put(f"memcpy({to}, {source}, {count * SIZE[kind]});", depth)

    def look(self, depth):
        if not self.p.tables:
            self.assign(depth)
            return
        table, key, _ = self.rng.choice(self.p.tables)
        self.made += 1
        name = f"p{self.made}"
        self.put(f"const __typeof__(*ncl_get({table}, 0)) *{name} = "
                 f"ncl_get({table}, ({key}){self.leaf()});", depth)
        self.put(f"if ({name}) {{", depth)
        self.locals.append((f"*{name}", "table"))
        self.block(depth + 1, 2)
        self.locals.pop()
        self.put("} else {", depth)
        self.block(depth + 1, 1)
        self.put("}", depth)

    def action(self, depth):
        label = self.rng.choice(LABELS)
        self.put(self.rng.choice(["_drop();", "_reflect();", "_bcast();", "_pass();",
                                  f'_pass("{label}");']), depth)
        if depth > 1 and self.rng.random() < 0.3:
            self.put("return;", depth)

    def statement(self, depth):
        self.budget -= 1
        kind = self.rng.random()
        if depth > 3 or kind < 0.45 or self.budget < 0:
            self.assign(depth)
        elif kind < 0.52:
            self.local(depth)
        elif kind < 0.68:
            self.branch(depth)
        elif kind < 0.72:
            self.switch(depth)
        elif kind < 0.82 and len(self.loops) < 2:
            self.loop(depth)
        elif kind < 0.88:
            self.copy(depth)
        elif kind < 0.94:
            self.look(depth)
        else:
            self.action(depth)

    def source(self):
        rng = self.rng
        while self.budget > 0:
            self.statement(1)
        if rng.random() < 0.6:
            self.put(f"if ({self.condition(1)}) {{", 1)
            self.action(2)
            self.put("}", 1)
        args = [f"{t} *{n}" for n, t, _ in self.arrays] + [f"{t} {n}" for n, t in self.values]
        win = f"_win_({', '.join(str(c) for _, _, c in self.arrays)}) " if self.arrays else ""
        lock = rng.choice([""] * 4 + ["_nolock_ ", "_lock_(window.seq & 3) "])
        body = "\n".join(self.lines)
        return f"_net_ _out_ {self.p.at}{win}{lock}void k{self.nr}({', '.join(args)})\n" \
            f"{{\n{body}\n}}\n"


class Program:
    """A program: variables, tables, functions, kernels."""

    def __init__(self, seed):
        self.seed, self.rng = seed, random.Random(seed)
        rng = self.rng
        self.at = rng.choice(['_at_("s1") '] * 3 + [""])
        self.vars = [Var(rng, i) for i in range(rng.randint(1, 4))]
        self.tables = [(f"t{i}", rng.choice(UNSIGNED), rng.choice(UNSIGNED))
                       for i in range(rng.choice([0, 0, 1, 2]))]
        self.fields = [(f"w{i}", rng.choice(TYPES)) for i in range(rng.choice([0, 0, 1, 2]))]
        self.helpers = [f"h{i}" for i in range(rng.choice([0, 1, 2]))]
        self.kernels = [Kernel(self, i) for i in range(rng.choice([1, 1, 2]))]

    def field_names(self):
        return [n for n, _ in self.fields]

    def helper(self, name):
        rng = self.rng
        return f"static uint32_t {name}(uint32_t a, uint32_t b)\n{{\n" \
            f"\tif (a {rng.choice(['<', '>', '=='])} b)\n" \
            f"\t\treturn b {rng.choice('+-^')} {rng.randint(1, 1000)}u;\n" \
            f"\treturn a {rng.choice('+-^|&')} (b >> {rng.randint(1, 31)});\n}}\n\n"

    def source(self):
        fields = "".join(f" {t} {n};" for n, t in self.fields)
        kernels = [k.source() for k in self.kernels]
        return f"""// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* seed {self.seed} of selftests/fuzz/ncl/kernels.py. seq: {SEQS}. fill: random */
{f"#define NCL_WINDOW{fields}" if fields else ""}
#include <ncl.h>

{"".join(v.source(self.at) for v in self.vars)}\
{"".join(f"_net_ {self.at}ncl_map({k}, {v}, 8) {n};{chr(10)}" for n, k, v in self.tables)}
{"".join(self.helper(h) for h in self.helpers)}\
{chr(10).join(kernels)}"""


def main():
    out, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for n in range(seed, seed + count):
        with open(f"{out}/kernels_{n}.c", "w", encoding="utf-8") as f:
            f.write(Program(n).source())
    return 0


if __name__ == "__main__":
    sys.exit(main())
