# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""The netdevs of a card's ports, for tests of what is on the wire."""

import subprocess


def up():
    """Set the netdevs up, which then receive all frames and send none by themselves."""
    with open("/proc/sys/net/ipv6/conf/all/disable_ipv6", "w", encoding="ascii") as f:
        f.write("1\n")
    for dev in ("eth0", "eth1"):
        subprocess.run(["ip", "link", "set", dev, "promisc", "on", "up"], check=True)
