#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Write a program of the network as plain C for the host, with a table of its parts (model.h).

usage: wrap.py SOURCE PROG.ncd PLACE [NET.and]

Standard output is SOURCE, in C or C++, and after it the table of the kernels and variables at
PLACE. This script computes the offsets in windows from the types again, as ncp.h describes them,
and compares them with the description. The first comment of the source may have settings for the
frames: "seq: N", windows have numbers below N (default: any number); "fill: random", variables
start with random values.
"""

import os
import re
import sys

SIZES = {"i8": 1, "u8": 1, "bool": 1, "i16": 2, "u16": 2, "i32": 4, "u32": 4, "f32": 4,
         "i64": 8, "u64": 8, "f64": 8}
TYPES = {"bool": "bool", "f32": "float", "f64": "double"}


def size_of(kind):
    return SIZES[kind] if kind in SIZES else int(kind.removeprefix("bytes"))


def type_of(kind):
    return TYPES.get(kind) or f"{'u' if kind[0] == 'u' else ''}int{kind[1:]}_t"


class Description:
    """The part of PROG.ncd that is about one place."""

    def __init__(self, path, place, text):
        self.place = place
        self.text = text
        self.devices = 0
        self.nodes, self.fields, self.kernels, self.vars = {}, [], [], []
        with open(path, encoding="utf-8") as f:
            for line in f:
                word, *rest = line.split()
                take = getattr(self, f"take_{word}", None)
                if take:
                    take(*rest)

    def take_program(self, name, digits):
        self.name, self.hash = name, int(digits, 16)

    def take_node(self, number, label, kind):
        self.nodes[label] = int(number)
        self.devices |= (kind == "device") << int(number)

    def take_field(self, name, kind, offset):
        self.fields.append((name, size_of(kind), int(offset)))

    def take_kernel(self, number, name, way, size, _mask, places):
        self.kernels.append({
            "id": int(number), "name": name, "out": way == "out", "size": int(size), "args": [],
            "here": places == "-" or self.place in places.split(",")})

    def take_arg(self, number, name, kind, count, offset, *ext):
        if not ext:
            self.kernel(int(number))["args"].append((name, kind, int(count), int(offset)))

    def kernel(self, number):
        return next(k for k in self.kernels if k["id"] == number)

    def take_var(self, name, place, kind, ctrl, elem, dims, bpf_map, *layout):
        if place not in ("-", self.place):
            return
        if re.search(rf"^[ \t]+static\b[^;(]*\b{name}\b", self.text, re.M):
            return      # of a kernel: its effects are seen, it is not
        self.vars.append({"name": name, "kind": kind, "ctrl": ctrl == "ctrl", "elem": elem,
                          "dims": [int(d) for d in dims.split("x")] if dims != "-" else [],
                          "map": bpf_map, "layout": layout})

    def layout_is_that_of_ncp(self):
        """Compute offsets of fields and arguments. Each is aligned to its size, at most to 8."""
        for k in self.kernels:
            at = 0
            for name, size, offset in self.fields:
                at = aligned(at, size, 1)
                if offset != at:
                    return f"field {name} is at {offset}, ncp.h says {at}"
                at += size
            for name, kind, count, offset in k["args"]:
                size = size_of(kind)
                at = aligned(at, size, count)
                if offset != at:
                    return f"{k['name']}: {name} is at {offset}, ncp.h says {at}"
                at += size * (count or 1)
            if k["out"] and at != k["size"]:
                return f"{k['name']} has {k['size']} bytes, ncp.h says {at}"
        return None


def aligned(at, size, _count):
    unit = min(size & -size, 8)
    return (at + unit - 1) // unit * unit


def symbol_of(text, kernel, place):
    """Find the function of a kernel at the place: by _as_(), or by the kernel's name.

    Where a macro has the _at_(), it is the version that names no place.
    """
    found = kernel
    for specifiers, name in re.findall(r"\b_net_\b([^;{}=]*?)\bvoid\s+(\w+)\s*\(", text):
        at = re.search(r"_at_\s*\(([^)]*)\)", specifiers)
        if f'_as_("{kernel}")' not in specifiers:
            continue
        if at and f'"{place}"' in at.group(1):
            return name
        if not at:
            found = name
    return found


def numbered(text, kernel, node):
    """Find the function with these numbers of _kernel() and _at(), in NetCL's dialect."""
    for name, numbers in re.findall(r"^#define\s+(\w+)\s+(\d[\d, ]*)$", text, re.M):
        text = re.sub(rf"\b{name}\b", numbers, text)
    for at, name in re.findall(rf"(?:_at\(([^)]*)\)\s*)?_kernel\({kernel}\)\s*void\s+(\w+)", text):
        if not at or str(node) in at.replace(",", " ").split():
            return name
    return None


