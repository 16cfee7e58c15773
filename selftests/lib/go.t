#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: host
# build: -
"""The Go package's tests that need no card, and a module of another project that imports it as
CHANNELS.rst says, with the Go of the test root."""

import os
import re
import subprocess
import sys

TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from tap import done, ok, same

# The example of CHANNELS.rst, as a program
PROGRAM = """package main

import (
	"fmt"
	"nfp-chan/nfpchan"
)

func main() {
	_, err := nfpchan.Open("")
	fmt.Println(err)
}
"""
# "go mod tidy" and "go mod vendor" find the module without a network as well.
IMPORT = """
export GOTOOLCHAIN=local GOPROXY=off GOFLAGS=-buildvcs=false CGO_ENABLED=0
export GOCACHE="$1/build/guest/go-cache"
mkdir /tmp/user && cd /tmp/user
cat >main.go
go mod init example/user 2>&1
eval "$2"
go mod tidy && go run . && go mod vendor && go run -mod=vendor .
"""


def in_root(*command, **kwargs):
    return subprocess.run([os.path.join(TREE, "scripts/in-root"), "--", *command], cwd=TREE,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          **kwargs)


def check_import():
    with open(os.path.join(TREE, "userspace/doc/CHANNELS.rst"), encoding="utf-8") as f:
        line = re.search(r"^    (go mod edit .*)$", f.read(), re.M)[1]
    run = in_root("sh", "-euc", IMPORT, "sh", TREE, line.replace("/path/to/nfp-chan", TREE),
                  input=PROGRAM)
    same((run.returncode, run.stdout.count("no card")), (0, 2), "another module imports the package")
    if run.returncode:
        print("# " + "\n# ".join(run.stdout.splitlines()))


def main():
    run = in_root("make", "-s", "O=build/guest", "go-test", stdin=subprocess.DEVNULL)
    tests = re.findall(r"^--- (PASS|FAIL|SKIP): (\S+)", run.stdout, re.M)
    for result, name in tests:
        ok(result == "PASS", name)
    same((run.returncode, len(tests) > 10), (0, True), "all ran")
    if run.returncode:
        print("# " + "\n# ".join(run.stdout.splitlines()))
    check_import()
    return done()


if __name__ == "__main__":
    sys.exit(main())
