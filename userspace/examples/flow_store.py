#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Store the flow records that flow_send.py of any number of hosts has sent to Kafka in a database of SQLite.

    flow_store.py --broker BROKER[,BROKER]... DATABASE

Each batch of records is one transaction with the place in the partition behind it, so after a crash the
program goes on where the database ends. A record that was sent twice has one row, because its id is the
table's key."""

import argparse
import json
import sqlite3
import subprocess
import sys
import time

COLUMNS = ("id", "host", "proto", "src", "sport", "dst", "dport", "vlan", "vlan_inner", "port", "packets",
           "bytes", "first_ns", "last_ns", "tcp_flags", "tos", "ttl", "reason")
TABLES = (f"CREATE TABLE IF NOT EXISTS flows ({', '.join(COLUMNS)}, PRIMARY KEY (id))",
          "CREATE TABLE IF NOT EXISTS places (topic TEXT, part INTEGER, next INTEGER, PRIMARY KEY (topic, part))")
INSERT = (f"INSERT INTO flows ({', '.join(COLUMNS)}) VALUES ({', '.join('?' * len(COLUMNS))}) "
          "ON CONFLICT DO NOTHING")
MOVE = "INSERT INTO places VALUES (?, ?, ?) ON CONFLICT (topic, part) DO UPDATE SET next = excluded.next"


def say(text):
    print(f"flow_store: {text}", file=sys.stderr, flush=True)


def kcat(args, *more):
    return subprocess.run(["kcat", "-b", args.broker, *more, *args.kcat], stdout=subprocess.PIPE, text=True,
                          check=True).stdout


def partitions(args):
    topic, = json.loads(kcat(args, "-L", "-J", "-t", args.topic))["topics"]
    return [p["partition"] for p in topic["partitions"]]


def offsets(args, parts, which):
    """The newest (-1) or oldest (-2) offset of each partition: lines "TOPIC [PARTITION] offset OFFSET"."""
    out = kcat(args, "-Q", *(word for p in parts for word in ("-t", f"{args.topic}:{p}:{which}")))
    return {int(words[1][1:-1]): int(words[3]) for words in map(str.split, out.splitlines())}


def place(db, topic, part):
    row = db.execute("SELECT next FROM places WHERE topic = ? AND part = ?", (topic, part)).fetchone()
    return row[0] if row else 0


def lag(db, args, parts):
    """For each partition, how many messages are not in the database."""
    return {p: end - place(db, args.topic, p) for p, end in offsets(args, parts, -1).items()}


def record(message):
    """The record in a message, or None if another program has sent the message."""
    try:
        row = json.loads(message["payload"])
        return row if "id" in row else None
    except (ValueError, TypeError):
        return None


def store(db, args, part):
    """Store the next messages of a partition. Return how many have come, records among them, and new rows."""
    start = place(db, args.topic, part)
    oldest = offsets(args, [part], -2)[part]
    if oldest > start:
        say(f"partition {part}: {oldest - start} messages are lost, as the brokers have deleted them")
        start = oldest
    out = kcat(args, "-C", "-J", "-q", "-e", "-t", args.topic, "-p", str(part), "-o", str(start),
               "-c", str(args.batch), "-X", "auto.offset.reset=error", "-X", "fetch.wait.max.ms=50")
    messages = [json.loads(line) for line in out.splitlines()]
    if not messages:
        return 0, 0, 0
    rows = [row for row in map(record, messages) if row]
    with db:
        new = db.executemany(INSERT, [[r.get(c) for c in COLUMNS] for r in rows]).rowcount
        db.execute(MOVE, (args.topic, part, messages[-1]["offset"] + 1))
    return len(messages), len(rows), new


def follow(db, args):
    while True:
        parts = partitions(args)
        left = lag(db, args, parts)
        for part in parts:
            if left[part]:
                came, rows, new = store(db, args, part)
                left[part] -= came
                say(f"partition {part}: {new} new, {rows - new} repeated"
                    f"{f', {came - rows} no records' if came > rows else ''}; left: {sum(left.values())}")
        if not any(lag(db, args, parts).values()):
            if args.once:
                return 0
            time.sleep(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--broker", required=True, metavar="HOST[:PORT]", help="brokers to begin with")
    parser.add_argument("--topic", default="flows", help="default: flows")
    parser.add_argument("--batch", type=int, default=1000, metavar="N", help="messages at a time (1000)")
    parser.add_argument("--once", action="store_true", help="end when the database has all")
    parser.add_argument("--lag", action="store_true",
                        help="only print how many messages of each partition are not in the database")
    parser.add_argument("database", metavar="DATABASE")
    parser.add_argument("kcat", nargs="*", help="more arguments for kcat, behind --")
    args = parser.parse_args()
    if args.batch < 1:
        parser.error(f"--batch {args.batch}: at least 1")
    db = sqlite3.connect(args.database)
    for table in TABLES:
        db.execute(table)
    if args.lag:
        for part, n in sorted(lag(db, args, partitions(args)).items()):
            print(f"partition {part}: {n}")
        return 0
    return follow(db, args)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, sqlite3.Error, subprocess.CalledProcessError) as err:
        sys.exit(f"flow_store: {err}")
    except KeyboardInterrupt:
        sys.exit(130)
