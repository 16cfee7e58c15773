/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * nfp_chan_xdp.h - messages of offloaded XDP programs on channels with
 * NFP_CHAN_F_XDP, once an event map is bound to them (NFP_CHAN_IOC_XDP_BIND).
 */
#ifndef NFP_CHAN_XDP_H
#define NFP_CHAN_XDP_H

#include <linux/types.h>

/**
 * struct nfp_chan_xdp_event - head of a message
 * @map_id: kernel's id of the BPF_MAP_TYPE_PERF_EVENT_ARRAY it was emitted on
 * @seq: its number among the events of this binding, counted from 1. Dropped
 *	events are numbered, too: a gap tells how many are missing
 * @ts_ns: time at which the MAC received the packet, ns
 * @data_len: bytes of the program's own
 * @pkt_len: bytes of the packet
 * @frame_len: length of the packet when the program called
 * @port: wire port that the packet came in at
 * @rsvd: 0
 *
 * Little endian. Behind it are @data_len bytes that the program gave to
 * bpf_perf_event_output(), and at once the first @pkt_len bytes of the packet. The
 * message ends there.
 */
struct nfp_chan_xdp_event {
	__le32	map_id;
	__le32	seq;
	__le64	ts_ns;
	__le16	data_len;
	__le16	pkt_len;
	__le16	frame_len;
	__u8	port;
	__u8	rsvd;
};

#endif /* NFP_CHAN_XDP_H */
