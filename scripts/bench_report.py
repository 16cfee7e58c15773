# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Targets and tables of the benchmarks (scripts/bench, scripts/bench-plots)."""

import collections

# For each target: key, sign, limit, description, and the reason if it is known to be missed.
TARGETS = [
    ("stream_64k_insn_per_KiB_in_place", "<=", 200,
     "instructions for a KiB of a stream, of which each byte is read, chunks of 64 KiB", ""),
    ("stream_64k_insn_per_KiB_copied", "<=", 260, "the same, copied before it is read", ""),
    ("stream_64k_misses_per_KiB_in_place", "<=", 17, "lines that are not in the L1 for data", ""),
    ("stream_64k_misses_per_KiB_copied", "<=", 50, "the same, copied before it is read", ""),
    ("elem64_insn_recv_batch", "<=", 16, "instructions, received with copy, bursts of 32", ""),
    ("elem64_insn_send_batch", "<=", 16, "instructions, sent with copy, bursts of 32", ""),
    ("elem64_insn_recv_single", "<=", 40, "instructions, received one at a time", ""),
    ("elem64_insn_send_single", "<=", 40, "instructions, sent one at a time", ""),
    ("elem64_insn_recv_zc_batch", "<=", 10, "instructions, in place, bursts of 32", ""),
    ("msg64_insn_recv_single", "<=", 45, "the same of messages with headers", ""),
    ("msg64_insn_recv_batch", "<=", 20, "of messages with headers, bursts of 32", ""),
    ("msg64_insn_borrow_batch", "<=", 16, "of messages with headers, in place, bursts of 32", ""),
    ("msg64_insn_send_single", "<=", 50, "sent, messages with headers", ""),
    ("msg64_insn_send_batch", "<=", 24, "sent, messages with headers, bursts of 32", ""),
    ("msg64_shared_insn_recv_single", "<=", 75, "received, handle for several threads", ""),
    ("msg64_shared_insn_send_single", "<=", 80, "sent, handle for several threads", ""),
    ("go_recv_ns_vs_chan", "<=", 1.0,
     "Go: 64 bytes received by Recv, against a channel of Go that holds them", ""),
    ("python_recv_ns_vs_queue", "<=", 1.0,
     "Python: 64 bytes received by recv(), against queue.Queue", ""),
    ("msg64_tlps_to_host", "<=", 0.30, "64 bytes with header, saturated", ""),
    ("msg64_link_bytes_to_host", "<=", 82, "64 bytes with header, saturated", ""),
    ("msg64_metadata_to_host", "<=", 0.080, "of link bytes, 64 bytes with header, saturated",
     "the header is 8 of {msg64_link_bytes_to_host} bytes, of which there were 102 before"),
    ("msg64_metadata_to_nfp", "<=", 0.157, "the same to the NFP, read requests of 512 bytes", ""),
    ("msg64_rate_vs_elem64_one", ">=", 0.9, "messages against elements that an ME process sends "
     "one by one", ""),
    ("port_insn_per_msg", "<=", 60, "instructions, wait on a port of 31 busy channels and receive "
     "up to 32 messages of each", ""),
    ("elem64_rate_vs_rte_ring", ">=", 1.5, "received one at a time, against DPDK's", ""),
    ("elem64_burst_rate_vs_rte_ring", ">=", 2.0, "in place, against DPDK's in bursts of 32",
     "each byte crosses from core to core, where DMA of a card writes the cache: two cores pass "
     "{spsc64_bulk_Mps} million/s at most, copied 64 KiB at a time, DPDK's ring "
     "{rte_zc64_burst_Mps}; half of the board's core is emulation"),
    ("pcie_metadata_stream", "<=", 0.01,
     "of link bytes, the worse direction, read requests of 4096 bytes", ""),
    ("pcie_metadata_msg64", "<=", 0.13, "of link bytes, messages with headers", ""),
    ("rtt64_pcie_round_trips", "<=", 1.0, "64 bytes, host to NFP and back",
     "the card reads the message from host memory, which is a round trip more"),
    ("rtt64_cpu_nonposted_reads", "<=", 0, "64 bytes, host to NFP and back: reads of card memory", ""),
    ("saturated_syscalls_per_msg", "<=", 0, "in the VM, under a filter that kills at a system call", ""),
    ("saturated_irqs_per_msg", "<=", 0, "in the VM", ""),
    ("idle_irqs_per_msg", "<=", 1, "in the VM, receiver asleep before each message", ""),
    ("idle_syscalls_per_msg", "<=", 2, "in the VM, receiver asleep before each message", ""),
    ("cost_256_vs_1_channels", "<=", 1.2,
     "instructions per message, on one port, the worst way to use it",
     "see the table of channels on a port"),
    *((f"app_{name}_vs_ring", ">=", limit,
       f"packets/s of {what}: in place in a stream, against a descriptor ring",
       f"the host's core alone is timed, where the paper's ring also waits for its NIC. A packet "
       f"takes {{app_{name}_stream_insn}} instructions and {{app_{name}_stream_l1_misses}} L1 "
       f"misses, on the ring {{app_{name}_ring_insn}} and {{app_{name}_ring_l1_misses}}. Without "
       f"an application it is {{app_echo_elem_Mps}} million/s against {{app_echo_ring_Mps}}")
      for name, limit, what in (("maglev", 6.0, "a load balancer"), ("sketch", 3.6, "telemetry"),
                                ("kvs", 1.3, "a key-value store"), ("log", 1.9, "a log monitor"))),
]

