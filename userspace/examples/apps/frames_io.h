/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * frames_io.h - how the applications get packets: from the stream "frames" (nfp_chan_frames.h), in place.
 *
 * The functions are inline, so that the compiler puts an application's function into the loop.
 */
#ifndef APPS_FRAMES_IO_H
#define APPS_FRAMES_IO_H

#include <endian.h>
#include <stdbool.h>
#include <nfpchan.h>
#include <nfpchan/nfp_chan_frames.h>

#define FRAME_NO_PORT	0xff	/* a frame of this port is not sent */

/*
 * The function of an application for one packet. It may change the packet, but not its length. It
 * returns true if the packet is to be sent as it is now.
 */
typedef bool (*packet_fn)(void *app, uint8_t *packet, uint32_t len);

/*
 * Call @fn for each frame of which all bytes are there. A frame that is not to be sent stays in its
 * place, because the frames after it are found by its length, and gets a port that does not exist.
 * @send: "frames-out" sends the frames afterwards. Return the bytes of the records.
 */
static inline __attribute__((always_inline))
size_t frames_each(void *data, size_t size, packet_fn fn, void *app, bool send)
{
	uint8_t *at = data, *end = at + size;
	struct nfp_frames_hdr *f;
	uint32_t len, last = UINT32_MAX;
	size_t room = 0;

	while ((size_t)(end - at) >= sizeof(*f)) {
		f = (struct nfp_frames_hdr *)at;
		/* Read the length once: the card may write to the ring at any time. */
		len = le16toh(*(volatile __le16 *)&f->caplen);
		/*
		 * The next frame is found by this length, which may not be in the cache yet. Most
		 * frames have the length of the one before, so the processor takes the branch as
		 * predicted, and works on the next frame meanwhile.
		 */
		if (len != last) {
			last = len;
			room = NFP_FRAMES_ROOM(len);
		}
		if (room > (size_t)(end - at))
			break;
		at += room;
		if (f->kind != NFP_FRAMES_FRAME)
			continue;
		if (!fn(app, (uint8_t *)(f + 1), len))
			f->port = send ? FRAME_NO_PORT : f->port;
		else if (send)
			f->ns = 0;	/* at once */
	}
	return (size_t)(at - (uint8_t *)data);
}

/*
 * Take a turn: handle the frames that have come, and give them back. @back: the stream that returns
 * the frames of @in to the card (nfpchan_open_return()); NULL: the application sends nothing.
 * Return bytes, or the error of a call. Part of a frame, which is no error, gives 0.
 */
static inline __attribute__((always_inline))
ssize_t frames_turn(struct nfpchan *in, struct nfpchan *back, packet_fn fn, void *app,
		    int64_t timeout)
{
	const void *shown;
	ssize_t n, err;
	void *data;
	size_t len;

	if (back) {
		n = nfpchan_returnable(back, &data, timeout);
		if (n < 0)
			return n;
		len = frames_each(data, (size_t)n, fn, app, true);
		return len ? nfpchan_return(back, len, NFPCHAN_FOREVER) : 0;
	}
	n = nfpchan_peek(in, &shown, timeout);
	if (n < 0)
		return n;
	/* @fn of an application that sends nothing only reads. */
	len = frames_each((void *)(uintptr_t)shown, (size_t)n, fn, app, false);
	err = len ? nfpchan_consume(in, len) : 0;
	return err ? err : (ssize_t)len;
}

#endif /* APPS_FRAMES_IO_H */
