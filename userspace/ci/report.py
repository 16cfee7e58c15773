# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""What nfpchan-test prints and writes: TAP, JUnit and SARIF."""

import json
import os
import sys
import urllib.parse
import xml.etree.ElementTree as ET

LEVELS = {"error": "error", "warning": "warning", "unknown": "warning", "note": "note"}


def indent(text, lead):
    return "".join(lead + line + "\n" for line in text.splitlines())


class Tap:
    """Prints each step when it ends. Output of COMMAND is indented, as TAP has it for subtests."""

    def __init__(self, out=sys.stdout):
        self.out, self.count, self.begin = out, 0, True

    def put(self, text):
        self.out.write(text)
        self.out.flush()

    def output(self, text):
        for line in text.splitlines(keepends=True):
            self.put(("    " if self.begin else "") + line)
            self.begin = line.endswith("\n")

    def step(self, step):
        self.count += 1
        if not self.begin:
            self.put("\n")
            self.begin = True
        if step["status"] == "skip":
            self.put("ok %d - %s # SKIP %s\n" % (self.count, step["step"], step["text"]))
            return
        self.put("%sok %d - %s: %s\n" % ("" if step["status"] == "pass" else "not ",
                                         self.count, step["step"], step["text"]))
        self.put(indent(step["detail"], "  # "))

    def end(self):
        self.put("1..%d\n" % self.count)


def xml_text(text):
    """XML has no other control characters."""
    return "".join(c for c in text if c >= " " or c in "\n\t")


def junit(path, name, steps):
    """Write the steps as a JUnit test suite."""
    suite = ET.Element("testsuite", name=name, tests=str(len(steps)), errors="0",
                       failures=str(sum(s["status"] == "fail" for s in steps)),
                       skipped=str(sum(s["status"] == "skip" for s in steps)),
                       time="%.1f" % sum(s["seconds"] for s in steps))
    for s in steps:
        case = ET.SubElement(suite, "testcase", classname="nfpchan-test." + name, name=s["step"],
                             time="%.1f" % s["seconds"])
        if s["status"] == "fail":
            ET.SubElement(case, "failure", message=xml_text(s["text"])).text = xml_text(s["detail"])
        elif s["status"] == "skip":
            ET.SubElement(case, "skipped", message=xml_text(s["text"]))
        said = s.get("output") or (s["text"] if s["status"] == "pass" else "")
        if said:
            ET.SubElement(case, "system-out").text = xml_text(said)
    ET.ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)


# ---- SARIF 2.1.0 ----

def below(file, top):
    """The name of a source file relative to the folder top. The object may have been compiled in
    another place, so the longest end of the name that is a file below top counts."""
    parts = file.strip("/").split("/")
    if os.path.isabs(file) and not os.path.relpath(file, top).startswith(".."):
        return os.path.relpath(file, top)
    for i in range(len(parts)):
        if os.path.isfile(os.path.join(top, *parts[i:])):
            return "/".join(parts[i:])
    return file


def location(issue, top):
    uri = urllib.parse.quote(below(issue["file"], top))
    return {"physicalLocation": {
        "artifactLocation": {"uri": "file://" + uri if uri.startswith("/") else uri},
        "region": {"startLine": max(issue["line"], 1)}}}


def result(issue, where, top, obj):
    what = {"ruleId": issue["reason"], "level": LEVELS[issue["severity"]],
            "message": {"text": "%s: %s. Advice: %s" % (where, issue["text"], issue["advice"])}}
    if "file" in issue:
        what["locations"] = [location(issue, top)]
    else:       # a map, or an object without lines
        uri = urllib.parse.quote(obj)
        what["locations"] = [{"physicalLocation": {"artifactLocation": {"uri": uri}}}]
    return what


def sarif(path, explained, top, obj, version):
    """Write what `nfpchan xdp explain` found, with the lines of the source."""
    results = []
    for kind in ("maps", "programs"):
        for one in explained[kind]:
            results += [result(i, "%s %s" % (kind[:-1], one["name"]), top, obj)
                        for i in one["issues"]]
    rules = [{"id": r} for r in sorted({r["ruleId"] for r in results})]
    driver = {"name": "nfpchan-test", "version": version, "rules": rules}
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
                   "runs": [{"tool": {"driver": driver}, "results": results}]}, f, indent=1)
        f.write("\n")