# "Streaming Abstractions for Intra-Host Communication" (Sadok, 2024): misses of the accesses to L1
# for data and L2, in percent (figure 3a and the text below it); table 1, DPDK = 1.
PAPER_MISSES = [("paper: DPDK on an E810", 6, 55), ("paper: sequential accesses", 0.2, 9)]
PAPER_SPEEDUP = {"maglev": 138 / 23, "sketch": 121 / 33.9, "kvs": 7.6 / 5.8, "log": 100 / 53.2}


def link_row(label, name):
    return (label, [f"pcie_{name}_{what}" for what in
                    ("metadata", "overhead", "link_bytes", "tlps", "doorbells", "irqs",
                     "cpu_reads")])


LINK_COLUMNS = ["metadata", "with framing", "link bytes", "TLPs", "doorbells", "interrupts",
                "CPU reads"]

INLINE_SIZES = (8, 16, 32, 64, 96, 128, 192, 248)
CHANNELS = (1, 2, 4, 8, 16, 32)
PORT_CHANNELS = (1, 2, 4, 8, 16, 31, 62, 124, 256)
RECEIVERS = (1, 2, 4, 8, 16)
LOADS = (10, 30, 50, 70, 90, 99)
PORT_WAYS = ("burst_busy", "wait_busy", "wait_sparse", "select_busy", "select_sparse")

WAYS = [
    ("spin", "spin"),
    ("adaptive: watch, then sleep", "adaptive"),
    ("monitored (UMWAIT, MWAITX)", "monitor"),
    ("sleep in ppoll()", "sleep"),
    ("eventfd and poll()", "eventfd"),
    ("epoll", "epoll"),
    ("real-time signal, sigwaitinfo()", "sigwait"),
    ("real-time signal, handler", "branch"),
    ("handler on another thread", "thread"),
]

LOAD_WAYS = [
    ("channel, reactive records", "reactive"),
    ("channel, next record asked for ahead", "prefetch"),
    ("descriptor ring, a descriptor each", "ring"),
]