def groups(nets, place):
    """Return (number, place is a member, a member is a device) of each group of an AND file."""
    devices, found = set(), []
    for net in nets:
        with open(net, encoding="utf-8") as f:
            for line in f:
                words = line.split("#")[0].split()
                if words[:1] == ["device"]:
                    devices.add(words[1])
                if words[:1] == ["multicast"]:
                    found.append((int(words[1]), place in words[2:], bool(devices & set(words[2:]))))
    return found


# ---- the table ----

def kernel_call(k, cpp):
    args = []
    for _, kind, count, offset in k["args"]:
        if cpp:
            args.append(f"{'model_array' if count else 'model_value'}{{data + {offset}}}")
        elif count:
            args.append(f"(void *)(data + {offset})")
        else:
            args.append(f"*({type_of(kind)} *)(data + {offset})")
    return f"""static void model_call_{k['id']}(uint8_t *data)
{{
	(void)data;
	{k['symbol']}({', '.join(args)});
}}

static const struct model_arg model_args_{k['id']}[] = {{
""" + "".join(f'\t{{ "{n}", {o}, {size_of(t)}, {c}, {int(t == "bool")} }},\n' for n, t, c, o in k["args"]) + \
        "\t{ 0, 0, 0, 0, 0 }\n};\n"


def kernel_entry(k):
    count = next((c for _, _, c, _ in k["args"] if c), 0)
    return (f'\t{{ "{k["name"]}", {k["id"]}, {k["size"]}, {count}, {len(k["args"])}, '
            f'{int(k["here"])}, model_call_{k["id"]}, model_args_{k["id"]} }},\n')


def table_calls(v):
    """Return functions by which a host accesses a table of keys."""
    n = v["name"]
    if v["kind"] == "lookup":
        return f"""static int model_put_{n}(const void *key, const void *value)
{{
	return ncl::model_table_put({n}, key, value);
}}

static const void *model_get_{n}(const void *key)
{{
	return ncl::model_table_get({n}, key);
}}
"""
    return f"""static int model_put_{n}(const void *key, const void *value)
{{
	return model_put(MODEL_ENTRIES({n}), key, sizeof({n}.list[0].key), value,
			 sizeof({n}.list[0].value));
}}

static const void *model_get_{n}(const void *key)
{{
	return model_find({n}.list, {n}.n, sizeof({n}.list[0]),
			  offsetof(__typeof__({n}.list[0]), value), key, sizeof({n}.list[0].key));
}}
"""


def is_table(v):
    return v["kind"] != "array"


def var_entry(v):
    head = f'\t{{ "{v["name"]}", "{v["map"]}", (uint8_t *)&{v["name"]}, '
    if is_table(v):
        _, _, key, value = v["layout"][:4]
        entries = v["dims"][0]
        return head + (f"0, 0, 0, 0, 0, 0, {int(v['ctrl'])}, model_put_{v['name']}, "
                       f"model_get_{v['name']}, {key}, {value}, {entries} }},\n")
    order, per, size = v["layout"][:3]
    dims = v["dims"] + [1] * (2 - len(v["dims"]))
    rows, columns = dims[0], 1
    for d in dims[1:]:
        columns *= d
    return head + (f"{size_of(v['elem'])}, {rows}, {columns}, {per}, {size}, "
                   f"{int(order == 'column')}, {int(v['ctrl'])}, 0, 0, 0, 0, 0 }},\n")


