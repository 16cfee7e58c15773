/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * nfpchan_link.h - libnfpchan: channels that are joined with another channel, with a PCI
 * device, or with the events of an XDP program. Part of nfpchan.h, which includes this file
 * and has the rules that hold for each call.
 */
#ifndef NFPCHAN_LINK_H
#define NFPCHAN_LINK_H

#include <nfpchan.h>
#include <nfpchan/nfp_chan_peer.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- links ---- */

#define NFPCHAN_LINK_MATCH_MAX	8	/* bytes of a message that a link compares */
#define NFPCHAN_LINK_HDR_MAX	64	/* bytes that a link puts in front of a message */

/**
 * struct nfpchan_link_opts - which messages a link takes, and what it puts in front of them
 * @size: sizeof(struct nfpchan_link_opts). Fields beyond @size count as 0
 * @match_len: bytes of a message that the card compares, up to 8. 0: the link takes a share of
 *	the messages, as any open end of the channel does. Streams: 0
 * @match_off: offset of these bytes in the message
 * @match_value: the value of these bytes
 * @match_mask: the bits that the card compares
 * @hdr: bytes that the card puts in front of each message, or NULL
 * @hdr_len: bytes of @hdr, a multiple of 4, up to 64. Streams: 0
 * @state_off: offset in @hdr, a multiple of 4, of a little-endian number that the card keeps.
 *	The first message has the value in @hdr
 * @state_len: bytes of that number, 4 or 8; 0: there is none
 * @state_step: what the card adds to that number after each message, not 0; 0 without the number
 * @stage: not 0: between two cards the messages pass through a ring in host memory, even if one
 *	card could write to the other. Within a card: 0
 */
struct nfpchan_link_opts {
	size_t		size;
	uint32_t	match_len;
	uint32_t	match_off;
	uint8_t		match_value[NFPCHAN_LINK_MATCH_MAX];
	uint8_t		match_mask[NFPCHAN_LINK_MATCH_MAX];
	const void	*hdr;
	size_t		hdr_len;
	uint32_t	state_off;
	uint32_t	state_len;
	uint32_t	state_step;
	uint32_t	stage;
};

/**
 * nfpchan_link_open() - have the card carry the messages of one channel to another
 * @link: out: the handle, or NULL after a failure
 * @from: an open channel to the host
 * @to: an open channel to the NFP. NULL: the card drops and counts the messages
 * @opts: options, or NULL. The library copies @opts->hdr
 *
 * Messages that the ME process of @from sends go to the ME process of @to. Within one card no
 * message crosses PCIe and none interrupts the host. The card moves a message when the receiver
 * waits for one, so the link holds no messages (struct nfp_chan_link). Both channels carry
 * messages, or both are streams with elements of one size.
 *
 * Two cards: @from and @to may be of different cards. Then @from must have been opened with
 * NFPCHAN_LINK, and nothing may have been sent on @to. The cards move the messages by PCIe,
 * through memory of the receiving card or of the host (struct nfp_chan_link_stat.via), without
 * the CPU. Such a link needs CAP_SYS_RAWIO, and its kernel interface is not stable
 * (nfpchan/nfp_chan_peer.h). When the link ends, both channels are off: calls on them fail with -EIO, and they
 * can only be closed. The card counts messages that the receiver had not taken as dropped.
 *
 * A channel may be open several times, each time with another link. A message that matches a
 * link with @match_len goes to that link only, and waits for it. Other messages go to the open
 * ends without @match_len, which may be the host's. A link to NULL without @match_len drops the
 * messages that no other link takes.
 *
 * While the link lasts, calls that move data on @from and @to fail with -EISCONN, also calls
 * that sleep in another thread. nfpchan_link_close() and the close of either channel end the
 * link. The other channel is then as before the link, with the messages that it had by then.
 *
 * The call waits for the firmware. nfpchan_error() of @from has the text of a failure.
 *
 * Return: 0, -EBADF (@from does not lead to the host, or @to not to the NFP), -EINVAL (options
 * out of range, or that no message can meet), -E2BIG (@opts has fields that this library does
 * not know), -EISCONN (one of the channels is linked), -EBUSY (one of the channels shares its
 * ring, see nfpchan_open_return(); or, with two cards, @from was opened without NFPCHAN_LINK or
 * @to has carried something), -EPERM (two cards, and no CAP_SYS_RAWIO), -EHOSTUNREACH or -ERANGE (the cards cannot write to
 * each other;
 * the kernel's log has what was tried), -EPROTOTYPE (a channel of messages and a stream),
 * -EMSGSIZE (the largest message of @from, with @hdr, does not fit @to; with @match_len: @hdr
 * alone does not), -EPIPE (one of the ME processes has ended), -EOPNOTSUPP (the firmware has no
 * links, or a channel is of a "bpf:" card), -ENODEV, -EIO, -ETIMEDOUT, -ENOMEM, -EMFILE,
 * -ENFILE.
 */
int nfpchan_link_open(struct nfpchan_link **link, struct nfpchan *from, struct nfpchan *to,
		      const struct nfpchan_link_opts *opts);

/**
 * nfpchan_link_close() - end a link
 * @link: the link, or NULL
 *
 * Messages that were on their way have arrived when the call returns. The caller need not stop
 * threads that are in calls on the two channels.
 */
