/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * nfp_chan_offsets.h - sizes and offsets of the structs of the uapi headers and of
 * fw/abi/nfp_chan_fw.h, for checks at compile time. The kernel module, the firmware and
 * the library each expand these lists with an assertion, so that code with another
 * layout does not compile.
 *
 * This header is not installed, and no uapi header includes it.
 */
#ifndef NFP_CHAN_OFFSETS_H
#define NFP_CHAN_OFFSETS_H

/* nfp_chan_fw.h */
#define NFP_CHAN_FW_OFFSETS(SIZE, OFFSET) \
	SIZE(nfp_chan_fw_cb, 144) \
	OFFSET(nfp_chan_fw_cb, magic, 0) \
	OFFSET(nfp_chan_fw_cb, abi_major, 4) \
	OFFSET(nfp_chan_fw_cb, abi_minor, 6) \
	OFFSET(nfp_chan_fw_cb, size, 8) \
	OFFSET(nfp_chan_fw_cb, crc, 12) \
	OFFSET(nfp_chan_fw_cb, boot_id, 16) \
	OFFSET(nfp_chan_fw_cb, chan_off, 20) \
	OFFSET(nfp_chan_fw_cb, chan_count, 24) \
	OFFSET(nfp_chan_fw_cb, chan_stride, 26) \
	OFFSET(nfp_chan_fw_cb, stat_off, 28) \
	OFFSET(nfp_chan_fw_cb, mbox_off, 32) \
	OFFSET(nfp_chan_fw_cb, sig_off, 36) \
	OFFSET(nfp_chan_fw_cb, pipe_count, 40) \
	OFFSET(nfp_chan_fw_cb, signal_db_count, 42) \
	OFFSET(nfp_chan_fw_cb, mbox_queue, 44) \
	OFFSET(nfp_chan_fw_cb, sig_queue, 46) \
	OFFSET(nfp_chan_fw_cb, me_mhz, 48) \
	OFFSET(nfp_chan_fw_cb, inline_off, 52) \
	OFFSET(nfp_chan_fw_cb, inline_count, 56) \
	OFFSET(nfp_chan_fw_cb, link_off, 58) \
	OFFSET(nfp_chan_fw_cb, push_size, 60) \
	OFFSET(nfp_chan_fw_cb, fw_name, 64) \
	OFFSET(nfp_chan_fw_cb, fw_version, 96) \
	OFFSET(nfp_chan_fw_cb, push_addr, 128) \
	OFFSET(nfp_chan_fw_cb, queue_pages, 136) \
	SIZE(nfp_chan_fw_chan, 64) \
	OFFSET(nfp_chan_fw_chan, name, 0) \
	OFFSET(nfp_chan_fw_chan, id, 32) \
	OFFSET(nfp_chan_fw_chan, dir, 34) \
	OFFSET(nfp_chan_fw_chan, kind, 35) \
	OFFSET(nfp_chan_fw_chan, flags, 36) \
	OFFSET(nfp_chan_fw_chan, elem_size, 40) \
	OFFSET(nfp_chan_fw_chan, max_size, 44) \
	OFFSET(nfp_chan_fw_chan, depth, 48) \
	OFFSET(nfp_chan_fw_chan, island, 52) \
	OFFSET(nfp_chan_fw_chan, me, 53) \
	OFFSET(nfp_chan_fw_chan, ctx, 54) \
	OFFSET(nfp_chan_fw_chan, process, 56) \
	SIZE(nfp_chan_fw_stat, 32) \
	OFFSET(nfp_chan_fw_stat, msgs, 0) \
	OFFSET(nfp_chan_fw_stat, bytes, 8) \
	OFFSET(nfp_chan_fw_stat, dropped, 16) \
	OFFSET(nfp_chan_fw_stat, stalled, 24) \
	SIZE(nfp_chan_fw_req, 64) \
	OFFSET(nfp_chan_fw_req, seq, 0) \
	OFFSET(nfp_chan_fw_req, cmd, 4) \
	OFFSET(nfp_chan_fw_req, pipe, 6) \
	OFFSET(nfp_chan_fw_req, chan, 8) \
	OFFSET(nfp_chan_fw_req, vector, 10) \
	OFFSET(nfp_chan_fw_req, ring_shift, 12) \
	OFFSET(nfp_chan_fw_req, unit_shift, 13) \
	OFFSET(nfp_chan_fw_req, inline_page, 14) \
	OFFSET(nfp_chan_fw_req, signal_db, 15) \
	OFFSET(nfp_chan_fw_req, msg_seq, 16) \
	OFFSET(nfp_chan_fw_req, map_id, 20) \
	OFFSET(nfp_chan_fw_req, ring_addr, 24) \
	OFFSET(nfp_chan_fw_req, note_addr, 32) \
	OFFSET(nfp_chan_fw_req, irq_count, 40) \
	OFFSET(nfp_chan_fw_req, port, 42) \
	OFFSET(nfp_chan_fw_req, irq_usecs, 44) \
	OFFSET(nfp_chan_fw_req, cookie, 48) \
	OFFSET(nfp_chan_fw_req, ring_of, 56) \
	OFFSET(nfp_chan_fw_req, flags, 58) \
	SIZE(nfp_chan_fw_link, 128) \
	OFFSET(nfp_chan_fw_link, seq, 0) \
	OFFSET(nfp_chan_fw_link, cmd, 4) \
	OFFSET(nfp_chan_fw_link, pipe, 6) \
	OFFSET(nfp_chan_fw_link, to, 8) \
	OFFSET(nfp_chan_fw_link, hdr_len, 10) \
	OFFSET(nfp_chan_fw_link, match_len, 11) \
	OFFSET(nfp_chan_fw_link, match_off, 12) \
	OFFSET(nfp_chan_fw_link, match_mask, 16) \
	OFFSET(nfp_chan_fw_link, match_value, 24) \
	OFFSET(nfp_chan_fw_link, ring_addr, 32) \
	OFFSET(nfp_chan_fw_link, doorbell_addr, 40) \
	OFFSET(nfp_chan_fw_link, limit, 48) \
	OFFSET(nfp_chan_fw_link, peer_arg, 52) \
	OFFSET(nfp_chan_fw_link, ring_shift, 56) \
	OFFSET(nfp_chan_fw_link, peer_flags, 57) \
	OFFSET(nfp_chan_fw_link, state_off, 58) \
	OFFSET(nfp_chan_fw_link, state_len, 59) \
	OFFSET(nfp_chan_fw_link, state_step, 60) \
	OFFSET(nfp_chan_fw_link, hdr, 64) \
	SIZE(nfp_chan_fw_device, 128) \
	OFFSET(nfp_chan_fw_device, seq, 0) \
	OFFSET(nfp_chan_fw_device, cmd, 4) \
	OFFSET(nfp_chan_fw_device, pipe, 6) \
	OFFSET(nfp_chan_fw_device, mem_addr, 8) \
	OFFSET(nfp_chan_fw_device, doorbell_addr, 16) \
	OFFSET(nfp_chan_fw_device, mem_size, 24) \
	OFFSET(nfp_chan_fw_device, in_size, 28) \
	OFFSET(nfp_chan_fw_device, out_size, 30) \
	OFFSET(nfp_chan_fw_device, slots, 32) \
	OFFSET(nfp_chan_fw_device, skip, 34) \
	OFFSET(nfp_chan_fw_device, src_at, 36) \
	OFFSET(nfp_chan_fw_device, dst_at, 37) \
	OFFSET(nfp_chan_fw_device, len_at, 38) \
	OFFSET(nfp_chan_fw_device, room_at, 39) \
	OFFSET(nfp_chan_fw_device, done_at, 40) \
	OFFSET(nfp_chan_fw_device, done_len, 41) \
	OFFSET(nfp_chan_fw_device, status_at, 42) \
	OFFSET(nfp_chan_fw_device, seq_at, 43) \
	OFFSET(nfp_chan_fw_device, outlen_at, 44) \
	OFFSET(nfp_chan_fw_device, status_ok, 48) \
	OFFSET(nfp_chan_fw_device, dev_addr, 56) \
	OFFSET(nfp_chan_fw_device, desc, 64) \
	SIZE(nfp_chan_fw_rsp, 16) \
	OFFSET(nfp_chan_fw_rsp, status, 0) \
	OFFSET(nfp_chan_fw_rsp, value, 4) \
	OFFSET(nfp_chan_fw_rsp, seq, 12)