# Tables: title, columns, rows (label and keys). Rows without any figure are left out.
TABLES = [
    ("Streams, 64 KiB chunks", ["GB/s"], [
        ("memcpy into a ring of 4 MiB, one core", ["memcpy_64k_GBps"]),
        ("channel to host, read in place, one core", ["stream_64k_one_core_GBps"]),
        ("channel to host, board on the second core", ["stream_64k_recv_GBps"]),
        ("channel to NFP (32 KiB), board on the second core", ["stream_32k_send_GBps"]),
    ]),
    ("64 bytes, received (two cores; instructions of the receiver)",
     ["million/s", "instructions"], [
         ("channel, one at a time", ["elem64_recv_single_Mps", "elem64_insn_recv_single"]),
         ("channel, bursts of 32", ["elem64_recv_burst_Mps", "elem64_insn_recv_batch"]),
         ("channel, in place", ["elem64_recv_in_place_Mps", "elem64_insn_recv_zc_batch"]),
         ("channel, handle for several threads", [None, "elem64_insn_recv_locked"]),
         ("channel, card sends one at a time", ["elem64_recv_card_one_Mps", None]),
         ("messages with headers", ["msg64_recv_single_Mps", "msg64_insn_recv_single"]),
         ("the same, handle for several threads", [None, "msg64_shared_insn_recv_single"]),
         ("messages with headers, borrowed", [None, "msg64_insn_borrow_single"]),
         ("the same, bursts of 32", [None, "msg64_insn_borrow_batch"]),
         ("messages with headers, bursts of 32", [None, "msg64_insn_recv_batch"]),
         ("bare SPSC ring, in place, sent 64 KiB at a time", ["spsc64_bulk_Mps", None]),
         ("DPDK rte_ring, one at a time", ["rte_zc64_one_Mps", None]),
         ("DPDK rte_ring, bursts of 32", ["rte_zc64_burst_Mps", None]),
         ("DPDK rte_ring, one at a time, sent in bursts", ["rte_zc64_one_of_bursts_Mps", None]),
         ("DPDK rte_ring, in place", ["rte_zc64_in_place_Mps", None]),
     ]),
    ("64 bytes, sent", ["million/s", "instructions"], [
        ("channel, one at a time", ["elem64_send_single_Mps", "elem64_insn_send_single"]),
        ("channel, bursts of 32", ["elem64_send_burst_Mps", "elem64_insn_send_batch"]),
        ("channel, handle for several threads", [None, "elem64_insn_send_locked"]),
        ("messages with headers", ["msg64_send_single_Mps", "msg64_insn_send_single"]),
        ("the same, handle for several threads", [None, "msg64_shared_insn_send_single"]),
        ("messages with headers, bursts of 32", [None, "msg64_insn_send_batch"]),
        ("the same, of a fixed size", [None, "msg64_fixed_insn_send_batch"]),
    ]),
    ("64 bytes with a header, received by a program in Go or Python (ring or queue filled ahead)",
     ["nanoseconds"], [
         ("Go: Recv, in new memory", ["go_recv_ns"]),
         ("Go: RecvInto", ["go_recv_into_ns"]),
         ("Go: a channel of Go, of slices", ["go_chan_ns"]),
         ("Python: recv()", ["python_recv_ns"]),
         ("Python: for message in channel", ["python_iter_ns"]),
         ("Python: borrow(), in place", ["python_borrow_ns"]),
         ("Python: queue.Queue", ["python_queue_ns"]),
         ("Python: queue.SimpleQueue", ["python_simple_queue_ns"]),
     ]),
    ("1 KiB and 64 KiB", ["1 KiB, million/s", "instructions", "64 KiB, instructions"], [
        ("channel to host, copied", ["msg1k_recv_Mps", "msg1k_insn_recv", "msg64k_insn_recv"]),
        ("channel to host, in place", [None, "msg1k_insn_recv_zc", "msg64k_insn_recv_zc"]),
        ("channel to host, messages with headers", ["msg1k_recv_header_Mps", None, None]),
        ("channel to NFP", ["msg1k_send_Mps", "msg1k_insn_send", "msg64k_insn_send"]),
        ("channel to NFP, messages with headers", ["msg1k_send_header_Mps", None, None]),
    ]),
    ("Round trip, microseconds (without the latency of a link)", ["median", "99 %"], [
        ("messages, 64 bytes, inline", ["rtt64_us_median", "rtt64_us_p99"]),
        ("messages, 64 bytes, read by the card", ["rtt64_dma_us_median", "rtt64_dma_us_p99"]),
        ("streams, an element of 64 bytes", ["rtt64_elem_us_median", "rtt64_elem_us_p99"]),
        ("streams, 1 KiB", ["rtt1k_us_median", "rtt1k_us_p99"]),
        ("streams, 64 KiB", ["rtt64k_us_median", "rtt64k_us_p99"]),
    ]),
    ("A round trip and a computation, microseconds", ["median", "99 %"], [
        (label, [f"{key}_us_median", f"{key}_us_p99"]) for label, key in (
            ("message of 64 bytes, inline", "rtt64"), ("computation", "work"),
            ("one after the other", "rtt64_then_work"), ("at the same time", "rtt64_with_work"))]),
    ("Round trip, transactions on the link", ["round trips", "CPU reads", "TLPs", "bytes"], [
        *((f"64 bytes, {how}", [f"rtt64{key}_{what}" for what in (
            "pcie_round_trips", "cpu_nonposted_reads", "tlps", "link_bytes")])
          for how, key in (("inline", ""), ("read by the card", "_dma"))),
        ("64 bytes, prototype", ["proto64_pcie_round_trips", "proto64_cpu_nonposted_reads",
                                 "proto64_tlps", "proto64_link_bytes"]),
    ]),
    ("A message to the NFP that finds the ring empty: inline, or read by the card",
     ["reads", "by the card", "TLPs", "by the card", "link bytes", "by the card",
      "instructions", "by the card"],
     [(f"{size} bytes", [f"{how}{size}_{what}" for what in
                         ("reads", "tlps", "link_bytes", "insn_send")
                         for how in ("inline", "dma")])
      for size in INLINE_SIZES]),
    ("On the link, per message to the host, saturated", LINK_COLUMNS, [
        link_row("64 bytes, element of a stream", "elem64_to_host"),
        link_row("64 bytes, message with header", "msg64_to_host"),
        link_row("64 bytes, descriptor ring", "vnic64_to_host"),
        link_row("64 bytes, prototype", "proto64_to_host"),
        link_row("1 KiB, stream", "stream1k_to_host"),
        link_row("1 KiB, message with header", "msg1k_to_host"),
        link_row("1 KiB, descriptor ring", "vnic1k_to_host"),
        link_row("1 KiB, prototype", "proto1k_to_host"),
        link_row("64 KiB, stream", "stream64k_to_host"),
        link_row("64 bytes, element, receiver ahead", "elem64_to_host_idle"),
        link_row("64 bytes, message, receiver ahead", "msg64_to_host_idle"),
    ]),
    ("On the link, per message to the NFP, saturated", LINK_COLUMNS, [
        link_row("64 bytes, elements, bursts of 32", "elem64_to_nfp"),
        link_row("64 bytes, elements, one at a time", "elem64_one_to_nfp"),
        link_row("64 bytes, messages with headers, bursts of 32", "msg64_to_nfp"),
        link_row("the same, read requests of 4096 bytes", "msg64_to_nfp_readrq4k"),
        link_row("64 bytes, messages of any size, one at a time", "msg64_one_to_nfp"),
        link_row("64 bytes, descriptor ring, bursts of 32", "vnic64_to_nfp"),
        link_row("64 bytes, descriptor ring, one at a time", "vnic64_one_to_nfp"),
        link_row("64 bytes, prototype", "proto64_to_nfp"),
        link_row("1 KiB, stream", "stream1k_to_nfp"),
        link_row("1 KiB, message with header", "msg1k_to_nfp"),
        link_row("1 KiB, descriptor ring, bursts of 32", "vnic1k_to_nfp"),
        link_row("1 KiB, prototype", "proto1k_to_nfp"),
        link_row("32 KiB, stream", "stream32k_to_nfp"),
        link_row("the same, read requests of 4096 bytes", "stream32k_to_nfp_readrq4k"),
    ]),
    ("Instructions per message, by channels received from",
     ["in turn", "select, all busy", "select, one busy"],
     [(f"{n}", [f"channels{n}_insn_{how}" for how in
                ("in_turn", "select_busy", "select_sparse")]) for n in CHANNELS]),
    ("The same, by channels on a port; more than 31 are those of several cards",
     ["port_wait, bursts of 32", "port_wait, all busy", "port_wait, one busy",
      "select, all busy", "select, one busy"],
     [(f"{n}", [f"channels{n}_insn_port_{how}" for how in PORT_WAYS])
      for n in PORT_CHANNELS]),
    ("On the link, per message of 64 bytes to several receivers of one channel", LINK_COLUMNS,
     [link_row(f"{n}", f"receivers{n}") for n in RECEIVERS]),
    ("Per message of 64 bytes that is received and sent back, by receivers",
     ["instructions", "TLPs", "link bytes"],
     [(f"{n}", [f"echo{n}_insn", f"echo{n}_tlps", f"echo{n}_link_bytes"]) for n in RECEIVERS]),
    ("Largest rate of frames of 60 bytes, from the wire to the host and back", ["million/s"], [
        (label, [f"load_{way}_Mps"]) for label, way in LOAD_WAYS]),
    ("Round trip of a frame by load, in percent of the largest rate (microseconds)",
     [f"{label}, {what}" for label in ("reactive", "prefetching", "ring")
      for what in ("median", "99 %")],
     [(f"{load}", [f"load_{way}_{load}_us_{what}" for _, way in LOAD_WAYS
                   for what in ("median", "p99")]) for load in LOADS]),
    ("Ways to be woken, in the VM (microseconds of an emulated CPU)",
     ["median", "99 %", "CPU time", "system calls", "interrupts"],
     [(label, [f"wake_{key}_vm_{what}" for what in (
         "us_median", "us_p99", "cpu_us", "syscalls", "irqs")]) for label, key in WAYS]),
    ("The parts of a wake-up in the VM, of the medians (microseconds of an emulated CPU)",
     ["interrupt, until the thread is woken", "until it runs", "until its system call returns"],
     [(label, [f"wakepart_{way}_{part}_us_median" for part in ("interrupt", "schedule", "return")])
      for label, way in (("sleep in ppoll()", "ppoll"), ("eventfd and poll()", "eventfd"))]),
    ("In the VM, per message", ["system calls", "interrupts"], [
        ("saturated", ["saturated_syscalls_per_msg", "saturated_irqs_per_msg"]),
        ("receiver asleep before each", ["idle_syscalls_per_msg", "idle_irqs_per_msg"]),
        ("messages one by one to a sleeper", [None, "wake_at_once_vm_irqs_per_msg"]),
        ("... interrupts held back for 32", [None, "wake_held_vm_irqs_per_msg"]),
    ]),
    ("Cold caches: a message of 64 bytes is received, changed and sent back (valgrind)",
     ["instructions", "L1 misses", "L2 misses", "L2, prefetched", "% of L1", "% of L2, prefetched"],
     [(label, [f"cache_{key}_{what}" for what in ("insn", "l1_misses", "l2_misses", "l2_prefetch",
                                                  "l1_ratio", "l2_ratio")])
      for label, key in (("elements of a stream, returned in place", "elem"),
                         ("messages with headers, copied", "msg"),
                         ("descriptor ring, a buffer each", "ring"))]),
    ("A stream in chunks of 64 KiB, each byte read, per KiB",
     ["instructions", "L1 misses", "L2 misses", "L2, prefetched"],
     [(way.replace("_", " "), [f"stream_64k_{what}_per_KiB_{way}" for what in (
         "insn", "misses", "l2_misses", "l2_prefetch")]) for way in ("in_place", "copied")]),
    ("Applications, per packet of 64 bytes (log: 1448 bytes of text)",
     ["million/s", "instructions", "L1 misses", "L2 misses", "L2, prefetched"],
     [(f"none, {how}", [f"app_echo_{way}_Mps"] + [f"cache_{way}_{what}" for what in (
         "insn", "l1_misses", "l2_misses", "l2_prefetch")])
      for how, way in (("elements of a stream", "elem"), ("descriptor ring", "ring"))] +
     [(f"{label}, {how}", [f"app_{name}_{way}_{what}" for what in (
         "Mps", "insn", "l1_misses", "l2_misses", "l2_prefetch")])
      for label, name in (("load balancer", "maglev"), ("telemetry", "sketch"),
                          ("key-value store", "kvs"), ("log monitor", "log"))
      for how, way in (("stream", "stream"), ("descriptor ring", "ring"))]),
    ("Of the machine, without a target", ["ratio"], [
        ("64 KiB received and read, against memcpy, one core", ["stream_64k_memcpy_ratio"]),
    ]),
    ("The board itself", ["million/s"], [
        ("frames of 64 bytes that an XDP program drops", ["xdp_drop_Mpps"]),
        ("... sends back, addresses swapped", ["xdp_tx_Mpps"]),
        ("... passes to the host", ["xdp_pass_Mpps"]),
        ("microengine instructions, packet program", ["me_packet_Mips"]),
        ("microengine instructions, registers alone", ["me_register_Mips"]),
    ]),
]