void nfpchan_link_close(struct nfpchan_link *link);

/**
 * nfpchan_link_fd() - file descriptor of a link, for poll()
 * @link: the link
 *
 * The descriptor belongs to the handle. POLLHUP: the link is down.
 *
 * Return: the file descriptor.
 */
int nfpchan_link_fd(const struct nfpchan_link *link);

/**
 * nfpchan_link_stats() - state and counters of a link
 * @link: the link
 * @stat: out: the counters. The call sets its size
 *
 * Return: 0, -ENODEV.
 */
int nfpchan_link_stats(struct nfpchan_link *link, struct nfp_chan_link_stat *stat);

/* ---- devices ---- */

#define NFPCHAN_DEVICE_DESC		64		/* bytes of a descriptor */
#define NFPCHAN_DEVICE_SLOTS_MAX	64		/* descriptors of a ring */
#define NFPCHAN_DEVICE_MEM_MAX	(16u << 20)	/* bytes of memory that card and device share */

/**
 * nfpchan_device_open() - have the ME process of a channel drive a PCI device
 * @ch: an open channel to the NFP: dev0-in or dev1-in
 * @dev: the device's memory and doorbell, and the layout of descriptors and completions
 *	(nfpchan/nfp_chan_peer.h, which is not stable). The call ignores its size
 *
 * Each message of the channel becomes a job of the device. Each job gives a message of dev0-out
 * or dev1-out: the completion and then the output; or, if the job failed, the completion and
 * the input message. Messages that a link brings to the channel are jobs as well, and so are
 * messages that were in the channel before.
 *
 * The caller has set the device up as struct nfp_chan_device says, which also has what ends its
 * use. userspace/accel is an example. @dev->mem stays in use until the device is
 * closed. The call waits for the firmware, and nfpchan_error() has the text of a failure.
 *
 * Return: 0, -EPERM (no CAP_SYS_RAWIO), -EINVAL (sizes or fields are out of range),
 * -EADDRNOTAVAIL (the card does not see the memory in one piece), -ENXIO (there is no such PCI
 * device, its memory space is off, or it has no such doorbell), -EBADF (the channel leads to the
 * host), -EBUSY (the channel has a device), -EOPNOTSUPP (the ME process drives no devices, or a
 * "bpf:" card), -ERANGE (the doorbell is beyond the addresses that the card can write to),
 * -EHOSTUNREACH (the card's writes would not pass the IOMMU), -EFAULT (the memory cannot be
 * pinned), -ENODEV, -EIO, -ETIMEDOUT, -ENOMEM.
 */
int nfpchan_device_open(struct nfpchan *ch, const struct nfp_chan_device *dev);

/**
 * nfpchan_device_close() - end the use of a PCI device
 * @ch: the channel
 *
 * nfpchan_close() does the same. The card counts the jobs under way as dropped. After a return
 * of 0 the card does not write to the memory or the doorbell any more. The call waits for the
 * firmware.
 *
 * Return: 0, -ENOENT (the channel has no device, or the PCI device was removed), -ENODEV, -EIO,
 * -ETIMEDOUT.
 */
int nfpchan_device_close(struct nfpchan *ch);

/* ---- events of XDP programs ---- */

/**
 * nfpchan_xdp_bind() - receive the events of an offloaded XDP program in a channel
 * @ch: a channel for events: "xdp0" and so on
 * @prog_fd: file descriptor of the program, which is offloaded to the channel's card
 * @map_fd: file descriptor of a perf event array that the program uses
 *
 * From now on, what the program gives to bpf_perf_event_output() on that map comes as messages
 * of the channel: struct nfp_chan_xdp_event (nfpchan/nfp_chan_xdp.h), then the program's bytes.
 * The binding holds the map until nfpchan_xdp_unbind() or nfpchan_close(), and not the program.
 * The caller may close both descriptors after the call. The call waits for the firmware, 1 s at
 * most.
 *
 * Return: 0, -EBADF (not the descriptor of an XDP program, or @map_fd is not open), -EOPNOTSUPP
 * (the channel takes no events), -ENXIO (the program is not offloaded), -EXDEV (the program is
 * offloaded to another card), -ENOENT (the program uses no such map), -EBUSY (the map is bound,
 * or the channel of a "bpf:" card has a map), -ENOSPC (16 maps of the card are bound), -ENOMEM,
 * -EIO, -ETIMEDOUT (the map may be bound), -ENODEV.
 */
int nfpchan_xdp_bind(struct nfpchan *ch, int prog_fd, int map_fd);

/**
 * nfpchan_xdp_unbind() - stop receiving the events of a map
 * @ch: the channel
 * @map_fd: file descriptor of the map
 *
 * The events go to the driver's perf events again. When the call returns the channel has all
 * events that were emitted before, and gets no further ones.
 *
 * Return: 0, -EBADF (@map_fd is not open), -ENOENT (the map is not bound to this handle), -EIO,
 * -ETIMEDOUT, -ENODEV.
 */
int nfpchan_xdp_unbind(struct nfpchan *ch, int map_fd);

#ifdef __cplusplus
}
#endif

#endif /* NFPCHAN_LINK_H */
