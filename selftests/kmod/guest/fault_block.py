# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Cases of fault.py: wrong control blocks, at an attach and while the card is attached."""

import errno
import os

from fault_rig import DETACHED, NODE, OPEN_NONBLOCK, Reader, abi, until
from tap import fails, ok, same

# Offsets of the words of the block that the module reads while it is attached
MAGIC, BOOT_ID = 0, 16
# Offsets of all words of the block except the first, and of words of the channel table after it
WORDS = range(4, 256, 4)


def block_bad(rig):
    """A wrong control block at an attach: the module makes no node and logs one line. The vNICs
    work."""
    cases = [
        ("cb-garbage", r"firmware: ABI \d+, must be exactly 3"),
        ("cb-version", r"firmware: ABI 4, must be exactly 3"),
        ("cb-change", r"firmware: crc 0x\w+, computed 0x\w+"),
        # The firmware has restarted since it wrote the block, so boot_id is stale. Some kernels
        # print the number of the error instead of its name.
        ("cb-stale", rf"the firmware does not answer properly: -(EPROTO|{errno.EPROTO})$"),
        # The answer to HELLO has the boot_id, and this fault changes it.
        ("mbox-value", rf"the firmware does not answer properly: -(EPROTO|{errno.EPROTO})$"),
    ]
    rig.stop()
    for name, text in cases:
        # Unbind first: an attached module might notice the fault, and log it.
        rig.pci.drive("unbind")
        rig.log.says(DETACHED, name=f"{name}, unbound")
        rig.pci.fault(name)
        if name == "cb-stale":
            rig.pci.fault("fw-restart")
        rig.pci.drive("bind")
        ok(not os.path.exists(NODE), f"{name}: no node")
        rig.log.says(text, name=name)
        ok(rig.pci.frame_crosses(), f"{name}: the netdevs go on")
        rig.bind_well(name)
        ok(os.path.exists(NODE), f"{name}: bound again, the node exists")
        rig.log.attached(name=f"{name}, bound again")
    rig.start()
    rig.tick("control block")


def block_changes(rig):
    """While the card is attached, words of the control block change, except the two that the
    module checks. The module read the block at the attach, so channels open as before."""
    layout = abi.layout(rig.witness.back)
    hits = rig.pci.hits()
    wrong = []
    for word in WORDS:
        rig.pci.fault("off" if word == BOOT_ID else f"cb-change:value={word}")
        if not rig.ticks():
            wrong.append(word)
        rig.pci.fault("off")
    same(wrong, [], "cb-change while attached: channels open and work")
    rig.fault("cb-version")
    ok(rig.ticks(), "cb-version while attached: channels open and work")
    fails(lambda: rig.card.open("no-such"), errno.ENOENT,
          "cb-version while attached: an unknown channel is refused as before")
    fd = rig.card.open("echo-out", OPEN_NONBLOCK)
    same(abi.layout(fd)[1:7], layout[1:7], "cb-version while attached: rings are as before")
    os.close(fd)
    same(rig.pci.hits(), hits, "another block while attached: the module reads none of it")
    rig.over("another block while attached")


def block_replaced(rig, fault, *texts):
    """While the card is attached, the magic number or boot_id changes. The module must detach, try
    to attach in vain, and attach when the control block is right again and a netdev comes up."""
    name = f"{fault} while attached"
    ok(rig.pci.frame_crosses(), f"{name}: the netdevs are up")
    fd = rig.card.open("tick")
    reader = Reader(fd)
    rig.pci.fault(fault)
    rig.gone(name, reader)
    ok(rig.pci.frame_crosses(), f"{name}: the netdevs still work")
    os.close(fd)
    until(lambda: not os.path.exists(NODE), f"{name}: the node is removed")
    rig.stop()
    rig.log.says(*texts, name=name)
    rig.pci.fault("off")
    rig.pci.up_anew()
    until(lambda: os.path.exists(NODE), f"{name}: a node again")
    rig.log.attached(name=f"{name}, off")
    rig.start()
    rig.tick(name)
    rig.settled(name)


KEPT = r"nfp_chan0: \d+ bytes are kept"
RESTARTED = r"nfp_chan0: the firmware has restarted, attaching anew"

CASES = [
    ("block", block_bad),
    ("block-changes", block_changes),
    ("block-garbage", lambda rig: block_replaced(rig, "cb-garbage", RESTARTED, DETACHED,
                                                 r"firmware: ABI \d+, must be exactly 3")),
    ("block-boot", lambda rig: block_replaced(rig, f"cb-change:value={BOOT_ID}", RESTARTED,
                                              DETACHED, r"firmware: crc 0x\w+, computed 0x\w+")),
    ("block-magic", lambda rig: block_replaced(
        rig, f"cb-change:value={MAGIC}", r"nfp_chan0: the firmware is not to be seen any more",
        KEPT, DETACHED, r"no channel firmware: magic 0x\w+ in SRAM, must be 0x\w+")),
]
