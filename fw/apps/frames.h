/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frames.h - what the processes of microengine i32.me0 share. frames.c receives all packets of the
 * wire ports, copies those that the host captures (frames_bpf.c: the filter; frames_stream.c: the
 * streams to the host), and passes each on to the flow meter (flow_queue.c).
 */
#ifndef FRAMES_H
#define FRAMES_H

#include <frames_check.h>
#include <nfp.h>
#include <pkt/pkt.h>

#define FLOW_CTX	0	/* contexts, as in flowmeter.chan and frames.chan */
#define FRAMES_CTX	1	/* and the next ones: frames-1 to frames-3 */

/* Signals between the two contexts */
#define SIG_PKT		1	/* frames.c: a packet from the port. Flow meter: one from frames.c */
#define SIG_ROOM	2	/* frames.c: the flow meter has taken a packet */
#define SIG_TICK	3	/* each: its alarm */
#define SIG_STREAM	4	/* frames.c: a stream has sent a buffer. Streams: a buffer is to be sent */

/* Pass a packet on to the flow meter, which frees it. Return: 0 if the queue is full. */
int flow_queue_put(const struct pkt_rx *rx);
/* Take the packet that came first. Return: 0 if there is none. */
int flow_queue_get(struct pkt_rx *rx);

/* Count @n packets of the port that did not reach the flow meter. */
void flow_missed(unsigned int n);

/* Check instruction @i of @n, and make it part of the filter. Return: NFP_FRAMES_*. */
unsigned int frames_bpf_set(unsigned int i, unsigned int n, const struct cbpf *insn);
/* Run the filter, which has instructions. Return: bytes of the frame to copy; 0: refused. */
__swaps uint32_t frames_bpf_run(const __mem40 uint8_t *data, uint32_t caplen, uint32_t len);

/* Return: the stream of the frame, of @n. */
__swaps unsigned int frames_stream_of(const struct pkt_rx *rx, unsigned int n);
/* Forget records that were not sent, and drops that were not told. */
void frames_stream_clear(unsigned int stream);
/* Put a record into the stream's buffer. Return: 0 if it does not fit. */
__swaps int frames_stream_put(unsigned int stream, const struct nfp_frames_hdr *hdr,
			      const __mem40 void *data);
/* As frames_stream_put(), with a record before it that says which frames are missing. */
__swaps int frames_stream_put_frame(unsigned int stream, const struct nfp_frames_hdr *hdr,
				    const __mem40 void *data);
/* A frame is missing in the stream. */
void frames_stream_miss(unsigned int stream, unsigned int port, uint64_t ns);
/* Tell which frames are missing. Return: 0 if there is no room. */
__swaps int frames_stream_tell(unsigned int stream);
/* Send the buffer, unless the other one is under way. @sent: set when one of stream 0 has gone. */
__swaps void frames_stream_send(unsigned int stream, SIGNAL *sent);
/* @sent is set. */
void frames_stream_sent(void);

#endif /* FRAMES_H */
