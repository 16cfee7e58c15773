# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""What fault.py does to the control block: at an attach, and to a card that is attached."""

import errno
import os

from fault_rig import DETACHED, NODE, OPEN_NONBLOCK, Reader, abi, until
from tap import fails, ok, same

# Offsets in the block of what the module looks at while it is attached
MAGIC, BOOT_ID = 0, 16
# The block, and the first channels of its table
WORDS = range(4, 256, 4)


def block_bad(rig):
    """Blocks that are no good: no node, a line, and the vNICs are there."""
    cases = [
        ("cb-garbage", r"firmware: ABI \d+, must be exactly 2"),
        ("cb-version", r"firmware: ABI 3, must be exactly 2"),
        ("cb-change", r"firmware: crc 0x\w+, computed 0x\w+"),
        # In which the firmware has restarted since: boot_id. Not every kernel has the
        # names of errors.
        ("cb-stale", rf"the firmware does not answer properly: -(EPROTO|{errno.EPROTO})$"),
        # Its answer to HELLO is that number.
        ("mbox-value", rf"the firmware does not answer properly: -(EPROTO|{errno.EPROTO})$"),
    ]
    rig.stop()
    for name, text in cases:
        # Unbound first: who is attached may see it, too, and say so.
        rig.pci.drive("unbind")
        rig.log.says(DETACHED, name=f"{name}, unbound")
        rig.pci.fault(name)
        if name == "cb-stale":
            rig.pci.fault("fw-restart")
        rig.pci.drive("bind")
        ok(not os.path.exists(NODE), f"{name}: no node")
        rig.log.says(text, name=name)
        ok(rig.pci.frame_crosses(), f"{name}: the netdevs go on")
        rig.bind_well()
        ok(os.path.exists(NODE), f"{name}: bound anew, there is a node")
        rig.log.attached(name=f"{name}, bound anew")
    rig.start()
    rig.tick("control block")


def block_changes(rig):
    """Attached: what was read then is used. Whatever the block says later in any other word
    than two is not even read, so channels open as they did."""
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
    ok(rig.ticks(), "cb-version while attached: so they do")
    fails(lambda: rig.card.open("no-such"), errno.ENOENT,
          "cb-version while attached: and are refused as they were")
    fd = rig.card.open("echo-out", OPEN_NONBLOCK)
    same(abi.layout(fd)[1:7], layout[1:7], "cb-version while attached: rings are as before")
    os.close(fd)
    same(rig.pci.hits(), hits, "another block while attached: nothing of it was read")
    rig.over("another block while attached")


def block_replaced(rig, fault, *texts):
    """Attached, and magic number or boot_id is another: no card that the module knows. It
    lets go, looks for one in vain, and has it again when the block is right."""
    name = f"{fault} while attached"
    fd = rig.card.open("tick")
    reader = Reader(fd)
    rig.pci.fault(fault)
    rig.gone(name, reader)
    ok(rig.pci.frame_crosses(), f"{name}: meanwhile the netdevs go on")
    os.close(fd)
    until(lambda: not os.path.exists(NODE), f"{name}: the node goes")
    rig.stop()
    rig.log.says(*texts, name=name)
    rig.pci.fault("off")
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
                                                 r"firmware: ABI \d+, must be exactly 2")),
    ("block-boot", lambda rig: block_replaced(rig, f"cb-change:value={BOOT_ID}", RESTARTED,
                                              DETACHED, r"firmware: crc 0x\w+, computed 0x\w+")),
    ("block-magic", lambda rig: block_replaced(
        rig, f"cb-change:value={MAGIC}", r"nfp_chan0: the firmware is not to be seen any more",
        KEPT, DETACHED, r"no channel firmware: magic 0x\w+ in SRAM, must be 0x\w+")),
]
