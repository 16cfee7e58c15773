# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Records of two hosts on their way through Kafka into a database, by flow_send.py and flow_store.py. Both are
killed between what they do and the note of it, so the records come twice. For records.py. The broker is
librdkafka's for tests."""

import collections
import json
import os
import re
import signal
import sqlite3
import subprocess
import threading

from collector import TIME, Collector, metered
from tap import ok, same

READY = "bootstrap.servers="
# Runs kcat. If its arguments have $MODE, and this is such a run number $NTH, it kills the program that
# waits: what kcat was to do is done, and nobody has taken note.
KILLER = """#!/bin/sh
PATH=${PATH#*:} kcat "$@" || exit
case " $* " in *" $MODE "*) ;; *) exit 0 ;; esac
echo >>"$0.runs"
[ "$(wc -l <"$0.runs")" != "$NTH" ] || { rm "$0.runs"; kill -9 $PPID; }
"""
BATCH = 20


class Kafka:
    def __init__(self, tmp):
        self.tmp = tmp
        self.broker = Collector(READY, "kcat", "-P", "-b", "none", "-t", "none", "-d", "mock", "-X",
                                "test.mock.num.brokers=1", stdin=subprocess.PIPE)
        # The broker prints a line for each request.
        threading.Thread(target=self.broker.run.stdout.read, daemon=True).start()
        self.where = re.search(READY + "([0-9.:]+)", self.broker.out[-1])[1]
        self.killer = os.path.join(tmp, "killer")
        os.mkdir(self.killer)
        with open(os.path.join(self.killer, "kcat"), "w", encoding="ascii") as f:
            f.write(KILLER)
        os.chmod(f.name, 0o755)

    def run(self, program, *args, kill=None, nth=2):
        """Run a program. kill: it ends after the nth run of kcat that has this argument."""
        env = dict(os.environ)
        if kill:
            env.update(MODE=kill, NTH=str(nth), PATH=f"{self.killer}:{env['PATH']}")
        done = subprocess.run([f"userspace/examples/{program}.py", "--broker", self.where, *args], env=env,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                              timeout=5 * TIME)
        return done.returncode, done.stdout, done.stderr


def append(path, traffic):
    """Append the lines of nfpchan flows to a file. Return them."""
    lines = metered(traffic, "--json-lines")[1]
    with open(path, "a", encoding="utf-8") as f:
        f.write(lines)
    return lines.splitlines(True)


def check_send(kafka, host, lines, path, nth):
    """Send a file, by a program that is killed when the nth batch is acknowledged."""
    args = ("--host", host, "--batch", str(BATCH), path)
    got = kafka.run("flow_send", "--once", *args, kill="-P", nth=nth)
    same(got[0], -signal.SIGKILL, f"{host}: the sender is killed when batch {nth} is acknowledged")
    records = [i for i, line in enumerate(lines) if '"src"' in line]
    left = lines[records[BATCH * (nth - 1) - 1] + 1:] if nth > 1 else lines
    same(kafka.run("flow_send", "--lag", *args)[1],
         f"{len(left)} lines, {sum(map(len, left))} bytes\n", "this batch counts as not sent")
    status, _, err = kafka.run("flow_send", "--once", *args)
    ok(not status and "left: 0 lines, 0 bytes" in err, "the next sender sends all", err)
    with open(path, "rb") as f:
        same(f.read(1), b"\0", "and gives the space back")


def check_store(kafka, sent, database):
    def left():
        return sum(int(line.split()[2]) for line in kafka.run("flow_store", "--lag", database)[1].splitlines())

    args = ("--once", "--batch", str(BATCH), database)
    same(left(), sent, "each batch that was sent again is twice on the way")
    status, _, err = kafka.run("flow_store", *args, kill="-C")
    same((status, err.count("new")), (-signal.SIGKILL, 1), "the store is killed with the second batch")
    done = sum(int(n) for n in re.findall(r"(\d+) (?:new|repeated|no records)", err))
    same(left(), sent - done, "which counts as not stored")
    status, _, more = kafka.run("flow_store", *args)
    same((status, left()), (0, 0), "the next store leaves nothing")
    same(sum(int(n) for n in re.findall(r"(\d+) no records", err + more)), 2,
         "and passes over what other programs have sent")
    return sum(int(n) for n in re.findall(r"(\d+) repeated", err + more))


def check_order(kafka):
    """The records of a flow are in one partition."""
    out = subprocess.run(["kcat", "-C", "-b", kafka.where, "-t", "flows", "-e", "-q", "-f", "%p\t%k\t%s\n"],
                         capture_output=True, text=True, check=True, timeout=5 * TIME).stdout
    parts = collections.defaultdict(set)
    keys = collections.defaultdict(set)
    for part, key, text in (line.split("\t") for line in out.splitlines() if "{" in line):
        row = json.loads(text)
        keys[key].add(tuple(row[k] for k in ("proto", "src", "sport", "dst", "dport", "vlan")))
        parts[key].add(part)
    ok(all(len(k) == 1 for k in keys.values()), "a key is one flow", keys)
    ok(all(len(p) == 1 for p in parts.values()) and len(set.union(*parts.values())) > 1,
       "and is in one of several partitions", parts)


def check(tmp, traffic, packets):
    kafka = Kafka(tmp)
    north, south = (os.path.join(tmp, n) for n in ("north", "south"))
    with open(north, "w", encoding="utf-8") as f:
        f.write('{"src":"192.0.2.1","ds')    # what a nfpchan leaves that is killed in a write
    lines = {"north": append(north, traffic), "south": append(south, traffic)}
    part = os.path.getsize(north) - sum(map(len, lines["north"]))
    ok(part > 0 and len(lines["south"]) > 3 * BATCH, "two hosts have records", lines)
    check_send(kafka, "north", lines["north"], north, 2)
    check_send(kafka, "south", lines["south"], south, 1)
    more = append(south, traffic)
    status, _, err = kafka.run("flow_send", "--once", "--host", "south", south)
    same((status, err.count("\n")), (0, 1), "records that come later are sent")
    lines["south"] += more
    rows = {h: [json.loads(line) for line in text if '"src"' in line] for h, text in lines.items()}
    database = os.path.join(tmp, "flows.db")
    subprocess.run(["kcat", "-P", "-b", kafka.where, "-t", "flows", "-p", "0"], input="hello\n7\n", text=True,
                   check=True, timeout=TIME)
    same(check_store(kafka, sum(map(len, rows.values())) + 2 * BATCH + 2, database), 2 * BATCH,
         "the records that came twice are one row each")
    db = sqlite3.connect(database)
    same(db.execute("SELECT host, sum(packets) FROM flows GROUP BY host ORDER BY host").fetchall(),
         [("north", packets), ("south", 2 * packets)], "no packet is missing, and none counts twice")
    names = ("src", "dst", "proto", "sport", "dport", "first_ns", "bytes", "ttl", "reason")
    got = collections.Counter(db.execute(f"SELECT host, {', '.join(names)} FROM flows"))
    want = collections.Counter((h, *(r[n] for n in names)) for h in rows for r in rows[h])
    ok(got == want, "each row is as nfpchan has printed it", (got - want, want - got))
    db.close()
    check_order(kafka)
    kafka.broker.run.kill()
    for args, text in ((("--batch", "0"), "--batch 0: at least 1"), (("--once",), "No such file")):
        status, _, err = kafka.run("flow_send", *args, os.path.join(tmp, "none"))
        ok(status and text in err, f"refused: {text}", err)
