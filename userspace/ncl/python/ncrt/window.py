# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""A received window."""

from . import abi


class Window:
    """w["name"] is an argument or a field. A value is a number. An array is a memoryview into the
    window; numpy.asarray() accepts it. Arguments and fields may be written before
    Session.answer().

    kernel: name of the outgoing kernel; seq, invocation, len, flags: fields of the header;
    from_, to: labels of nodes, None for node 0
    """

    def __init__(self, raw, kernel, fields, label):
        self._raw, self._kernel, self._fields = raw, kernel, fields
        self._bytes = memoryview(raw).cast("B")[abi.Window.data.offset:][:raw.size]
        self.kernel = kernel.name
        self.seq, self.invocation, self.len = raw.seq, raw.invocation, raw.len
        self.flags, self.from_, self.to = raw.flags, label(raw.from_), label(raw.to)

    def _item(self, name):
        for item in self._kernel.args:
            if item.name == name:
                return item
        if name in self._fields:
            return self._fields[name]
        raise KeyError(f"{self.kernel} has no argument and no field {name}")

    def _part(self, item):
        return self._bytes[item.offset:item.offset + max(item.count, 1) * item.type.size]

    def __getitem__(self, name):
        item = self._item(name)
        part = self._part(item)
        if not item.count:
            return item.type.unpack(part)
        return part.cast(item.type.letter) if item.type.letter else part

    def __setitem__(self, name, value):
        item = self._item(name)
        part = self._part(item)
        if not item.count:
            part[:] = item.type.pack(value)
            return
        data = memoryview(value).cast("B")
        if len(data) > len(part):
            raise ValueError(f"{len(data)} bytes for {name}, which has {len(part)}")
        part[:len(data)] = data

    def args(self):
        """All arguments, by name."""
        return {item.name: self[item.name] for item in self._kernel.args}
