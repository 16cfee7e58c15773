#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""The part of doorbells.sh in Python: the process may not map the doorbells."""

import asyncio
import errno
import mmap
import select
import sys

import lang
import nfpchan
from chan_ioctl import layout
from tap import SLOW, done, fails, same

WAIT_MS = 20000 * SLOW


def check_map(card):
    """The pages of the card cannot be mapped."""
    with card.channel("echo-in") as tx, card.channel("echo-out") as rx:
        for channel in (tx, rx):
            g = layout(channel.fileno())
            same(g.db_map, 0, f"{channel.name}: db_map")
            fails(lambda fd=channel.fileno(), at=g.db_off: mmap.mmap(fd, mmap.PAGESIZE, offset=at),
                  errno.EPERM, f"{channel.name}: mmap() of the doorbell page")


def check_waits(card):
    """Waits by poll()."""
    with card.channel("echo-in") as tx, card.channel("echo-out") as rx:
        poll = select.poll()
        poll.register(rx, select.POLLIN)
        got = []
        for i in range(100):
            tx.send(b"%d" % i)
            if poll.poll(WAIT_MS):
                got.append(rx.recv(timeout=0))
        same(got, [b"%d" % i for i in range(100)], "100 messages, waited for by poll()")


def main():
    with nfpchan.Card() as card:
        check_map(card)
        check_waits(card)
        lang.check_messages(card)
        lang.check_full(card)
        lang.check_rendezvous(card)
        lang.check_streams(card)
        lang.check_threads(card)
        lang.check_links(card)
        asyncio.run(lang.check_tasks(card))
    return done()


if __name__ == "__main__":
    sys.exit(main())
