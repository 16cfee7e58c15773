#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Send the flow records in a file to Kafka, at least once, by kcat (librdkafka).

    nfpchan flows --json-lines --active 60 >>FILE
    flow_send.py --broker BROKER[,BROKER]... FILE

The key of a message is its flow, so all records of a flow are in one partition, in their order. A record
gets two fields: "host", and "id", which is the same however often the record is sent, and which no
other record has.

FILE.sent has the place in FILE up to which the brokers have acknowledged all records. After a crash
the program goes on there. The space of what was sent is given back to the file system (fallocate(1)),
so FILE only seems to grow."""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
import uuid

KEY = ("proto", "src", "sport", "dst", "dport", "vlan", "vlan_inner")


def say(text):
    print(f"flow_send: {text}", file=sys.stderr, flush=True)


class Place:
    """How far a file was sent. A file that replaces another gets a new name for the ids."""

    def __init__(self, path):
        self.path = path
        try:
            with open(path + ".sent", encoding="ascii") as f:
                self.name, inode, at = f.read().split()
        except FileNotFoundError:
            self.name = inode = at = None
        status = os.stat(path)
        self.inode = status.st_ino
        if inode is None or int(inode) != self.inode or int(at) > status.st_size:
            if inode is not None:
                say(f"{path} is not the file that {path}.sent is about; sending all of it")
            self.name, at = uuid.uuid4().hex[:12], 0
        self.at = int(at)

    def commit(self, at):
        with open(self.path + ".new", "w", encoding="ascii") as f:
            f.write(f"{self.name} {self.inode} {at}\n")
            f.flush()
            os.fsync(f.fileno())
        os.replace(self.path + ".new", self.path + ".sent")
        self.at = at
        if at:
            subprocess.run(["fallocate", "--punch-hole", "--offset", "0", "--length", str(at), self.path],
                           check=False)


def lag(path, at):
    """What is not sent: records or totals, and their bytes."""
    lines = size = 0
    with open(path, "rb") as f:
        f.seek(at)
        for line in f:
            lines += 1
            size += len(line)
    return f"{lines} lines, {size} bytes"


def message(line, place, at, host):
    """The message of a line, or None for totals. If nfpchan was killed, a part of a line may be in front of
    a record."""
    try:
        row = json.loads(line[line.rfind(b"{"):]) if b'"src"' in line else {}
    except ValueError:
        say(f"{place.path}: byte {at}: not a record: {line[:100]!r}")
        return None
    if "src" not in row:
        return None
    row["host"] = host
    row["id"] = f"{host} {place.name} {at}"
    return " ".join(str(row.get(k, "-")) for k in KEY) + "\t" + json.dumps(row, separators=(",", ":"))


def batch(place, host, size):
    """The next messages, and the place behind them. A line that is not complete is left for later."""
    out, at = [], place.at
    with open(place.path, "rb") as f:
        f.seek(at)
        for line in f:
            if not line.endswith(b"\n") or len(out) == size:
                break
            text = message(line, place, at, host)
            if text:
                out.append(text)
            at += len(line)
    return out, at


def send(messages, args):
    """Return whether the brokers have acknowledged all messages."""
    done = subprocess.run(["kcat", "-P", "-b", args.broker, "-t", args.topic, "-K", "\t", "-X", "acks=all",
                           "-X", "enable.idempotence=true", *args.kcat],
                          input="".join(m + "\n" for m in messages), text=True, check=False)
    return not done.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--broker", metavar="HOST[:PORT]", help="brokers to begin with")
    parser.add_argument("--topic", default="flows", help="default: flows")
    parser.add_argument("--host", default=platform.node(), help="default: this machine's name")
    parser.add_argument("--batch", type=int, default=1000, metavar="N", help="records at a time (1000)")
    parser.add_argument("--once", action="store_true", help="end when all that is in FILE was sent")
    parser.add_argument("--lag", action="store_true", help="only print what is not sent")
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("kcat", nargs="*", help="more arguments for kcat, behind --")
    args = parser.parse_args()
    if not args.lag and not args.broker:
        parser.error("--broker is missing")
    if args.batch < 1:
        parser.error(f"--batch {args.batch}: at least 1")
    place = Place(args.file)
    if args.lag:
        print(lag(args.file, place.at))
        return 0
    place.commit(place.at)      # keeps the name, so that a crash does not change the ids
    while True:
        messages, end = batch(place, args.host, args.batch)
        if messages and not send(messages, args):
            say("not acknowledged; trying again in 5 s")
            time.sleep(5)
        elif end > place.at:
            place.commit(end)
            say(f"{len(messages)} records sent; left: {lag(args.file, end)}")
        elif args.once:
            return 0
        else:
            time.sleep(1)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as err:
        sys.exit(f"flow_send: {err}")
    except KeyboardInterrupt:
        sys.exit(130)
