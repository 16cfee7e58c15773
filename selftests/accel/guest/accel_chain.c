// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * accel_chain.c - two accelerators in a chain without the CPU. The first decrypts an image into
 * the input of the second, and its completion rings the doorbell of the second.
 *
 * The CPU fills both rings and rings the first doorbell once. The first device rings no doorbell
 * for an image that was tampered with, so the second does not read that image's buffer.
 */
#include "accel_user.h"
#include "../digits.h"
#include "tap.h"

#define WAIT_MS		(unsigned int)slowly(5000)
#define STREAM		9
#define SIZE		512		/* descriptors in a ring, so that all images fit */
#define NONCE		12
#define SEALED		(NONCE + 64 + 16)
#define SLOT		128		/* bytes for a message in each buffer */
#define CLEAR		0		/* plaintext, input of the encryption */
#define CIPHER		0x10000		/* encrypted images */
#define OPENED		0x20000		/* nonce and decrypted image */
#define SCORES		0x30000

static struct accel_user aes, classifier;
static struct digit digits[DIGITS_MAX];
static uint8_t *mem;
static uint64_t dma;

/* Encrypt images by the device, in place of a sender. */
static bool images_seal(unsigned int n)
{
	const struct accel_done *done = NULL;

	if (accel_start(&aes, SIZE, 0))
		return false;
	for (unsigned int i = 0; i < n; i++) {
		uint8_t *clear = mem + CLEAR + i * SLOT;

		memset(clear, 0, NONCE);
		memcpy(clear, &i, sizeof(i));	/* a nonce must not be used twice */
		memcpy(clear + NONCE, digits[i].pixel, 64);
		*accel_slot(&aes) = (struct accel_desc){
			.src = dma + CLEAR + i * SLOT, .len = NONCE + 64,
			.dst = dma + CIPHER + i * SLOT, .room = SEALED, .stream = STREAM,
			.flags = ACCEL_SEAL,
		};
	}
	accel_doorbell(&aes, n);
	for (unsigned int i = 0; i < n; i++) {
		done = accel_wait(&aes, WAIT_MS);
		if (!done || done->status != ACCEL_OK)
			return false;
	}
	return true;
}

/* Fill both rings for @n images. No job starts before the doorbell. */
static bool chain_fill(unsigned int n)
{
	memset(mem + OPENED, 0, 2 * 0x10000);
	if (accel_start(&classifier, SIZE, 0) || accel_start(&aes, SIZE, ACCEL_EVENT_NOTIFY_OK))
		return false;
	for (unsigned int i = 0; i < n; i++) {
		*accel_slot(&aes) = (struct accel_desc){
			.src = dma + CIPHER + i * SLOT, .len = SEALED,
			.dst = dma + OPENED + i * SLOT, .room = SLOT, .stream = STREAM,
		};
		*accel_slot(&classifier) = (struct accel_desc){
			.src = dma + OPENED + i * SLOT + NONCE, .len = 64,
			.dst = dma + SCORES + i * SLOT, .room = SLOT,
		};
	}
	return true;
}

/* Ring the doorbell. Returns the number of images that got the same class as in NumPy. */
static unsigned int chain_run(unsigned int n)
{
	unsigned int same = 0;

	accel_doorbell(&aes, n);
	for (unsigned int i = 0; i < n; i++) {
		const struct accel_done *done = accel_wait(&classifier, WAIT_MS);

		if (!done || done->status != ACCEL_OK)
			break;
		same += done->result == digits[i].class;
	}
	return same;
}

/* Both devices count the doorbells that they receive; struct accel_user counts those of the CPU. */
static void chain(unsigned int n)
{
	unsigned long cpu = aes.doorbells + classifier.doorbells;
	uint32_t first = accel_read(&aes, ACCEL_DOORBELLS);
	uint32_t second = accel_read(&classifier, ACCEL_DOORBELLS);
	uint32_t interrupts = accel_read(&aes, ACCEL_INTERRUPTS) +
			      accel_read(&classifier, ACCEL_INTERRUPTS);

	if (!chain_fill(n))
		die("chain");
	printf("# %u image%s\n", n, n > 1 ? "s" : "");
	is(chain_run(n), n, "encrypted images get their classes");
	is(aes.doorbells + classifier.doorbells - cpu, 1, "doorbells by the CPU");
	is(accel_read(&aes, ACCEL_DOORBELLS) - first, 1, "doorbells that the first device has counted");
	is(accel_read(&classifier, ACCEL_DOORBELLS) - second, n,
	   "doorbells by the first device at the second");
	is(accel_read(&aes, ACCEL_INTERRUPTS) + accel_read(&classifier, ACCEL_INTERRUPTS) -
	   interrupts, 0, "interrupts");
}

static void tampered(void)
{
	uint32_t second = accel_read(&classifier, ACCEL_DOORBELLS);
	const struct accel_done *done;

	mem[CIPHER + SEALED - 1] ^= 1;
	if (!chain_fill(1))
		die("chain");
	accel_doorbell(&aes, 1);
	done = accel_wait(&aes, WAIT_MS);
	is(done ? done->status : 0, ACCEL_BAD_TAG, "a changed image has a wrong tag");
	mem[CIPHER + SEALED - 1] ^= 1;
	/*
	 * Send a good image as well. Writes keep their order, so when it has its class, a
	 * doorbell for the bad image would have been counted.
	 */
	*accel_slot(&aes) = (struct accel_desc){
		.src = dma + CIPHER, .len = SEALED, .dst = dma + OPENED, .room = SLOT,
		.stream = STREAM,
	};
	is(chain_run(1), 1, "the next image gets its class");
	is(accel_read(&classifier, ACCEL_DOORBELLS) - second, 1,
	   "doorbells that the second device has counted");
	is(accel_read(&classifier, ACCEL_DONE), 1, "jobs of the second device");
}

int main(void)
{
	static const uint8_t key[16] = "a stream's key.";
	double accuracy;
	unsigned int images = digits_read(digits, &accuracy);
	uint64_t bell;

	if (accel_open(&aes, ACCEL_DEVICE_AES_GCM, 0) ||
	    accel_open(&classifier, ACCEL_DEVICE_CLASSIFY, 0))
		die("accelerators");
	printf("# %s\n", pci_user_iommu() ? "with an IOMMU" : "without an IOMMU");
	mem = pci_user_alloc(0x40000, &dma);
	bell = pci_user_peer(classifier.pci) + ACCEL_DOORBELL;
	if (!mem || bell == ACCEL_DOORBELL)
		die("memory");
	accel_key(&aes, STREAM, key);
	accel_notify(&aes, bell, 1, 4);
	ok(images == DIGITS_MAX && images_seal(images), "images are encrypted");
	chain(1);
	chain(images);
	tampered();
	accel_notify(&aes, bell, 1, 8);
	chain(2);
	accel_close(&aes);
	accel_close(&classifier);
	return tap_done();
}