# Keys that are computed from other keys, if all of them are there.
DERIVED = [
    ("stream_64k_memcpy_ratio", lambda a, b: a / b,
     ["stream_64k_one_core_GBps", "memcpy_64k_GBps"]),
    *((f"app_{name}_vs_ring", lambda a, b: a / b,
       [f"app_{name}_stream_Mps", f"app_{name}_ring_Mps"])
      for name in ("maglev", "sketch", "kvs", "log")),
    ("elem64_rate_vs_rte_ring", lambda a, b, c: a / max(b, c),
     ["elem64_recv_single_Mps", "rte_zc64_one_Mps", "rte_zc64_one_of_bursts_Mps"]),
    ("elem64_burst_rate_vs_rte_ring", lambda a, b, c: a / max(b, c),
     ["elem64_recv_in_place_Mps", "rte_zc64_in_place_Mps", "rte_zc64_burst_Mps"]),
    *((f"msg64_{what}_to_{end}", lambda a: a, [f"pcie_msg64_to_{end}_{what}"])
      for what, end in (("tlps", "host"), ("link_bytes", "host"), ("metadata", "host"),
                        ("metadata", "nfp"))),
    ("msg64_rate_vs_elem64_one", lambda a, b: a / b,
     ["msg64_recv_single_Mps", "elem64_recv_card_one_Mps"]),
    ("port_insn_per_msg", lambda a: a, ["channels31_insn_port_burst_busy"]),
    ("go_recv_ns_vs_chan", lambda a, b: a / b, ["go_recv_ns", "go_chan_ns"]),
    ("python_recv_ns_vs_queue", lambda a, b: a / b, ["python_recv_ns", "python_queue_ns"]),
    ("pcie_metadata_stream", max,
     ["pcie_stream64k_to_host_metadata", "pcie_stream32k_to_nfp_readrq4k_metadata"]),
    ("pcie_metadata_msg64", max,
     ["pcie_msg64_to_host_metadata", "pcie_msg64_to_nfp_readrq4k_metadata"]),
    *((f"cost_{n}_vs_1_{how}", lambda a, b: a / b,
       [f"channels{n}_insn_{how}", f"channels1_insn_{how}"])
      for n in (32,) for how in ("in_turn", "select_busy", "select_sparse")),
    *((f"cost_{n}_vs_1_port_{how}", lambda a, b: a / b,
       [f"channels{n}_insn_port_{how}", f"channels1_insn_port_{how}"])
      for n in (31, 256) for how in PORT_WAYS),
    ("cost_256_vs_1_channels", lambda *a: max(a),
     [f"cost_256_vs_1_port_{how}" for how in PORT_WAYS]),
]


