# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""TAP output of tests in Python, in the guest and on the host."""

import errno
import os

# The top of the project
TREE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Tests multiply time limits by this: how slow the machine is, and in the guest its kernel
SLOW = int(os.environ.get("NFPCHAN_SLOW", "1"))
tests = 0
failed = 0


def ok(good, name, detail=""):
    """Print the result of a test. Print detail if the test has failed."""
    global tests, failed
    tests += 1
    print(f"{'ok' if good else 'not ok'} {tests} - {name}", flush=True)
    if not good:
        failed += 1
        note(detail)


def skip(name, why):
    ok(True, f"{name} # SKIP {why}")


def note(text):
    """Print text as TAP comments."""
    for line in str(text).splitlines():
        print(f"# {line.removeprefix('# ')}", flush=True)


def same(got, want, name):
    ok(got == want, name, f"got  {got!r}\nwant {want!r}")


def fails(call, code, name):
    """Test that calling call raises an OSError with errno code."""
    try:
        got = call()
    except OSError as err:
        same(errno.errorcode[err.errno], errno.errorcode[code], name)
    else:
        ok(False, name, f"returned {got!r}, want {errno.errorcode[code]}")


def done():
    """Print the plan, return the exit status."""
    print(f"1..{tests}")
    return 1 if failed else 0
