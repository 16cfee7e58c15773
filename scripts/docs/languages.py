# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""The packages for Go and Python, as pages for Sphinx: what they export, and the comments on it."""

import ast
import inspect
import os
import re

from kerneldoc import Rest, heading, indented

REST = Rest(set(), False)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


# ---- Go ----

FUNC = re.compile(r"func (?:\(\w+ \*?([A-Z]\w*)(?:\[\w+\])?\) )?([A-Z]\w*)")
TYPE = re.compile(r"type ([A-Z]\w*)")
VALUES = re.compile(r"(?:const|var) (?:\(|[A-Z]\w*)")


def go_text(comments):
    out, lines = [], []
    for line in [re.sub(r"^// ?", "", c).expandtabs(8) for c in comments]:
        if line.startswith("# "):
            out += REST.blocks(lines) + [f".. rubric:: {line[2:]}", ""]
            lines = []
        else:
            lines.append(line)
    return out + REST.blocks(lines)


def go_block(lines, n):
    """The lines of a declaration from line n on, without what is not exported"""
    if not re.search(r"[({]$", lines[n]):
        return [lines[n]]
    end = next(i for i in range(n, len(lines)) if lines[i] in (")", "}"))
    return [lines[n], *[s for s in lines[n + 1:end] if re.match(r"\t(//|[A-Z*])", s)], lines[end]]


def go_items(path):
    """(name of the type or "", name, declaration, comments) of what a file exports"""
    lines = read(path).splitlines()
    comments = []
    for n, line in enumerate(lines):
        if line.startswith("//"):
            comments.append(line)
            continue
        func, kind, values = FUNC.match(line), TYPE.match(line), VALUES.match(line)
        if func:
            yield func[1] or "", func[2], [re.sub(r" \{.*$", "", line)], comments
        elif kind:
            yield kind[1], "", go_block(lines, n), comments
        elif values:
            block = go_block(lines, n)
            if len(block) != 2:
                yield "", "", block, comments
        comments = []


def go_page(folder):
    """The page of a package"""
    out = heading(f"Go: {os.path.basename(folder)}")
    doc = read(os.path.join(folder, "doc.go")).split("\n\n", 1)[1]
    out += go_text(re.findall(r"^//.*$", doc, re.M))
    found = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".go") and not name.endswith("_test.go"):
            found += go_items(os.path.join(folder, name))
    # Functions and values first, then each type with its methods
    for kind, name, block, comments in sorted(found, key=lambda i: (i[0], i[1])):
        title = ".".join(w for w in (kind, name) if w)
        if title:
            out += heading(title, "~" if kind and name else "-")
        out += [".. code-block:: go", "", *indented(block), "", *go_text(comments)]
    return "\n".join(out) + "\n"


# ---- Python ----

def docstring(node):
    return REST.blocks(inspect.cleandoc(ast.get_docstring(node, clean=False) or "").splitlines())


def signature(function, bound):
    args = ast.unparse(function.args)
    return re.sub(r"^(self|cls)(, )?", "", args) if bound else args


def methods(node):
    out = []
    for f in node.body:
        if not isinstance(f, (ast.FunctionDef, ast.AsyncFunctionDef)) or f.name.startswith("_"):
            continue
        decorators = [ast.unparse(d) for d in f.decorator_list]
        if "property" in decorators:
            out += [f".. py:property:: {f.name}", ""]
        else:
            out += [f".. py:method:: {f.name}({signature(f, True)})", ""]
            if isinstance(f, ast.AsyncFunctionDef):
                out.insert(-1, "   :async:")
        out += indented(docstring(f)) + [""]
    return out


def class_block(node, source):
    init = next((f for f in node.body if getattr(f, "name", "") == "__init__"), None)
    fields = [s for s in node.body if isinstance(s, ast.AnnAssign)]
    out = [f".. py:class:: {node.name}" + (f"({signature(init, True)})" if init else ""), ""]
    text = docstring(node)
    if fields:
        # With the comments behind the fields
        text += [".. code-block:: python", "",
                 *indented([source[f.lineno - 1].strip() for f in fields]), ""]
    return out + indented(text + methods(node)) + [""]


def python_page(folder):
    """The page of a package: what its __all__ names"""
    package = os.path.basename(folder)
    init = ast.parse(read(os.path.join(folder, "__init__.py")))
    out = heading(f"Python: {package}") + [f".. py:module:: {package}", ""] + docstring(init)
    for where in (s for s in init.body if isinstance(s, ast.ImportFrom)):
        text = read(os.path.join(folder, where.module + ".py"))
        names = {a.name for a in where.names}
        for node in ast.parse(text).body:
            if isinstance(node, ast.ClassDef) and node.name in names:
                out += class_block(node, text.splitlines())
            elif isinstance(node, ast.FunctionDef) and node.name in names:
                out += [f".. py:function:: {node.name}({signature(node, False)})", "",
                        *indented(docstring(node)), ""]
            elif isinstance(node, ast.Assign):
                out += python_values(node, names, text.splitlines())
    return "\n".join(out) + "\n"


def python_values(node, names, source):
    """Exported names of an assignment, with the comment on the line before it"""
    told = [n.id for t in node.targets for n in ast.walk(t) if isinstance(n, ast.Name)]
    out = []
    for name in (n for n in told if n in names):
        before = source[node.lineno - 2]
        out += [f".. py:data:: {name}", "", "   .. code-block:: python", "",
                *indented([source[node.lineno - 1]], 6), "",
                *indented(REST.blocks([before.lstrip("# ")] if before.startswith("#") else []))]
    return out
