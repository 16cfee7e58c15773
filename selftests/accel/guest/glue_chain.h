/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * glue_chain.h - two accelerators that the card drives: the first decrypts images, the second
 * classifies them. Shared by the tests of that chain.
 */
#ifndef GLUE_CHAIN_H
#define GLUE_CHAIN_H

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include "chan_test.h"
#include "accel_glue.h"
#include "../digits.h"

#define STREAM	9
#define NONCE	ACCEL_NONCE_LEN
#define SEALED	(NONCE + 64 + ACCEL_TAG_LEN)
#define DONE	((uint32_t)sizeof(struct accel_done))
#define SLOTS	16
#define BAD	5	/* number of images that were tampered with: 50, 149, 248, ... */

static const uint8_t key[16] = "a stream's key.";
static struct digit digits[DIGITS_MAX];
static uint8_t (*sealed)[SEALED];	/* encrypted images, in memory that the processes share */

/* Both accelerators and their channels */
struct chain {
	struct accel_user aes, classifier;
	struct accel_glue g0, g1;
	struct nfpchan *in0, *out0, *bad0, *in1, *out1;
	struct nfpchan_link *link;
};

static inline void devices_open(struct chain *c)
{
	if (accel_open(&c->aes, ACCEL_DEVICE_AES_GCM, 0) ||
	    accel_open(&c->classifier, ACCEL_DEVICE_CLASSIFY, 0))
		die("accelerators");
	accel_key(&c->aes, STREAM, key);
}

/* Encrypt images by the first device, in place of a sender. */
static inline void images_seal(void *unused)
{
	const struct accel_done *done;
	struct chain c;
	uint8_t *mem;
	uint64_t dma;

	devices_open(&c);
	mem = pci_user_alloc(4096, &dma);
	if (!mem || accel_start(&c.aes, 4, 0))
		die("sealing");
	for (unsigned int i = 0; i < DIGITS_MAX; i++) {
		memset(mem, 0, NONCE);
		memcpy(mem, &i, sizeof(i));
		memcpy(mem + NONCE, digits[i].pixel, 64);
		*accel_slot(&c.aes) = (struct accel_desc){
			.src = dma, .len = NONCE + 64, .dst = dma + 512, .room = SEALED,
			.stream = STREAM, .flags = ACCEL_SEAL,
		};
		accel_doorbell(&c.aes, 1);
		done = accel_wait(&c.aes, (unsigned int)WAIT_MS);
		if (!done || done->status != ACCEL_OK)
			die("an image");
		memcpy(sealed[i], mem + 512, SEALED);
	}
	accel_close(&c.aes);
	accel_close(&c.classifier);
	_exit(0);
}

static inline bool attach0(struct chain *c)
{
	return !accel_glue_open(&c->g0, &c->aes, c->in0,
				&(struct accel_glue_opts){ .slots = SLOTS, .stream = STREAM });
}

/* The input of the second device is the image, which comes after a completion and a nonce. */
static inline bool attach1(struct chain *c)
{
	return !accel_glue_open(&c->g1, &c->classifier, c->in1,
				&(struct accel_glue_opts){ .slots = SLOTS, .skip = DONE + NONCE });
}

/*
 * Open the channels, and link the first device's output to the second device's input. The link
 * carries only messages with a good status; the others come to @bad0.
 */
static inline void channels_open(struct chain *c)
{
	struct nfpchan_link_opts good = {
		.size = sizeof(good), .match_len = 4,
		.match_off = offsetof(struct accel_done, status),
		.match_value = { ACCEL_OK }, .match_mask = { 0xff, 0xff, 0xff, 0xff },
	};
	char why[256];

	c->in0 = chan_start("dev0-in", 0);
	c->out0 = chan_start("dev0-out", NO_SPIN);
	c->bad0 = chan_start("dev0-out", SPIN_LONG);
	c->in1 = chan_start("dev1-in", 0);
	c->out1 = chan_start("dev1-out", SPIN_LONG);
	if (nfpchan_link_open(&c->link, c->out0, c->in1, &good))
		give_up("link", nfpchan_error(c->out0, why, sizeof(why)));
	if (!attach0(c) || !attach1(c))
		die("devices");
}

static inline void chain_open(struct chain *c)
{
	devices_open(c);
	channels_open(c);
}

static inline void channels_close(struct chain *c)
{
	accel_glue_close(&c->g0);
	accel_glue_close(&c->g1);
	nfpchan_link_close(c->link);
	nfpchan_close(c->in0);
	nfpchan_close(c->out0);
	nfpchan_close(c->bad0);
	nfpchan_close(c->in1);
	nfpchan_close(c->out1);
}

/*
 * With VFIO a process can do this once: the close of the last device removes the container's
 * IOMMU domain.
 */
static inline void chain_close(struct chain *c)
{
	channels_close(c);
	accel_close(&c->aes);
	accel_close(&c->classifier);
}


/* ---- images ---- */

static inline bool is_bad(unsigned int i)
{
	return i % 99 == 50;
}

static inline void image_send(struct nfpchan *ch, unsigned int i)
{
	uint8_t msg[SEALED];
	char why[256];

	memcpy(msg, sealed[i], SEALED);
	if (is_bad(i))
		msg[NONCE + i % 64] ^= 1;
	if (nfpchan_send(ch, msg, SEALED, WAIT_NS))
		give_up("image", nfpchan_error(ch, why, sizeof(why)));
}

/* Receive the next class. Returns whether it is the class of image @i. */
static inline bool class_is(struct nfpchan *ch, unsigned int i)
{
	struct {
		struct accel_done done;
		uint8_t scores[ACCEL_SCORES_LEN];
	} m;
	ssize_t n = nfpchan_recv(ch, &m, sizeof(m), WAIT_NS);

	return n == sizeof(m) && m.done.status == ACCEL_OK && m.done.len == ACCEL_SCORES_LEN &&
	       m.done.result == digits[i].class;
}

/* Receive the next image that was tampered with. Returns whether it is image @i, unchanged. */
static inline bool bad_is(struct nfpchan *ch, unsigned int i)
{
	struct {
		struct accel_done done;
		uint8_t image[SEALED];
	} m;
	ssize_t n = nfpchan_recv(ch, &m, sizeof(m), WAIT_NS);

	if (n != sizeof(m) || m.done.status != ACCEL_BAD_TAG)
		return false;
	m.image[NONCE + i % 64] ^= 1;
	return !memcmp(m.image, sealed[i], SEALED);
}

/*
 * Send all images. Returns the number of good images that got their class. @bad: number of bad
 * images that came back unchanged.
 */
static inline unsigned int images_run(struct chain *c, unsigned int *bad)
{
	unsigned int sent = 0, good = 0;

	*bad = 0;
	for (unsigned int i = 0; i < DIGITS_MAX; i++) {
		/* Keep 12 images under way; the first channel has room for so many. */
		for (; sent < DIGITS_MAX && sent < i + 12; sent++)
			image_send(c->in0, sent);
		if (is_bad(i))
			*bad += bad_is(c->bad0, i);
		else
			good += class_is(c->out1, i);
	}
	return good;
}

/* Read the digits, and encrypt an image of each. */
static inline void images_start(void)
{
	double accuracy;

	sealed = shared_memory(sizeof(*sealed) * DIGITS_MAX);
	if (digits_read(digits, &accuracy) != DIGITS_MAX)
		die(DIGITS_FILE);
	card_start();
	is(reap(spawn(images_seal, NULL)), 0, "images are encrypted");
}

#endif /* GLUE_CHAIN_H */