def size_check(v):
    """Return checks that the description has the right size of each variable."""
    n = v["name"]
    if v["kind"] == "lookup":
        return ""
    if is_table(v):
        _, _, key, value = v["layout"][:4]
        return (f"typedef char model_is_{n}[sizeof({n}.list[0].key) == {key} && "
                f"sizeof({n}.list[0].value) == {value} ? 1 : -1];\n")
    total = size_of(v["elem"])
    for d in v["dims"]:
        total *= d
    return f"typedef char model_is_{n}[sizeof({n}) == {total} ? 1 : -1];\n"


CPP = """
struct model_array {
	uint8_t *at;
	template<class T> operator T *() const { return reinterpret_cast<T *>(at); }
};

struct model_value {
	uint8_t *at;
	template<class T> operator T &() const { return *reinterpret_cast<T *>(at); }
};
"""


def wrapper(source, d, cpp, nets):
    with open(source, encoding="utf-8") as f:
        text = f.read()
    seqs = re.search(r"\bseq: (\d+)", text.split("*/")[0])
    fill = int("fill: random" in text.split("*/")[0])
    out = [k for k in d.kernels if k["out"]]
    for k in out:
        k["symbol"] = symbol_of(text, k["name"], d.place)
        k["symbol"] = numbered(text, k["id"], d.nodes[d.place]) or k["symbol"]
    nodes = "".join(f'\tif (!strcmp(label, "{label}"))\n\t\treturn {n};\n'
                    for label, n in d.nodes.items())
    fields = "".join(f"\t{{ {offset}, {size}, (uint16_t)__builtin_offsetof("
                     f"__typeof__(window), {name}) }},\n" for name, size, offset in d.fields)
    members = "".join(f"\t{{ {n}, {int(here)}, {int(devices)} }},\n" for n, here, devices in nets)
    return f"""#define main model_main
#include "{os.path.abspath(source)}"
#undef main

{'extern "C" {' if cpp else ''}
extern const struct ncl_program ncl_program __attribute__((weak));
const struct ncl_program ncl_program = {{ 0, 0, 0, 0, 0, 0, 0, 0 }};
extern const struct model_program model_program __attribute__((visibility("default")));
{'}' if cpp else ''}

static uint32_t model_node(const char *label)
{{
{nodes}	return 0;
}}
{CPP if cpp else ''}
{"".join(kernel_call(k, cpp) for k in out)}
{"".join(table_calls(v) for v in d.vars if is_table(v))}
{"".join(size_check(v) for v in d.vars)}
static const struct model_field model_fields[] = {{
{fields}	{{ 0, 0, 0 }}
}};

static const struct model_kernel model_kernels[] = {{
{"".join(kernel_entry(k) for k in out)}}};

static const struct model_var model_vars[] = {{
{"".join(var_entry(v) for v in d.vars)}	{{ 0 }}
}};

static const struct model_group model_groups[] = {{
{members}	{{ 0, 0, 0 }}
}};

const struct model_program model_program = {{
	"{d.name}", "{d.place}", {d.hash}, {d.nodes[d.place]}, {max(d.nodes.values())},
	{seqs.group(1) if seqs else 0}, {fill}, {d.devices}, &window, &location.id, &model_action, model_fields,
	model_kernels, model_vars, model_groups, {len(d.fields)}, {len(out)}, {len(d.vars)}, {len(nets)},
}};
"""


def main():
    if len(sys.argv) not in (4, 5):
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    source, path, place = sys.argv[1:4]
    with open(source, encoding="utf-8") as f:
        d = Description(path, place, f.read())
    wrong = d.layout_is_that_of_ncp()
    if wrong:
        print(f"wrap.py: {path}: {wrong}", file=sys.stderr)
        return 1
    print(wrapper(source, d, not source.endswith(".c"), groups(sys.argv[4:], place)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
