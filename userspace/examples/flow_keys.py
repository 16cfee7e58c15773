#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Give the flow records of `nfpchan flows --json-lines` keys for Kafka, and the name of this host.

    nfpchan flows --json-lines --active 60 | flow_keys.py | kcat -P -b BROKER -t flows -K '\\t' -X acks=all

Each line is KEY, a tab, and the record. The key has protocol, addresses, ports and VLANs, so all
records of a flow are in one partition, in their order. The totals have the host's name as their key."""

import json
import platform
import sys

KEY = ("proto", "src", "sport", "dst", "dport", "vlan", "vlan_inner")


def main():
    host = platform.node()
    for line in sys.stdin:
        row = json.loads(line)
        key = " ".join(str(row.get(k, "-")) for k in KEY) if "src" in row else host
        row["host"] = host
        print(key, json.dumps(row, separators=(",", ":")), sep="\t", flush=True)


if __name__ == "__main__":
    main()
