#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Test ncl deploy, show and undo in the network of net.sh."""

import json
import os
import re
import struct
import subprocess
import sys

import ncrt
import tap
from hosts import REPLY, Host
from tap import ok, same

HOPS = "build/ncl/ncl/hops.ncd"
NET = "selftests/ncl/deploy/net.and"
ON, BACK, ALL, DROP, NEAR = range(5)
HOP, STEPS, PUT = 1, 2, 3
W2_MAC = "02:00:0a:01:01:02"
S1, S2, S3 = "10.1.0.1", "10.1.0.2", "10.1.0.3"
MAPS = ["--map", "s1=eth0", "--map", "s2=s2/eth0", "--map", "s3=s3/eth0:generic"]
LINES = {"s1": "eth0, offload", "s2": "s2/eth0, native (driver veth)", "s3": "s3/eth0, generic"}


def run(*args):
    return subprocess.run(args, capture_output=True, text=True, check=False)


def ncl(*args):
    return run("ncl", *args)


def deploy(*args):
    return ncl("deploy", HOPS, NET, *args)


def fails(got, status, text, name):
    """The command ended with the status, and printed one line to standard error."""
    same((got.returncode, got.stderr, got.stdout), (status, f"ncl: {text}\n", ""), name)


def attached():
    """Return the ids of attached XDP programs by interface, in all namespaces."""
    found = {}
    for place, at in (("eth0", []), ("s2/eth0", ["-n", "s2"]), ("s3/eth0", ["-n", "s3"])):
        links = json.loads(run("ip", *at, "-j", "link", "show", "dev", "eth0").stdout)
        if "xdp" in links[0]:
            found[place] = links[0]["xdp"]["prog"]["id"]
    return found


def show(*args):
    """Return what `ncl show -j` prints, by the label of the place."""
    return {p["place"]: p for p in json.loads(ncl("show", "-j", *args).stdout)}


def nothing_left(name):
    same((attached(), os.listdir("/run/ncl")), ({}, []), name)


class Hosts:
    """The hosts w1, w2, and the host "server" on the machine of device s1."""

    def __init__(self, program):
        self.w1 = Host("w1", "10.1.0.11", 1, program, "239.9.8.7")
        self.w2 = Host("w2", "10.1.0.12", 2, program, "239.78.76.6")
        self.server = Host("server", S1, 4, program)

    def close(self):
        for host in (self.w1, self.w2, self.server):
            host.close()


def hop(host, what, to=0, seq=0, device=S1):
    host.send(device, HOP, struct.pack("<3I", 0, 0, what), to, 2, seq)


def came(host, name, path, address, flags=0):
    w = host.recv()
    same(w and (f"{struct.unpack_from('<I', w.data)[0]:x}", w.address, w.flags),
         (path, address, flags), name)


def test_windows(hosts):
    hop(hosts.w1, ON, to=2)
    came(hosts.w2, "a window passes three devices", "356", S3)
    hop(hosts.w1, ON, to=4)
    came(hosts.server, "a window for the server goes from s1 through the kernel's stack", "3",
         "10.1.0.11")
    hop(hosts.w1, ON)
    came(hosts.server, "a window without a destination goes to the server", "3", "10.1.0.11")
    hop(hosts.w1, BACK)
    came(hosts.w1, "a device reflects a window", "3", S1, REPLY)
    hop(hosts.w1, ALL)
    came(hosts.w1, "a broadcast reaches the sender, which is a neighbour", "3", S1, REPLY)
    came(hosts.w2, "kernels of neighbouring devices run, and broadcast on", "356", S3, REPLY)
    hop(hosts.w2, ALL, device=S3)
    came(hosts.w2, "a broadcast in generic XDP reaches the sender", "6", S3, REPLY)
    came(hosts.w1, "a broadcast reaches a card, whose kernel broadcasts on", "653", S1, REPLY)
    hop(hosts.w2, NEAR, to=1, device=S3)
    came(hosts.server, "a broadcast that a neighbour passes goes to the host on its machine", "653", S2,
         REPLY)
    hop(hosts.w1, DROP)
    hosts.w1.send(S1, HOP, bytes(12), length=2, version=2)
    hop(hosts.w1, ON, to=8)
    hop(hosts.w2, ON, to=1)
    came(hosts.w1, "a window of w2 reaches w1 through s1", "3", S1)