/* nfp_chan_ring.h */
#define NFP_CHAN_RING_OFFSETS(SIZE, OFFSET) \
	SIZE(nfp_chan_port_event, 8) \
	OFFSET(nfp_chan_port_event, cookie, 0) \
	SIZE(nfp_chan_hdr, 8) \
	OFFSET(nfp_chan_hdr, len, 0) \
	OFFSET(nfp_chan_hdr, seq, 4) \
	SIZE(nfp_chan_note, 16) \
	OFFSET(nfp_chan_note, pos, 0) \
	OFFSET(nfp_chan_note, seq, 8) \
	OFFSET(nfp_chan_note, state, 12)

/* nfp_chan.h */
#define NFP_CHAN_OFFSETS(SIZE, OFFSET) \
	SIZE(nfp_chan_info, 152) \
	OFFSET(nfp_chan_info, size, 0) \
	OFFSET(nfp_chan_info, flags, 4) \
	OFFSET(nfp_chan_info, abi_major, 8) \
	OFFSET(nfp_chan_info, abi_minor, 10) \
	OFFSET(nfp_chan_info, chan_count, 12) \
	OFFSET(nfp_chan_info, pipe_count, 16) \
	OFFSET(nfp_chan_info, pipe_used, 20) \
	OFFSET(nfp_chan_info, me_mhz, 24) \
	OFFSET(nfp_chan_info, boot_id, 28) \
	OFFSET(nfp_chan_info, features, 32) \
	OFFSET(nfp_chan_info, dma_bytes, 40) \
	OFFSET(nfp_chan_info, held_bytes, 48) \
	OFFSET(nfp_chan_info, pci, 56) \
	OFFSET(nfp_chan_info, fw_name, 88) \
	OFFSET(nfp_chan_info, fw_version, 120) \
	SIZE(nfp_chan_query, 128) \
	OFFSET(nfp_chan_query, size, 0) \
	OFFSET(nfp_chan_query, flags, 4) \
	OFFSET(nfp_chan_query, name, 8) \
	OFFSET(nfp_chan_query, id, 40) \
	OFFSET(nfp_chan_query, dir, 44) \
	OFFSET(nfp_chan_query, chan_flags, 48) \
	OFFSET(nfp_chan_query, elem_size, 52) \
	OFFSET(nfp_chan_query, max_size, 56) \
	OFFSET(nfp_chan_query, depth, 60) \
	OFFSET(nfp_chan_query, pipes, 64) \
	OFFSET(nfp_chan_query, island, 68) \
	OFFSET(nfp_chan_query, me, 69) \
	OFFSET(nfp_chan_query, ctx, 70) \
	OFFSET(nfp_chan_query, kind, 71) \
	OFFSET(nfp_chan_query, msgs, 72) \
	OFFSET(nfp_chan_query, bytes, 80) \
	OFFSET(nfp_chan_query, dropped, 88) \
	OFFSET(nfp_chan_query, stalled, 96) \
	OFFSET(nfp_chan_query, irqs, 104) \
	OFFSET(nfp_chan_query, signals, 112) \
	OFFSET(nfp_chan_query, irq_count, 120) \
	OFFSET(nfp_chan_query, irq_usecs, 124) \
	SIZE(nfp_chan_open, 72) \
	OFFSET(nfp_chan_open, size, 0) \
	OFFSET(nfp_chan_open, flags, 4) \
	OFFSET(nfp_chan_open, name, 8) \
	OFFSET(nfp_chan_open, ring_size, 40) \
	OFFSET(nfp_chan_open, fd, 44) \
	OFFSET(nfp_chan_open, irq_count, 48) \
	OFFSET(nfp_chan_open, irq_usecs, 52) \
	OFFSET(nfp_chan_open, ring_fd, 56) \
	OFFSET(nfp_chan_open, port_fd, 60) \
	OFFSET(nfp_chan_open, cookie, 64) \
	SIZE(nfp_chan_signal, 40) \
	OFFSET(nfp_chan_signal, size, 0) \
	OFFSET(nfp_chan_signal, flags, 4) \
	OFFSET(nfp_chan_signal, name, 8) \
	SIZE(nfp_chan_layout, 120) \
	OFFSET(nfp_chan_layout, size, 0) \
	OFFSET(nfp_chan_layout, flags, 4) \
	OFFSET(nfp_chan_layout, id, 8) \
	OFFSET(nfp_chan_layout, dir, 12) \
	OFFSET(nfp_chan_layout, elem_size, 16) \
	OFFSET(nfp_chan_layout, max_size, 20) \
	OFFSET(nfp_chan_layout, depth, 24) \
	OFFSET(nfp_chan_layout, ring_size, 28) \
	OFFSET(nfp_chan_layout, unit_shift, 32) \
	OFFSET(nfp_chan_layout, limit, 36) \
	OFFSET(nfp_chan_layout, ring_off, 40) \
	OFFSET(nfp_chan_layout, note_off, 48) \
	OFFSET(nfp_chan_layout, ctl_off, 56) \
	OFFSET(nfp_chan_layout, db_off, 64) \
	OFFSET(nfp_chan_layout, db_data, 72) \
	OFFSET(nfp_chan_layout, db_arm, 76) \
	OFFSET(nfp_chan_layout, page_size, 80) \
	OFFSET(nfp_chan_layout, kind, 84) \
	OFFSET(nfp_chan_layout, inline_off, 88) \
	OFFSET(nfp_chan_layout, inline_size, 96) \
	OFFSET(nfp_chan_layout, signal_db, 100) \
	OFFSET(nfp_chan_layout, signal_db_off, 104) \
	OFFSET(nfp_chan_layout, db_map, 112) \
	SIZE(nfp_chan_ctl, 32) \
	OFFSET(nfp_chan_ctl, pos, 0) \
	OFFSET(nfp_chan_ctl, rung, 8) \
	OFFSET(nfp_chan_ctl, seq, 16) \
	OFFSET(nfp_chan_ctl, arm, 20) \
	SIZE(nfp_chan_eventfd, 16) \
	OFFSET(nfp_chan_eventfd, size, 0) \
	OFFSET(nfp_chan_eventfd, flags, 4) \
	OFFSET(nfp_chan_eventfd, fd, 8) \
	SIZE(nfp_chan_arm, 16) \
	OFFSET(nfp_chan_arm, size, 0) \
	OFFSET(nfp_chan_arm, flags, 4) \
	OFFSET(nfp_chan_arm, seq, 8) \
	OFFSET(nfp_chan_arm, events, 12) \
	SIZE(nfp_chan_kick, 16) \
	OFFSET(nfp_chan_kick, size, 0) \
	OFFSET(nfp_chan_kick, flags, 4) \
	OFFSET(nfp_chan_kick, units, 8) \
	SIZE(nfp_chan_cancel, 16) \
	OFFSET(nfp_chan_cancel, size, 0) \
	OFFSET(nfp_chan_cancel, flags, 4) \
	OFFSET(nfp_chan_cancel, seq, 8) \
	SIZE(nfp_chan_xdp_bind, 16) \
	OFFSET(nfp_chan_xdp_bind, size, 0) \
	OFFSET(nfp_chan_xdp_bind, flags, 4) \
	OFFSET(nfp_chan_xdp_bind, prog_fd, 8) \
	OFFSET(nfp_chan_xdp_bind, map_fd, 12) \
	SIZE(nfp_chan_port, 24) \
	OFFSET(nfp_chan_port, size, 0) \
	OFFSET(nfp_chan_port, flags, 4) \
	OFFSET(nfp_chan_port, fd, 8) \
	OFFSET(nfp_chan_port, irq_count, 12) \
	OFFSET(nfp_chan_port, irq_usecs, 16) \
	SIZE(nfp_chan_link_op, 24) \
	OFFSET(nfp_chan_link_op, op, 0) \
	OFFSET(nfp_chan_link_op, off, 4) \
	OFFSET(nfp_chan_link_op, len, 8) \
	OFFSET(nfp_chan_link_op, arg, 16) \
	SIZE(nfp_chan_link, 64) \
	OFFSET(nfp_chan_link, size, 0) \
	OFFSET(nfp_chan_link, flags, 4) \
	OFFSET(nfp_chan_link, to_fd, 8) \
	OFFSET(nfp_chan_link, fd, 12) \
	OFFSET(nfp_chan_link, hdr, 16) \
	OFFSET(nfp_chan_link, mask, 24) \
	OFFSET(nfp_chan_link, value, 32) \
	OFFSET(nfp_chan_link, ops, 40) \
	OFFSET(nfp_chan_link, hdr_len, 48) \
	OFFSET(nfp_chan_link, match_off, 52) \
	OFFSET(nfp_chan_link, match_len, 56) \
	OFFSET(nfp_chan_link, op_count, 60) \
	SIZE(nfp_chan_link_stat, 112) \
	OFFSET(nfp_chan_link_stat, size, 0) \
	OFFSET(nfp_chan_link_stat, flags, 4) \
	OFFSET(nfp_chan_link_stat, state, 8) \
	OFFSET(nfp_chan_link_stat, via, 12) \
	OFFSET(nfp_chan_link_stat, from, 16) \
	OFFSET(nfp_chan_link_stat, to, 48) \
	OFFSET(nfp_chan_link_stat, msgs, 80) \
	OFFSET(nfp_chan_link_stat, bytes, 88) \
	OFFSET(nfp_chan_link_stat, dropped, 96) \
	OFFSET(nfp_chan_link_stat, stalled, 104)

