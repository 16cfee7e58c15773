# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""TCP through a split of firewall_tails.c, with full frames and VLAN tags. The host's program
handles the first packet of a connection, and the card passes the packets after it."""

import os
import subprocess

from bpf_tools import run, works
from split_tools import NFPCHAN, Split
from tap import SLOW, TREE, ok, same

FIREWALL = os.path.join(TREE, "build/guest/xdp/firewall_tails.o")
TCP = os.path.join(TREE, "selftests/board/guest/vnic_tcp.py")
BYTES = 3000000
PORT = 5201


def ip(*args):
    works(f"ip {' '.join(args)}", "ip", *args)


def talk(orders):
    """Send orders to vnic_tcp.py at the far end. Return its answers."""
    got = subprocess.run(["ip", "netns", "exec", "far", "python3", TCP, "talk", str(PORT)],
                         input=orders, stdout=subprocess.PIPE, text=True, check=False,
                         timeout=120 * SLOW)
    return got.stdout.splitlines()


def addresses():
    for args in (("netns", "add", "far"), ("link", "set", "eth1", "netns", "far"),
                 ("addr", "add", "10.9.0.1/24", "dev", "eth0"),
                 ("-n", "far", "addr", "add", "10.9.0.2/24", "dev", "eth1"),
                 ("link", "set", "eth0", "arp", "on"),
                 ("-n", "far", "link", "set", "eth1", "arp", "on", "up"),
                 ("link", "add", "link", "eth0", "name", "tag0", "type", "vlan", "id", "7"),
                 ("addr", "add", "10.9.7.1/24", "dev", "tag0"), ("link", "set", "tag0", "up"),
                 ("-n", "far", "link", "add", "link", "eth1", "name", "tag1", "type", "vlan", "id",
                  "7"),
                 ("-n", "far", "addr", "add", "10.9.7.2/24", "dev", "tag1"),
                 ("-n", "far", "link", "set", "tag1", "up")):
        ip(*args)


def check():
    works("gro on", "ethtool", "-K", "eth0", "gro", "on")
    # The public firmware leaves VLAN tags in the frames.
    if "rx-vlan-offload: off [fixed]" not in run("ethtool", "-k", "eth0")[1]:
        works("rxvlan on", "ethtool", "-K", "eth0", "rxvlan", "on")
    addresses()
    works("the far end has a link", "ip", "netns", "exec", "far",
          os.path.join(TREE, "build/guest/test/net_wait"), "eth1", "up")
    split = Split(FIREWALL)
    ok(split.attached, "attached", split.said)
    works("a service", "bpftool", "map", "update", "name", "services", "key", "hex", "14", "51", "06",
          "00", "value", "hex", "01", "00", "00", "00")
    with subprocess.Popen(["python3", TCP, "serve", str(PORT)], stdout=subprocess.PIPE,
                          text=True) as server:
        same(server.stdout.readline(), "ready\n", "a server")
        same(talk(f"10.9.0.1 2 {BYTES}\n10.9.7.1 2 {BYTES}\n10.9.0.1 end\n"), 3 * ["whole"],
             "TCP, plain and with a VLAN tag: all data arrive unchanged")
    csum = run("nstat", "-asz", "TcpInCsumErrors")[1].split()
    ok(csum[csum.index("TcpInCsumErrors") + 1] == "0" if "TcpInCsumErrors" in csum else False,
       "no checksum error", csum)
    counts = split.end()
    ok(counts["to_host"]["limit"] >= 5 and not counts["lost"] and not counts["forged"],
       "the host's program handled the first packets", counts)
    print(f"# {counts['to_host']} of {counts['passed']}")
    for args in (("link", "del", "tag0"), ("netns", "del", "far")):
        ip(*args)