def less_is_better(key):
    return "_us_" in key or key.endswith(("_us", "_ns")) or "_insn" in key


def derive(raw):
    """Add the keys that are computed from others."""
    for key, fn, of in DERIVED:
        if all(k in raw for k in of):
            raw[key] = round(fn(*(raw[k] for k in of)), 5)


MEETS = {"<=": lambda v, limit: v <= limit, ">=": lambda v, limit: v >= limit,
         "=": lambda v, limit: abs(v - limit) < 0.005}


def summary(raw, targets=None):
    """The figures that have a target, if they were measured."""
    shown = collections.defaultdict(lambda: "?", {k: number(v) for k, v in raw.items()})
    out = {}
    for key, sign, limit, what, why in targets or TARGETS:
        value = raw.get(key)
        entry = {"value": value, "target": f"{sign} {limit}", "what": what, "met": None}
        if value is not None:
            entry["met"] = MEETS[sign](value, limit)
            if not entry["met"]:
                entry["off_by"] = round(value - limit, 4)
                entry["why"] = why.format_map(shown)
        out[key] = entry
    return out


def number(value):
    """A number as text: at most four digits, no exponent."""
    if value is None:
        return ""
    if 0 < abs(value) < 0.001:
        return f"{value:.5f}"
    if value == int(value) or abs(value) >= 1000:
        return f"{value:.0f}"
    return f"{value:.{3 if abs(value) < 10 else 2 if abs(value) < 100 else 1}f}"