def test_shown(ids):
    places = show()
    same({p["interface"] + p["mode"]: p["prog_id"] for p in places.values()},
         {"eth0offload": ids["eth0"], "eth0native": ids["s2/eth0"], "eth0generic": ids["s3/eth0"]},
         "ncl show has the ids that ip link has")
    same([p["attached"] for p in places.values()], [True] * 3,
         "ncl show says that the programs are attached")
    maps = json.loads(run("bpftool", "-j", "map", "list").stdout)
    names = {m["id"]: m["name"] for m in maps}
    same([names.get(i) for p in places.values() for i in p["map_ids"].values()],
         [m for p in places.values() for m in p["map_ids"]],
         "ncl show has the ids and names of maps that bpftool has")
    same([(c["windows"], c["passed"], c["reflected"], c["broadcast"], c["dropped"], c["malformed"],
           c["busy"], c["nowhere"]) for c in (p["counters"] for p in places.values())],
         [(10, 5, 1, 2, 1, 1, 0, 1), (4, 1, 0, 3, 0, 0, 0, 0), (5, 3, 0, 2, 0, 0, 0, 0)],
         "the counters of ncl show fit the windows that were sent")


def test_values(hosts):
    hosts.server.close()
    with ncrt.Session(HOPS, NET, "server") as session:
        session.ctrl_write("step", -7)
    hosts.w1.send(S1, STEPS, struct.pack("<2i", 5, 0), length=2)
    w = hosts.w1.recv()
    same(w and struct.unpack("<2i", w.data), (-2, 0),
         "libncrt writes a variable of the deployed program")
    for col in range(4):
        hosts.w1.send(S1, PUT, struct.pack("<HxxII", 900 + col, 1, col), 5, 1)
    hop(hosts.w1, ON, to=2)
    hosts.w2.recv()
    places = show("--values", "hops")
    same(places["s1"]["variables"]["step"]["values"], [-7],
         "ncl show has the value of the variable")
    same((places["s2"]["variables"]["table"]["dims"], places["s2"]["variables"]["table"]["values"]),
         ([3, 4], [0] * 4 + [900, 901, 902, 903] + [0] * 4),
         "ncl show -j has dimensions and values of a table")
    text = ncl("show", "-v").stdout
    ok("  u16 table[3][4] =\n    [0] 0 0 0 0\n    [4] 900 901 902 903\n    [8] 0 0 0 0\n" in text,
       "ncl show -v prints a table row by row", text)
    ok(re.search(r"^hops s2: program \d+ on eth0, native$", text, re.M),
       "ncl show -v prints place, program and interface", text)


def test_replace(hosts, ids):
    fails(deploy("--map", "s1=eth0"), 1,
          f"hops is deployed at s1 already: program {ids['eth0']} on eth0 (offload). --replace puts "
          "this one in its place, ncl undo hops ends it", "a second deployment is refused")
    same(attached(), ids, "a refused deployment changes no program")
    got = deploy("--replace", *MAPS)
    now = attached()
    same(got.stdout, "".join(f"{p}: program {now[i]} on {LINES[p]}, in place of {ids[i]}\n"
                             for p, i in (("s1", "eth0"), ("s2", "s2/eth0"), ("s3", "s3/eth0"))),
         "--replace prints the programs that it has replaced")
    same({p: v["variables"]["seen"]["values"] for p, v in show("-v").items()},
         {"s1": [0], "s2": [0], "s3": [0]}, "the variables of the new programs are 0")
    hop(hosts.w1, ON, to=2)
    came(hosts.w2, "windows pass the new programs", "356", S3)


def counts(label, name):
    return show()[label]["counters"][name]


