# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""The parts of a description that Python needs: types of arguments, fields and variables."""

import struct

# By the first letter of a type: the format letters of struct for 1, 2, 4 and 8 bytes
_LETTERS = {"i": "bhiq", "u": "BHIQ"}
_SIZES = {1: 0, 2: 1, 4: 2, 8: 3}


class Type:
    """A type of the description: its size, and its format letter for struct and memoryview."""

    def __init__(self, name):
        self.name = name
        if name == "bool":
            self.size, self.letter = 1, "?"
        elif name.startswith("bytes"):
            self.size, self.letter = int(name[5:]), None
        else:
            self.size = int(name[1:]) // 8
            self.letter = "fd"[self.size // 8] if name[0] == "f" else \
                _LETTERS[name[0]][_SIZES[self.size]]

    def pack(self, value):
        if self.letter is None:
            value = bytes(value)
            if len(value) > self.size:
                raise ValueError(f"{len(value)} bytes for {self.name}")
            return value.ljust(self.size, b"\0")
        try:
            return struct.pack("<" + self.letter, value)
        except struct.error as err:
            raise ValueError(f"{value!r} is no value of type {self.name}: {err}") from None

    def unpack(self, data):
        return bytes(data) if self.letter is None else struct.unpack("<" + self.letter, data)[0]


class Item:
    """An argument or a field, with its position in a window."""

    def __init__(self, name, kind, count, offset, ext=False):
        self.name, self.type = name, Type(kind)
        self.count, self.offset, self.ext = int(count), int(offset), ext


class Kernel:
    def __init__(self, number, name, way):
        self.number, self.name, self.out = int(number), name, way == "out"
        self.args = []


class Variable:
    def __init__(self, kind, dims, layout):
        self.type = Type(kind)
        self.shape = () if dims == "-" else tuple(int(n) for n in dims.split("x"))
        self.key = Type(layout[1]) if layout[0] == "hash" else None


class Description:
    """A description. libncrt has read the same file without error, so no error is expected here."""

    def __init__(self, path):
        self.kernels, self.variables, self.fields = {}, {}, {}
        with open(path, encoding="ascii") as file:
            for line in file:
                words = line.split("#")[0].split()
                if words:
                    self._record(*words)

    def _record(self, what, *words):
        if what == "kernel":
            self.kernels[words[1]] = Kernel(*words[:3])
        elif what == "arg":
            kernel = self.kernel(int(words[0]))
            kernel.args.append(Item(*words[1:5], ext=len(words) > 5))
        elif what == "field":
            self.fields[words[0]] = Item(words[0], words[1], 0, words[2])
        elif what == "var":
            self.variables.setdefault(words[0], Variable(words[4], words[5], words[7:]))

    def kernel(self, number):
        return next(k for k in self.kernels.values() if k.number == number)