def verdict(entry):
    if entry["met"] is None:
        return "not measured"
    if entry["met"]:
        return "met"
    return f"missed by {number(abs(entry['off_by']))}"


def tables(raw):
    """For each table: title, column heads, and the rows that have a figure."""
    for title, columns, rows in TABLES:
        found = [[label] + [number(raw.get(k)) for k in keys] for label, keys in rows
                 if any(k in raw for k in keys)]
        if found:
            yield title, [""] + columns, found


def machine_text(about):
    how = "timed programs at real-time priority" if about["real_time_priority"] else \
        "no real-time priority: figures of a busy machine mean little"
    return (f"{about['cpu']}, {about['cores']} cores, Linux {about['kernel']}, "
            f"{about['date']}, commit {about['commit']}; {how}, best of {5 * about['repeat']} runs")


def summary_rows(summed):
    return [[key, number(s["value"]), s["target"], verdict(s)] for key, s in summed.items()]


SUMMARY_HEADS = ["figure", "value", "target", ""]


def aligned(heads, rows):
    widths = [max(len(r[i]) for r in [heads] + rows) for i in range(len(heads))]
    for row in [heads] + rows:
        cells = [row[0].ljust(widths[0])]
        cells += [c.rjust(w) for c, w in zip(row[1:], widths[1:])]
        yield "  " + "  ".join(cells).rstrip()


