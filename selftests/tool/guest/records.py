#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Guest side of records.t. A cable joins the ports: what is replayed at port 0 is metered at port 1."""

import collections
import glob
import json
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

import records_kafka
import wire_ports
from capture import REAL, read, tshark, write
from collector import TIME, Collector, flows, metered
from tap import done, ok, same

REASONS = {"idle": 1, "active": 2, "fin": 3, "rst": 3, "flush": 4, "evict": 5}
TOTAL = re.compile(r"^(packets in flows|  bytes|  records) +(\d+)$", re.M)


class Sent:
    """What the meter says of the records since the last look."""

    def __init__(self):
        self.last = [0, 0, 0]

    def since(self, out):
        now = [int(n) for _, n in TOTAL.findall(out)]
        self.last, was = now, self.last
        return [a - b for a, b in zip(now, was)]


def messages(data):
    """Decode IPFIX messages. Return (heads, templates, records), a record as {element: bytes}."""
    heads, templates, records, at = [], {}, [], 0
    while at < len(data):
        version, size, _, sequence, domain = struct.unpack_from(">HHIII", data, at)
        heads.append((version, sequence, domain, len(records)))
        pos, end = at + 16, at + size
        while pos < end:
            kind, length = struct.unpack_from(">HH", data, pos)
            body = data[pos + 4:pos + length]
            pos += length
            if kind == 2:
                while len(body) >= 4:
                    number, count = struct.unpack_from(">HH", body)
                    fields = struct.unpack_from(f">{2 * count}H", body, 4)
                    templates[number] = list(zip(fields[::2], fields[1::2]))
                    body = body[4 + 4 * count:]
            else:
                step = sum(n for _, n in templates[kind])
                while len(body) >= step:
                    record = {}
                    for element, n in templates[kind]:
                        record[element], body = int.from_bytes(body[:n], "big"), body[n:]
                    records.append(record)
        at = end
    return heads, templates, records


def check_udp(tmp, traffic, want, sent):
    """nfcapd receives over UDP, and passes the datagrams on to nfacctd."""
    acct = os.path.join(tmp, "acct.json")
    nfacctd = Collector("waiting for", "nfacctd", "-L", "127.0.0.1", "-l", "2056", "-P", "print", "-O",
                        "json", "-c", "src_host,dst_host,src_port,dst_port,proto", "-r", "3600", "-o",
                        acct)
    nfcapd = Collector("Startup nfcapd", "nfcapd", "-w", tmp, "-p", "2055", "-b", "127.0.0.1", "-t",
                       "3600", "-R", "127.0.0.1/2056")
    status, out, err = metered(traffic, "--ipfix", "127.0.0.1:2055", "--domain", "7")
    same((status, err), (0, ""), "over UDP")
    packets, octets, count = sent.since(out)
    same([packets, octets], [want["packets"], want["bytes"]], "packets and bytes are those of tshark")
    said = nfcapd.end(signal.SIGTERM)
    nfacctd.end(signal.SIGINT)
    ok("Observation domain 7 " in said, "nfcapd sees the domain", said)
    file, = glob.glob(os.path.join(tmp, "nfcapd.2*"))
    info = subprocess.run(["nfdump", "-r", file, "-I"], capture_output=True, text=True, check=True).stdout
    info = dict(line.split(": ") for line in info.splitlines())
    same([int(info[k]) for k in ("Packets", "Bytes", "Flows", "Sequence failures")],
         [packets, octets, count, 0], "nfdump has all records, packets and bytes")
    same([int(info["Packets_" + p]) for p in ("tcp", "udp", "icmp")],
         [want["proto"][p] for p in (6, 17, 1)], "and those of each protocol")
    raw = subprocess.run(["nfdump", "-r", file, "-o", "raw"], capture_output=True, text=True,
                         check=True).stdout
    same(collections.Counter(int(n, 16) for n in re.findall(r"end reason += +(\w+)", raw)),
         want["reason"], "and the reasons")
    with open(acct, encoding="utf-8") as f:
        rows = [json.loads(line) for line in f]
    same([sum(r["packets"] for r in rows), sum(r["bytes"] for r in rows)], [packets, octets],
         "nfacctd has all packets and bytes")


def check_tcp(traffic, want, sent):
    with socket.create_server(("127.0.0.1", 0)) as server:
        got = []

        def serve():
            with server.accept()[0] as s:
                while data := s.recv(65536):
                    got.append(data)

        thread = threading.Thread(target=serve)
        thread.start()
        before = time.time()
        where = f"tcp:127.0.0.1:{server.getsockname()[1]}"
        status, out, err = metered(traffic, "--ipfix", where, "--domain", "4294967295")
        thread.join(TIME)
    same((status, err), (0, ""), "over TCP")
    heads, templates, records = messages(b"".join(got))
    same([sum(r[e] for r in records) for e in (2, 1)] + [len(records)], sent.since(out),
         "all packets, bytes and records")
    same({(v, d) for v, _, d, _ in heads}, {(10, 0xffffffff)}, "IPFIX, of the domain")
    same([s for _, s, _, _ in heads], [n for *_, n in heads], "sequence numbers count the records")
    same(len(templates), 4, "four templates")
    same(collections.Counter(r[136] for r in records), want["reason"], "reasons")
    same(sorted(r[32] for r in records if 32 in r), want["icmp"], "type and code of ICMP")
    ok(all(before - 1 <= r[e] / 1000 <= time.time() + 1 for r in records for e in (152, 153)),
       "times are Unix times of now", (before, records[0][152], records[0][153]))
    same(sorted((r[5], r[52]) for r in records), want["tos"], "types of service and times to live")


