# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Targets and tables of the benchmarks (scripts/bench, scripts/bench-plots)."""

# (key, "<=" or ">=", limit, what it is, the share of a miss that is known)
TARGETS = [
    ("stream_64k_memcpy_ratio", ">=", 0.85,
     "64 KiB chunks received and read, against memcpy, one core", ""),
    ("msg64_insn_recv_batch", "<=", 16, "instructions, received with copy, bursts of 32", ""),
    ("msg64_insn_send_batch", "<=", 16, "instructions, sent with copy, bursts of 32", ""),
    ("msg64_insn_recv_single", "<=", 40, "instructions, received one at a time", ""),
    ("msg64_insn_send_single", "<=", 40, "instructions, sent one at a time", ""),
    ("msg64_insn_recv_zc_batch", "<=", 10, "instructions, in place, bursts of 32", ""),
]

# Title, columns, rows of label and keys; what has no figure is left out.
TABLES = [
    ("Streams, 64 KiB chunks", ["GB/s"], [
        ("memcpy into a ring of 4 MiB, one core", ["memcpy_64k_GBps"]),
        ("channel to host, read in place, one core", ["stream_64k_one_core_GBps"]),
        ("channel to host, board on the second core", ["stream_64k_recv_GBps"]),
        ("channel to NFP (32 KiB), board on the second core", ["stream_32k_send_GBps"]),
    ]),
    ("Messages of 64 bytes, received", ["million/s", "instructions"], [
        ("channel, one at a time", ["msg64_recv_single_Mps", "msg64_insn_recv_single"]),
        ("channel, bursts of 32", ["msg64_recv_burst_Mps", "msg64_insn_recv_batch"]),
        ("channel, in place", ["msg64_recv_in_place_Mps", "msg64_insn_recv_zc_batch"]),
        ("channel, card sends one at a time", ["msg64_recv_card_one_Mps", None]),
        ("channel of messages with headers", ["msg64_recv_header_Mps", None]),
    ]),
    ("Messages of 64 bytes, sent", ["million/s", "instructions"], [
        ("channel, one at a time", ["msg64_send_single_Mps", "msg64_insn_send_single"]),
        ("channel, bursts of 32", ["msg64_send_burst_Mps", "msg64_insn_send_batch"]),
    ]),
    ("Messages of 1 KiB", ["million/s"], [
        ("channel to host", ["msg1k_recv_Mps"]),
        ("channel to host, messages with headers", ["msg1k_recv_header_Mps"]),
        ("channel to NFP", ["msg1k_send_Mps"]),
    ]),
    ("The board itself", ["million/s"], [
        ("packets through the flow meter", ["flow_Mpps"]),
        ("TCP frames from vNIC to vNIC", ["vnic_Mpps"]),
        ("frames of 64 bytes that an XDP program drops", ["xdp_drop_Mpps"]),
        ("... sends back, addresses swapped", ["xdp_tx_Mpps"]),
        ("... passes to the host", ["xdp_pass_Mpps"]),
        ("microengine instructions, packet program", ["me_packet_Mips"]),
        ("microengine instructions, registers alone", ["me_register_Mips"]),
    ]),
]


def summary(raw):
    """The figures that have a target, as far as they were measured."""
    out = {}
    for key, sign, limit, what, why in TARGETS:
        value = raw.get(key)
        entry = {"value": value, "target": f"{sign} {limit}", "what": what, "met": None}
        if value is not None:
            entry["met"] = value <= limit if sign == "<=" else value >= limit
            if not entry["met"]:
                entry["off_by"] = round(value - limit, 4)
                entry["why"] = why
        out[key] = entry
    return out


def number(value):
    """At most four digits, and no exponent."""
    if value is None:
        return ""
    if value == int(value) or abs(value) >= 1000:
        return f"{value:.0f}"
    return f"{value:.{3 if abs(value) < 10 else 2 if abs(value) < 100 else 1}f}"


def verdict(entry):
    if entry["met"] is None:
        return "not run"
    if entry["met"]:
        return "met"
    return f"missed by {number(abs(entry['off_by']))}"


def tables(raw):
    """Each table with the rows that have a figure: title, heads, rows of text."""
    for title, columns, rows in TABLES:
        found = [[label] + [number(raw.get(k)) for k in keys] for label, keys in rows
                 if any(k in raw for k in keys)]
        if found:
            yield title, [""] + columns, found


def machine_text(about):
    how = "timed programs at real-time priority" if about["real_time_priority"] else \
        "no real-time priority: figures of a busy machine mean little"
    return (f"{about['cpu']}, {about['cores']} cores, Linux {about['kernel']}, "
            f"{about['date']}, commit {about['commit']}; {how}")


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
    """For a terminal."""
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
    """For README.rst."""
    lines = [machine_text(about) + ".", "", *rst_table(SUMMARY_HEADS, summary_rows(summed)), ""]
    for title, heads, rows in tables(raw):
        lines += [title + ":", "", *rst_table(heads, rows), ""]
    return "\n".join(lines)
