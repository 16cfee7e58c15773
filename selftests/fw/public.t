#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: build/host/bin/nfpchan
"""The vendor's firmware files, as Debian's package firmware-netronome has them: the BPF files are
what profile "public" says, nfpchan firmware shows and checks all, code can be grafted onto those of
BPF, and damaged files do no harm. Skipped where the package cannot be had."""

import glob
import json
import os
import random
import subprocess
import sys
import tempfile

import json_keys
import vendor
from tap import SLOW, TREE, done, ok, same

TOOL = "build/host/bin/nfpchan"
# Print the files that differ from the profile.
COMPARE = r"""
#include <stdio.h>
#include <string.h>
#include "fw_profile.h"

int main(int argc, char **argv)
{
	const struct fw_profile *want = &fw_public;
	struct fw_profile p;
	char err[256];
	int i;

	for (i = 1; i < argc; i++)
		if (fw_profile_get(&p, argv[i], err, sizeof(err)))
			printf("%s: %s\n", argv[i], err);
		else if (p.caps_len != want->caps_len || memcmp(p.caps, want->caps, p.caps_len) ||
			 p.mip.version != want->mip.version || p.mip.build != want->mip.build ||
			 strcmp(p.mip.name, want->mip.name) || p.vnic.tlv != want->vnic.tlv ||
			 p.app != want->app)
			printf("%s: %s differs\n", argv[i], p.mip.name);
	return 0;
}
"""


def compared(files):
    with tempfile.TemporaryDirectory() as folder:
        prog = f"{folder}/compare"
        subprocess.run(["cc", "-Ifw/image", "-x", "c", "-", *glob.glob("fw/image/*.c"), "-o", prog],
                       input=COMPARE, text=True, check=True)
        return subprocess.run([prog, *files], capture_output=True, text=True, check=False)


def firmware(*args):
    return subprocess.run([TOOL, "firmware", *args], capture_output=True, text=True,
                          errors="replace", check=False, timeout=60 * SLOW)


def show(path, *options):
    return firmware("show", path, *options)


def check_file(path):
    """Text and JSON of a file that is whole."""
    name = "/".join(path.split("/")[-2:])
    text, out = show(path), show(path, "--json")
    doc = json.loads(out.stdout) if not out.returncode else {}
    good = (not text.returncode and doc.get("symbols") and doc.get("microengines") and
            f"firmware     {doc['firmware']}\n" in text.stdout and not text.stderr + out.stderr)
    ok(bool(good), f"{name}: {doc.get('firmware')}, {len(doc.get('microengines', []))} microengines",
       text.stderr + out.stderr)
    return doc


def check_verify(paths):
    """Each file would be written again with the same bytes, and has no other fault."""
    out = [firmware("verify", path, "--json") for path in paths]
    same([o.stderr for o in out if o.returncode], [],
         f"{len(paths)} files have a known layout, right ECCs, and no overlaps")
    docs = [json.loads(o.stdout) for o in out if not o.returncode]
    same(json_keys.differ("firmware verify", docs[0]), [], "nfpchan-json(5) has its keys")
    rows = json.loads(firmware("list", paths[0], "--json").stdout)
    same((json_keys.differ("firmware list", rows), len(rows)), ([], docs[0]["loaded"]),
         "list has the sections that are loaded, with the keys of nfpchan-json(5)")


def check_graft(paths):
    """Two workers that do nothing: all else is as it was. Other files are refused."""
    changed = [".shstrtab", ".symtab", ".rtsymtab", ".rtstrtab", ".text.i36.me8", ".text.i36.me9",
               ".regt.mecsr.i36", ".note.nfpchan.graft"]
    with tempfile.TemporaryDirectory() as folder:
        out, wrong = f"{folder}/idle.nffw", []
        for path in paths:
            got = firmware("graft", "--base", path, "-i", "i36.me8", "-i", "i36.me9", "-o", out)
            doc = json.loads(firmware("verify", out, "--base", path, "--json").stdout or "{}")
            # The lists of workers, and the memory with the MIP, have other names in each file.
            rest = [n for n in doc.get("differ", []) if n not in changed]
            if (got.returncode or len(rest) != 2 or doc["workers"] != 50 or
                    doc["firmware"] != "bpf-2.0.6.124+c"):
                wrong.append((path, got.stderr, rest))
        same(wrong, [], f"in {len(paths)} BPF files two workers are given up, and nothing else")
        for path, me, text in (
                (paths[0].replace("/bpf/", "/nic/"), "i36.me8", "is no BPF firmware"),
                (paths[0], "i36.me10", "i36.me10 is no worker"),
                (paths[0], "i32.me0", "i32.me0 has initialisation code"),
                (out, "i36.me8", "i36.me8 is no worker")):
            got = firmware("graft", "--base", path, "-i", me, "-o", f"{folder}/none.nffw")
            ok(got.returncode == 1 and text in got.stderr and not os.path.exists(f"{folder}/none.nffw"),
               f"refused, and no file written: {text}", got.stderr)


def check_damaged(path):
    """Files that end too early, or have wrong bytes: shown, or refused with a reason."""
    rnd = random.Random(1)
    with open(path, "rb") as f:
        whole = f.read()
    wrong, shown = [], 0
    with tempfile.NamedTemporaryFile(suffix=".nffw") as f:
        for i in range(60):
            data = bytearray(whole)
            if i % 3 == 0:
                del data[rnd.randrange(1, len(data)):]
            for _ in range(rnd.randrange(1, 9)):
                # In the headers, or anywhere
                at = rnd.randrange(min(len(data), 22000 if i % 3 == 1 else len(data)))
                data[at:at + 1] = rnd.randbytes(1)
            f.seek(0)
            f.truncate()
            f.write(data)
            f.flush()
            got = show(f.name, *([], ["--json"])[i % 2])
            shown += not got.returncode
            more = [firmware("list", f.name), firmware("verify", f.name),
                    firmware("graft", "-b", f.name, "-i", "i36.me8", "-o", f"{f.name}.out")]
            for g in (got, *more):
                if g.returncode not in (0, 1) or (g.returncode == 1) != bool(g.stderr):
                    wrong.append((i, g.args, g.returncode, g.stderr[:200]))
            if os.path.exists(f"{f.name}.out"):
                os.unlink(f"{f.name}.out")
    same(wrong, [], "60 damaged files are shown, checked, grafted, or refused with a reason")
    ok(0 < shown < 60, f"{shown} of them are shown")


def main():
    os.chdir(TREE)
    files = vendor.files()
    if not files:
        return 0
    bpf = [p for p in files if "/bpf/" in p]
    ok(len(bpf) >= 10, f"{len(files)} files, {len(bpf)} of them BPF")
    differ = compared(bpf)
    same((differ.stdout, differ.stderr), ("", ""), "the BPF files equal the profile \"public\"")
    for path in files:
        doc = check_file(path)
        same(json_keys.differ("firmware show", doc), [], "nfpchan-json(5) has its keys")
        if path == bpf[0]:
            same((doc["version"], doc["tlv"], [h["name"] for h in doc["capabilities"]["helpers"]],
                  doc["programs"]["instructions"]),
                 ("2.0.6.124", 0x1800, ["bpf_map_lookup_elem", "bpf_perf_event_output"], 2816),
                 "version, TLVs, helpers and length of a program")
    check_verify(files)
    check_graft(bpf)
    check_damaged(bpf[0])
    return done()


if __name__ == "__main__":
    sys.exit(main())