def test_ring(hosts):
    """With a link between s1 and s3, broadcasts come to each device in two ways."""
    ring = write("/tmp/ring.and", open(NET, encoding="utf-8").read() + "link s1 s3\n")
    ncl("deploy", HOPS, ring, "--replace", *MAPS)
    paths = []
    for seq in range(20):
        hop(hosts.w1, ALL, seq=seq)
        hosts.w1.recv()
        w = hosts.w2.recv()
        paths.append(w and (w.seq, f"{struct.unpack_from('<I', w.data)[0]:x}"))
    while counts("s2", "broadcast") < 20:
        pass
    same(paths, [(seq, "36") for seq in range(20)],
         "in a ring, a broadcast comes once, on the way with the fewest links")
    same([counts(s, "windows") for s in ("s1", "s2", "s3")], [20] * 3,
         "in a ring, each device runs its kernel once on a broadcast")
    deploy("--replace", *MAPS)


def test_no_gap(hosts):
    """A host sends windows, one at a time, while the program is replaced."""
    answers = 0
    with subprocess.Popen(["ncl", "deploy", HOPS, NET, "--replace", *MAPS],
                          stdout=subprocess.DEVNULL) as replacing:
        while replacing.poll() is None and answers >= 0:
            hop(hosts.w1, BACK)
            answers = answers + 1 if hosts.w1.recv() else -1
    ok(answers > 0 and replacing.returncode == 0,
       "each window is answered while the program is replaced",
       f"{answers} answers, status {replacing.returncode}")
    tap.note(f"{answers} answers")