def check_refresh(traffic):
    """Each burst of records has the templates before it."""
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as s:
        s.bind(("::1", 0))
        s.settimeout(TIME)
        where = f"[::1]:{s.getsockname()[1]}"
        status, _, err = metered(traffic, "--ipfix", where, "--refresh", "0")
        same((status, err), (0, ""), "over UDP and IPv6")
        data = [s.recv(65536) for _ in range(3)]
    same([len(messages(d)[1]) for d in data[:2]], [4, 4], "templates, again before the first records")
    ok(messages(b"".join(data[1:]))[2], "then records", data)


def check_absent(traffic):
    with socket.create_server(("127.0.0.1", 0)) as s:
        port = s.getsockname()[1]
    status, out, err = flows("--flush", "--ipfix", f"tcp:127.0.0.1:{port}")
    ok((status, out) == (1, "") and "Connection refused" in err, "no collector over TCP", err)
    status, out, err = metered(traffic, "--ipfix", f"127.0.0.1:{port}")
    ok(status == 0 and "Connection refused" in err and "; records may be lost" in err and err.count("\n") == 1,
       "no collector over UDP: one warning", f"{status}\n{out}\n{err}")
    for where in (":2055", "[::1", "a:b:c", "tcp:"):
        same(flows("--flush", "--ipfix", where)[0::2],
             (1, f"nfpchan: --ipfix {where}: not a collector; write [tcp:]HOST[:PORT], an IPv6 address in "
                 "brackets\n"), f"refused: {where}")


def check_times(tmp, frames):
    """The time-outs of the meter are set at run time: each ends a flow that the other would not."""
    path = os.path.join(tmp, "udp.pcap")
    write(path, [next(f for f in frames if f.data[12:14] == b"\x08\0" and f.data[23] == 17)])
    for reason, times in (("active", ("--active", "1", "--idle", "1000")),
                          ("idle", ("--active", "0", "--idle", "1"))):
        with subprocess.Popen(["nfpchan", "replay", path, "-a"], stdout=subprocess.DEVNULL):
            status, out, err = flows("--json-lines", "--count", "1", *times)
        rows = [json.loads(line) for line in out.splitlines()]
        same((status, [r["reason"] for r in rows if "src" in r]), (0, [reason]), f"{' '.join(times)} {err}")


def check_bpftrace():
    for script in sorted(glob.glob("userspace/examples/bpftrace/*.bt")):
        with subprocess.Popen(["bpftrace", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as trace:
            said = trace.stdout.readline()
            ok(said.startswith("Attach"), f"{script} runs", said)
            # The reader sleeps while the next sender starts, so messages make interrupts that wake it.
            with subprocess.Popen(["nfpchan", "recv", "echo-out", "-n", "5"],
                                  stdout=subprocess.DEVNULL) as recv:
                for _ in range(5):
                    subprocess.run(["nfpchan", "send", "echo-in", "hello"], check=True)
            same(recv.returncode, 0, "messages come back")
            trace.send_signal(signal.SIGINT)
            out, err = trace.communicate(timeout=5 * TIME)
        name = {"commands": "@us[nfp_chan0, ", "interrupts": "@interrupts[echo-out, ",
                "wakeups": "@ns[echo-out, "}[os.path.basename(script)[:-3]]
        ok(name in out, "and has counted", out + err)


def main():
    wire_ports.up()
    with open("/proc/sys/net/ipv6/conf/lo/disable_ipv6", "w", encoding="ascii") as f:
        f.write("0\n")
    with tempfile.TemporaryDirectory() as tmp:
        traffic = os.path.join(tmp, "whole.pcap")
        frames = [f for f in read(REAL) if len(f.data) == f.length]
        write(traffic, frames)
        sent = Sent()
        sent.since(flows("--flush")[1])
        status, out, _ = metered(traffic, "--json")
        same(status, 0, "flows as JSON")
        doc = json.loads(out)
        records = doc["flows"]
        proto = collections.Counter()
        for r in records:
            proto[1 if r["proto"] == 58 else r["proto"]] += r["packets"]
        # What tshark finds in the capture
        ip = [f for f in tshark(traffic, ["ip.len", "ipv6.plen"]) if f["ip.len"] or f["ipv6.plen"]]
        want = {
            "packets": len(ip),
            "bytes": sum(int(f["ip.len"] or int(f["ipv6.plen"]) + 40) for f in ip),
            "proto": proto,
            "reason": collections.Counter(REASONS[r["reason"]] for r in records),
            "icmp": sorted(r["sport"] for r in records if r["proto"] == 1),
            "tos": sorted((r["tos"], r["ttl"]) for r in records),
        }
        ok(want["packets"] > 300 and len(want["reason"]) > 1, "the capture has flows", want)
        same([sum(r[k] for r in records) for k in ("packets", "bytes")], [want["packets"], want["bytes"]],
             "packets and bytes are those of tshark")
        sent.last = [doc["packets"], doc["bytes"], doc["records"]]
        check_udp(tmp, traffic, want, sent)
        check_tcp(traffic, want, sent)
        check_refresh(traffic)
        check_absent(traffic)
        records_kafka.check(tmp, traffic, want["packets"])
        check_times(tmp, frames)
    check_bpftrace()
    return done()


if __name__ == "__main__":
    sys.exit(main())
