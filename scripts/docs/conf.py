# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Sphinx: the site of `make docs`. scripts/docs/build has copied this file beside the pages."""

import os
import posixpath

from docutils import nodes

project = "nfp-chan"
author = "the authors of nfp-chan"
release = version = os.environ["NFPCHAN_VERSION"]
root_doc = "index"
html_theme = "alabaster"
html_theme_options = {"page_width": "72em", "fixed_sidebar": True}
html_sidebars = {"**": ["about.html", "searchbox.html", "globaltoc.html"]}
html_show_sourcelink = False
html_show_copyright = False
html_copy_source = False
highlight_language = "none"
smartquotes = False
MAN = "man"


def target(env, docname, text):
    """The page that a literal names: a path of the tree or of the page's folder, or a man page."""
    if text.endswith(".rst"):
        for folder in ("", posixpath.dirname(docname)):
            name = posixpath.join(folder, text.removesuffix(".rst"))
            if name in env.found_docs:
                return name
    name = posixpath.join(MAN, text.replace("(", ".").rstrip(")"))
    return name if text.endswith(")") and name in env.found_docs else None


def link_pages(app, doctree, docname):
    """Pages name other pages in double backquotes, which makes no links by itself."""
    for literal in list(doctree.findall(nodes.literal)):
        name = target(app.env, docname, literal.astext())
        if not name or name == docname or isinstance(literal.parent, nodes.reference):
            continue
        link = nodes.reference(internal=True,
                               refuri=app.builder.get_relative_uri(docname, name))
        literal.replace_self(link)
        link += literal


def setup(app):
    app.connect("doctree-resolved", link_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