def test_two_at_a_time():
    ncl("undo", "hops")
    both = [subprocess.Popen(["ncl", "deploy", HOPS, NET, *MAPS], stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = ["".join(p.communicate()) for p in both]
    same(sorted(p.returncode for p in both), [0, 1],
         "of two deployments at the same time, one is refused")
    ok(any("is deployed at s1 already" in s for s in said),
       "the refusal says that the program is deployed already", said)


def test_elsewhere():
    """ncl shows and undoes deployments from another network namespace."""
    inside = ["ip", "netns", "exec", "w1"]
    before = show()
    same({p["place"]: p for p in json.loads(run(*inside, "ncl", "show", "-j").stdout)}, before,
         "ncl show in another namespace prints the same")
    same(run(*inside, "ncl", "undo", "hops", "s1", "s2").returncode, 0,
         "ncl undo in another namespace undoes two places")
    same(list(attached()), ["s3/eth0"], "the programs of these two places are detached")
    same(deploy(*MAPS[:4]).returncode, 0, "the two places are deployed again")


def test_undo():
    before = attached()
    fails(ncl("undo", "hops", "w1"), 1, "hops is not deployed at w1 on this machine",
          "ncl undo refuses a place that is not deployed")
    got = ncl("undo", "hops", "s2")
    same(got.stdout, f"s2: program {before.pop('s2/eth0')} is off eth0\n", "one place is undone")
    same((attached(), sorted(show())), (before, ["s1", "s3"]), "the other places stay deployed")
    same(ncl("undo", "hops").returncode, 0, "ncl undo without a place undoes all places")
    nothing_left("no program and no file is left")
    fails(ncl("undo", "hops"), 1, "hops is not deployed on this machine: no file /run/ncl/hops.*",
          "ncl undo refuses a program that is not deployed")
    same(ncl("show").stdout, "", "ncl show prints nothing")
    fails(ncl("show", "hops"), 1, "hops is not deployed on this machine: no file /run/ncl/hops.*",
          "ncl show refuses a program that is not deployed")


def test_all_or_nothing(hosts):
    run("ip", "-n", "s2", "link", "set", "dev", "eth0", "xdp", "obj", "build/ncl/ncl/hand.o", "sec",
        "xdp")
    other = attached()["s2/eth0"]
    got = deploy(*MAPS)
    same((got.returncode, re.sub(r"\(\w+\)", "()", got.stderr)),
         (1, f"ncl: s2: eth0 has XDP program {other} () already. `ncl show` knows those that ncl has "
          "deployed; ip link set dev eth0 xdp off ends others\n"),
         "ncl deploy refuses an interface that has another XDP program")
    same((attached(), os.listdir("/run/ncl")), ({"s2/eth0": other}, []),
         "no place is deployed if one is refused")
    deploy("--map", "s1=eth0")
    before = attached()
    same(deploy("--replace", *MAPS).returncode, 1, "--replace fails if a place is refused")
    same((attached(), sorted(os.listdir("/run/ncl")), show()["s1"]["prog_id"]),
         (before, ["hops", "hops.s1"], before["eth0"]),
         "the program that was deployed before is attached again")
    hop(hosts.w1, BACK)
    came(hosts.w1, "the program that was deployed before reflects a window", "3", S1, REPLY)
    run("ip", "-n", "s2", "link", "set", "dev", "eth0", "xdp", "off")
    ncl("undo", "hops")


def test_gone():
    deploy("--map", "s1=eth0")
    old = attached()["eth0"]
    run("ip", "link", "set", "dev", "eth0", "xdpoffload", "off")
    same(ncl("show").stdout.splitlines()[0],
         f"hops s1: program {old} on eth0, offload, which is gone",
         "ncl show says that a program is gone which ip has detached")
    same(deploy("--map", "s1=eth0:generic").returncode, 0,
         "ncl deploy takes the place of a program that is gone")
    got = ncl("undo", "hops")
    ok(got.returncode == 0 and "is off eth0" in got.stdout,
       "ncl undo detaches the new program", got)
    deploy("--map", "s1=eth0:generic")
    run("ip", "link", "set", "dev", "eth0", "xdpgeneric", "off")
    got = ncl("undo", "hops")
    ok(got.returncode == 0 and "was gone from eth0" in got.stdout,
       "ncl undo says that a program was gone", got)
    nothing_left("ncl undo of a program that is gone leaves no file")


def test_altname():
    run("ip", "link", "property", "add", "dev", "eth0", "altname", "first")
    got = deploy("--map", "s1=first")
    same((got.returncode, got.stderr, list(attached())), (0, "", ["eth0"]),
         "ncl deploy takes an alternative name of an interface")
    ok(f"on {LINES['s1']}" in ncl("show").stdout, "ncl show has the interface's own name",
       ncl("show"))
    ncl("undo", "hops")
    run("ip", "link", "property", "del", "dev", "eth0", "altname", "first")
    nothing_left("ncl undo")


def nodes(place, node):
    """Return the Ethernet address of the next hop to a node, from the map of the place."""
    dump = run("bpftool", "-j", "map", "lookup", "id", str(show()[place]["map_ids"]["ncl_nodes"]),
               "key", str(node), "0", "0", "0").stdout
    return ":".join(b.removeprefix("0x") for b in json.loads(dump)["value"][8:14])


def test_addresses():
    run("ip", "-n", "s3", "neigh", "flush", "all")
    run("ip", "-n", "w2", "link", "set", "dev", "eth0", "down")
    fails(deploy("--timeout", "1", "--map", "s3=s3/eth0"), 3,
          "s3: w2 (10.1.0.12) did not say its Ethernet address on eth0 within 1 s: is it up? --mac "
          "w2=ADDRESS gives it, --timeout S waits longer",
          "ncl deploy fails if a neighbour is down")
    nothing_left("the failed deployment leaves no program and no file")
    same(deploy("--mac", "w2=02:00:00:00:00:99", "--mac", "far=02:00:00:00:00:98", "--map",
                "s3=s3/eth0").returncode, 0,
         "ncl deploy takes the address of the neighbour from --mac")
    same((nodes("s3", 2), nodes("s3", 7)), ("02:00:00:00:00:99", "02:00:00:00:00:98"),
         "the device has the addresses of --mac")
    ncl("undo", "hops")
    run("ip", "-n", "w2", "link", "set", "dev", "eth0", "up")
    same(deploy("--map", "s3=s3/eth0").returncode, 0, "ncl deploy finds a neighbour by ARP")
    same((nodes("s3", 2), nodes("s3", 7), nodes("s3", 8)), (W2_MAC, W2_MAC, "00:00:00:00:00:00"),
         "a host beyond a router has the router's address, one without links has none")
    ncl("undo", "hops")
    run("ip", "-n", "s3", "route", "del", "10.9.0.0/24")
    fails(deploy("--map", "s3=s3/eth0"), 1,
          "s3: no route to far (10.9.0.5) out of eth0",
          "ncl deploy fails if there is no route to a host")


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def test_errors():
    usage = (
        (["--map", "s1"], "--map is 's1', not LABEL=[NETNS/]INTERFACE[:MODE]"),
        (["--map", "s9=eth0"], f"--map s9: no such node in {NET}"),
        (["--map", "w1=eth0"], "--map: 'w1' is a host: devices have programs"),
        (["--map", "s1=eth0:fast"], "--map: mode 'fast': offload, native or generic"),
        (["--map", "s1=eth0", "--map", "s1=eth1"], "--map: 's1' is given twice"),
        (["--map", "s1="], "--map: '' is no name of an interface"),
        (["--map", "s1=eth0", "--mac", "w1=1:2:3"], "--mac is 'w1=1:2:3', not LABEL=XX:XX:XX:XX:XX:XX"),
        (["--map", "s1=eth0", "--timeout", "0"], "--timeout is \"0\", allowed are 1 to 3600"))
    for args, text in usage:
        fails(deploy(*args), 2, text, " ".join(args))
    failures = (
        (["--map", "s1=eth7"], "s1: interface eth7: No such device"),
        (["--map", "s1=s7/eth0"], "s1: network namespace s7: No such file or directory"),
        (["--map", "s1=lo"], "s1: lo is no Ethernet interface"),
        (["--map", "s2=eth0"], f"s2: eth0 has not the address that {NET} says: ip address add "
         "10.1.0.2/24 dev eth0"),
        (["--map", "s2=s2/eth0:offload"], None))
    for args, text in failures:
        got = deploy(*args)
        if text:
            fails(got, 1, text, " ".join(args))
        else:
            ok(got.returncode == 1 and "s2.o cannot be offloaded to eth0: " in got.stderr and
               "--map s2=eth0:native has this machine run it" in got.stderr, " ".join(args), got)
    got = ncl("deploy", HOPS, NET)
    ok(got.returncode == 2 and "no place: --map LABEL=INTERFACE" in got.stderr,
       "ncl deploy without --map", got)
    other = write("/tmp/other.and", "host w1 10.1.0.11\nhost w3 10.1.0.12\n")
    fails(ncl("deploy", HOPS, other, "--map", "s1=eth0"), 1,
          f"node 2 is host w2 in {HOPS}, and host w3 in {other}: compile with this file",
          "ncl deploy refuses an AND file whose nodes differ from the compiler's")
    lone = write("/tmp/lone.ncd", "".join(
        line for line in open(HOPS, encoding="utf-8") if not line.startswith("object")) +
        "object s1 none.o 1 1\n")
    fails(ncl("deploy", lone, NET, "--map", "s1=eth0"), 1,
          "s1: /tmp/none.o: No such file or directory",
          "ncl deploy fails if the object file does not exist")
    fails(ncl("deploy", lone, NET, "--map", "s2=s2/eth0"), 2,
          "--map: 's2' is a device without a kernel",
          "ncl deploy refuses a device without a kernel")
    nothing_left("no failed deployment leaves a program or a file")


def main():
    run("ip", "-n", "s3", "route", "add", "10.9.0.0/24", "via", "10.1.0.12")
    got = deploy(*MAPS)
    ids = attached()
    same(got.stdout, "".join(f"{p}: program {ids.get(i)} on {LINES[p]}\n" for p, i in
                             (("s1", "eth0"), ("s2", "s2/eth0"), ("s3", "s3/eth0"))),
         "ncl deploy deploys three places, each in its mode")
    if got.returncode:
        tap.note(got.stderr)
        return tap.done()
    words = [ncl("completion", "words", "--", "undo", *at, "").stdout for at in ((), ("hops",))]
    same(words, ["hops\t\n", "s1\t\ns2\t\ns3\t\n"], "completion offers the program and its places")
    hosts = Hosts(show()["s1"]["hash"])
    test_windows(hosts)
    test_shown(ids)
    test_values(hosts)
    test_replace(hosts, ids)
    test_ring(hosts)
    test_no_gap(hosts)
    test_two_at_a_time()
    test_elsewhere()
    test_undo()
    test_all_or_nothing(hosts)
    test_gone()
    test_altname()
    test_addresses()
    test_errors()
    hosts.close()
    return tap.done()


if __name__ == "__main__":
    sys.exit(main())
