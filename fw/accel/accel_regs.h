/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * accel_regs.h - what a driver of an nfpaccel device sees: registers, descriptor,
 * completion. ACCEL.rst tells how they work together.
 *
 * All is little-endian. Registers have 32 bits and are accessed as such; 64-bit ones have
 * their lower half first, and take an access of 8 bytes as well.
 */
#ifndef ACCEL_REGS_H
#define ACCEL_REGS_H

#include <stdint.h>

#define ACCEL_VENDOR		0x1af4	/* with devices 0x10f0 to 0x10ff: for experiments */
#define ACCEL_DEVICE_AES_GCM	0x10f0
#define ACCEL_DEVICE_CLASSIFY	0x10f1

#define ACCEL_BAR_SIZE		0x4000	/* BAR 0 */

#define ACCEL_ID		0x000	/* r  ACCEL_ID_VALUE */
#define ACCEL_ID_VALUE		0x4150464e	/* "NFPA" */
#define ACCEL_VERSION		0x004	/* r  1 */
#define ACCEL_KIND		0x008	/* r  ACCEL_KIND_* */
#define ACCEL_MAX_LEN		0x00c	/* r  largest accel_desc.len */
#define ACCEL_CONTROL		0x010	/* rw ACCEL_ENABLE; ACCEL_RESET reads as 0 */
#define ACCEL_STATUS		0x014	/* r  ACCEL_ENABLED, ACCEL_BAD_CONFIG */
/* Taken when ACCEL_ENABLE is set; ACCEL_BAD_CONFIG: it stays disabled, as they are wrong */
#define ACCEL_QUEUE_BASE	0x018	/* rw 64 bits: the ring, a multiple of 64 */
#define ACCEL_QUEUE_SIZE	0x020	/* rw descriptors: a power of 2, up to ACCEL_QUEUE_MAX */
#define ACCEL_EVENTS		0x024	/* rw ACCEL_EVENT_*: what a completion sets off */
#define ACCEL_NOTIFY_ADDR	0x028	/* rw 64 bits: where a notification is written, */
#define ACCEL_NOTIFY_DATA	0x030	/* rw 64 bits: what, */
#define ACCEL_NOTIFY_LEN	0x038	/* rw and how much of it: 4 or 8 bytes */
#define ACCEL_DONE		0x03c	/* r  jobs that are done since ACCEL_ENABLE */
#define ACCEL_ASKED		0x040	/* r  jobs that doorbells have asked for since then */
/* Streams, each with a key: aes-gcm only */
#define ACCEL_STREAMS		0x044	/* r  so many, from 0 on */
#define ACCEL_STREAM		0x048	/* rw the one that ACCEL_STREAM_SET is about */
#define ACCEL_STREAM_SET	0x04c	/* w  1: it gets the key; 0: it is unknown from now on */
#define ACCEL_KEY		0x050	/* w  16 bytes */
/* Counters, modulo 2^32; no reset clears them */
#define ACCEL_DOORBELLS		0x080	/* r  writes to ACCEL_DOORBELL */
#define ACCEL_OVERRUNS		0x084	/* r  those that were ignored: disabled, or no such room */
#define ACCEL_GOOD		0x088	/* r  jobs done with ACCEL_OK */
#define ACCEL_FAILED		0x08c	/* r  jobs done with another status */
#define ACCEL_READS		0x090	/* r  DMA reads */
#define ACCEL_WRITES		0x094	/* r  DMA writes, notifications among them */
#define ACCEL_DMA_FAILED	0x098	/* r  of both, those that did not happen */
#define ACCEL_NOTIFIED		0x09c	/* r  notifications */
#define ACCEL_INTERRUPTS	0x0a0	/* r  MSI-X messages */
#define ACCEL_COUNTERS_END	0x0a4

#define ACCEL_DOORBELL		0x1000	/* w  adds so many descriptors; a page for it alone */
#define ACCEL_MSIX_TABLE	0x2000	/* one vector */
#define ACCEL_MSIX_PBA		0x3000

#define ACCEL_KIND_AES_GCM	1
#define ACCEL_KIND_CLASSIFY	2

#define ACCEL_ENABLE		0x1
#define ACCEL_RESET		0x2	/* all registers but the counters, and all keys */

#define ACCEL_ENABLED		0x1
#define ACCEL_BAD_CONFIG	0x2

#define ACCEL_EVENT_NOTIFY_OK	0x1	/* after ACCEL_OK, the notification */
#define ACCEL_EVENT_NOTIFY_BAD	0x2	/* after another status, too */
#define ACCEL_EVENT_IRQ_OK	0x4	/* likewise the interrupt */
#define ACCEL_EVENT_IRQ_BAD	0x8

#define ACCEL_QUEUE_MAX		4096

/**
 * struct accel_desc - one job, 64 bytes
 * @src, @len: the input
 * @dst, @room: where the output goes, and how much of it may
 * @stream: whose key
 * @flags: ACCEL_SEAL
 * @zero: 0
 * @done: written by the device when the job is done. The rest stays as it is, so that a
 *	ring of descriptors can go round again unchanged
 */
struct accel_desc {
	uint64_t src;
	uint64_t dst;
	uint32_t len;
	uint32_t room;
	uint32_t stream;
	uint32_t flags;
	uint64_t zero[2];
	struct accel_done {
		uint32_t len;		/* bytes at dst */
		uint32_t result;	/* classify: the class */
		uint32_t status;	/* ACCEL_OK, ... */
		uint32_t seq;		/* the number of the job since ACCEL_ENABLE, from 1 on */
	} done;
};

#define ACCEL_SEAL		0x1	/* aes-gcm: encrypt; else decrypt */

enum accel_status {
	ACCEL_OK = 1,
	ACCEL_BAD_DESC,		/* flags or zero */
	ACCEL_BAD_LEN,		/* len is none that this device takes */
	ACCEL_BAD_ROOM,		/* room is less than the output */
	ACCEL_BAD_STREAM,	/* no key */
	ACCEL_BAD_TAG,		/* not what its sender has sealed: nothing is written */
	ACCEL_READ_FAILED,	/* DMA of the descriptor or the input */
	ACCEL_WRITE_FAILED,	/* DMA of the output */
	ACCEL_ENGINE_FAILED,	/* libcrypto: no memory */
};

/* aes-gcm: nonce, plaintext <-> nonce, ciphertext, tag */
#define ACCEL_NONCE_LEN		12
#define ACCEL_TAG_LEN		16

/* classify: 64 pixels of 0 to 16, row by row -> ten scores; the greatest one's is the class */
#define ACCEL_IMAGE_LEN		64
#define ACCEL_SCORES_LEN	40	/* int32_t[10] */

_Static_assert(sizeof(struct accel_desc) == 64, "a cache line");

#endif /* ACCEL_REGS_H */
