/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * accel_regs.h - the interface for drivers of an nfpaccel device: registers, descriptor,
 * completion. ACCEL.rst describes their use.
 *
 * All fields are little-endian. Registers have 32 bits and take 32-bit accesses. A 64-bit
 * register has its lower half first, and takes 8-byte accesses as well.
 */
#ifndef ACCEL_REGS_H
#define ACCEL_REGS_H

#include <stdint.h>

/* device IDs 0x10f0 to 0x10ff of this vendor are for experiments */
#define ACCEL_VENDOR		0x1af4
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
/*
 * The queue's configuration, used when ACCEL_ENABLE is set. If it is not valid, the device stays
 * disabled and sets ACCEL_BAD_CONFIG.
 */
#define ACCEL_QUEUE_BASE	0x018	/* rw 64 bits: address of the ring, a multiple of 64 */
#define ACCEL_QUEUE_SIZE	0x020	/* rw descriptors: a power of 2, up to ACCEL_QUEUE_MAX */
#define ACCEL_EVENTS		0x024	/* rw ACCEL_EVENT_*: actions after a completion */
#define ACCEL_NOTIFY_ADDR	0x028	/* rw 64 bits: address of the notification */
#define ACCEL_NOTIFY_DATA	0x030	/* rw 64 bits: data of the notification */
#define ACCEL_NOTIFY_LEN	0x038	/* rw bytes of the notification: 4 or 8 */
#define ACCEL_DONE		0x03c	/* r  jobs done since ACCEL_ENABLE */
#define ACCEL_ASKED		0x040	/* r  jobs requested by doorbells since ACCEL_ENABLE */
/* Streams. Each has a key. aes-gcm only. */
#define ACCEL_STREAMS		0x044	/* r  number of streams, numbered from 0 */
#define ACCEL_STREAM		0x048	/* rw stream for ACCEL_STREAM_SET */
#define ACCEL_STREAM_SET	0x04c	/* w  1: set the stream's key; 0: remove the stream */
#define ACCEL_KEY		0x050	/* w  16 bytes */
/* Counters, modulo 2^32. No reset clears them. */
#define ACCEL_DOORBELLS		0x080	/* r  writes to ACCEL_DOORBELL */
/* r  doorbells ignored: disabled, or no room in the ring */
#define ACCEL_OVERRUNS		0x084
#define ACCEL_GOOD		0x088	/* r  jobs done with ACCEL_OK */
#define ACCEL_FAILED		0x08c	/* r  jobs done with another status */
#define ACCEL_READS		0x090	/* r  DMA reads */
#define ACCEL_WRITES		0x094	/* r  DMA writes, including notifications */
#define ACCEL_DMA_FAILED	0x098	/* r  DMA reads and writes that failed */
#define ACCEL_NOTIFIED		0x09c	/* r  notifications */
#define ACCEL_INTERRUPTS	0x0a0	/* r  MSI-X messages */
#define ACCEL_COUNTERS_END	0x0a4

#define ACCEL_DOORBELL		0x1000	/* w  add this number of descriptors; alone in its page */
#define ACCEL_MSIX_TABLE	0x2000	/* one vector */
#define ACCEL_MSIX_PBA		0x3000

#define ACCEL_KIND_AES_GCM	1
#define ACCEL_KIND_CLASSIFY	2

#define ACCEL_ENABLE		0x1
/* reset all registers except the counters, and remove all keys */
#define ACCEL_RESET		0x2

#define ACCEL_ENABLED		0x1
#define ACCEL_BAD_CONFIG	0x2

#define ACCEL_EVENT_NOTIFY_OK	0x1	/* notify after ACCEL_OK */
#define ACCEL_EVENT_NOTIFY_BAD	0x2	/* notify after any other status */
#define ACCEL_EVENT_IRQ_OK	0x4	/* interrupt after ACCEL_OK */
#define ACCEL_EVENT_IRQ_BAD	0x8

#define ACCEL_QUEUE_MAX		4096

/**
 * struct accel_desc - one job, 64 bytes
 * @src: address of the input
 * @len: bytes of the input
 * @dst: address of the output
 * @room: bytes of room for the output
 * @stream: stream whose key is used
 * @flags: ACCEL_SEAL
 * @zero: 0
 * @done: written by the device when the job is done. The device changes no other field, so
 *	a ring of descriptors can be used again unchanged
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
		uint32_t len;		/* bytes written to dst */
		uint32_t result;	/* classify: the class */
		uint32_t status;	/* ACCEL_OK, ... */
		uint32_t seq;		/* number of the job since ACCEL_ENABLE, counted from 1 */
	} done;
};

#define ACCEL_SEAL		0x1	/* aes-gcm: encrypt; else decrypt */

enum accel_status {
	ACCEL_OK = 1,
	ACCEL_BAD_DESC,		/* flags not known, or zero not 0 */
	ACCEL_BAD_LEN,		/* len is not valid for this device */
	ACCEL_BAD_ROOM,		/* room is smaller than the output */
	ACCEL_BAD_STREAM,	/* the stream has no key */
	ACCEL_BAD_TAG,		/* the message is not authentic; no output is written */
	ACCEL_READ_FAILED,	/* DMA read of the descriptor or the input failed */
	ACCEL_WRITE_FAILED,	/* DMA write of the output failed */
	ACCEL_ENGINE_FAILED,	/* libcrypto failed: no memory */
};

/* aes-gcm: nonce, plaintext <-> nonce, ciphertext, tag */
#define ACCEL_NONCE_LEN		12
#define ACCEL_TAG_LEN		16

/* classify: 64 pixels of 0 to 16, row by row -> ten scores. The class has the greatest score. */
#define ACCEL_IMAGE_LEN		64
#define ACCEL_SCORES_LEN	40	/* int32_t[10] */

_Static_assert(sizeof(struct accel_desc) == 64, "a cache line");

#endif /* ACCEL_REGS_H */