/* nfp_chan_peer.h */
#define NFP_CHAN_PEER_OFFSETS(SIZE, OFFSET) \
	SIZE(nfp_chan_device, 88) \
	OFFSET(nfp_chan_device, size, 0) \
	OFFSET(nfp_chan_device, flags, 4) \
	OFFSET(nfp_chan_device, mem, 8) \
	OFFSET(nfp_chan_device, dev_addr, 16) \
	OFFSET(nfp_chan_device, doorbell_off, 24) \
	OFFSET(nfp_chan_device, bell_addr, 32) \
	OFFSET(nfp_chan_device, desc, 40) \
	OFFSET(nfp_chan_device, mem_size, 48) \
	OFFSET(nfp_chan_device, desc_len, 52) \
	OFFSET(nfp_chan_device, domain, 56) \
	OFFSET(nfp_chan_device, bus, 60) \
	OFFSET(nfp_chan_device, devfn, 61) \
	OFFSET(nfp_chan_device, bar, 62) \
	OFFSET(nfp_chan_device, in_size, 64) \
	OFFSET(nfp_chan_device, out_size, 66) \
	OFFSET(nfp_chan_device, slots, 68) \
	OFFSET(nfp_chan_device, skip, 70) \
	OFFSET(nfp_chan_device, src_at, 72) \
	OFFSET(nfp_chan_device, dst_at, 73) \
	OFFSET(nfp_chan_device, len_at, 74) \
	OFFSET(nfp_chan_device, room_at, 75) \
	OFFSET(nfp_chan_device, done_at, 76) \
	OFFSET(nfp_chan_device, done_len, 77) \
	OFFSET(nfp_chan_device, status_at, 78) \
	OFFSET(nfp_chan_device, seq_at, 79) \
	OFFSET(nfp_chan_device, outlen_at, 80) \
	OFFSET(nfp_chan_device, status_ok, 84)

/* nfp_chan_xdp.h */
#define NFP_CHAN_XDP_OFFSETS(SIZE, OFFSET) \
	SIZE(nfp_chan_xdp_event, 24) \
	OFFSET(nfp_chan_xdp_event, map_id, 0) \
	OFFSET(nfp_chan_xdp_event, seq, 4) \
	OFFSET(nfp_chan_xdp_event, ts_ns, 8) \
	OFFSET(nfp_chan_xdp_event, data_len, 16) \
	OFFSET(nfp_chan_xdp_event, pkt_len, 18) \
	OFFSET(nfp_chan_xdp_event, frame_len, 20) \
	OFFSET(nfp_chan_xdp_event, port, 22)

#endif /* NFP_CHAN_OFFSETS_H */