def text(about, raw, summed, programs):
    """The report as plain text."""
    lines = [machine_text(about), ""]
    shown = set()
    for title, heads, rows in tables(raw):
        lines += [title, *aligned(heads, rows), ""]
    for _, _, rows in TABLES:
        shown.update(k for _, keys in rows for k in keys)
    rest = [[k, number(v)] for k, v in sorted(raw.items()) if k not in shown]
    if rest:
        lines += ["Other figures", *list(aligned(["", ""], rest))[1:], ""]
    lines += ["Targets", *aligned(SUMMARY_HEADS, summary_rows(summed))]
    for key, s in summed.items():
        if s.get("why"):
            lines.append(f"  {key}: {s['why']}")
    left = [f"{n}: {s}" for n, s in programs.items() if s != "ran"]
    return "\n".join(lines + ([""] + left if left else []))


def rst_table(heads, rows):
    heads = [heads[0] or "\\"] + heads[1:]
    widths = [max(len(r[i]) for r in [heads] + rows) for i in range(len(heads))]
    bar = "  ".join("=" * w for w in widths)
    body = ["  ".join(c.ljust(w) for c, w in zip(r, widths)).rstrip() for r in [heads] + rows]
    return [bar, body[0], bar, *body[1:], bar]


def rst(about, raw, summed):
    """The tables of selftests/bench/FIGURES.rst."""
    lines = [machine_text(about) + ".", "", *rst_table(SUMMARY_HEADS, summary_rows(summed)), ""]
    for title, heads, rows in tables(raw):
        lines += [title + ":", "", *rst_table(heads, rows), ""]
    return "\n".join(lines)
