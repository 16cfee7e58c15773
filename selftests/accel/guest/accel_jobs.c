// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * accel_jobs.c - user space drives each accelerator alone: known answers, all images, hostile
 * descriptors, DMA to an address without memory, the interrupt.
 */
#include <sys/ioctl.h>
#include <linux/vfio.h>

#include "accel_user.h"
#include "../digits.h"
#include "tap.h"

#define WAIT_MS		(unsigned int)slowly(5000)
#define SRC		0
#define DST		0x4000
#define NOWHERE		0x7f00000000ull		/* an address of no memory and no device */
#define ROUNDS		300			/* more jobs than the ring has descriptors */

static struct accel_user aes, classifier;
static struct digit digits[DIGITS_MAX];
static uint8_t *mem;
static uint64_t dma;

/* Test case 3 of the GCM specification. The nonce comes before the plaintext. */
static const uint8_t key[16] = "\xfe\xff\xe9\x92\x86\x65\x73\x1c\x6d\x6a\x8f\x94\x67\x30\x83\x08";
static const uint8_t plain[12 + 64] =
	"\xca\xfe\xba\xbe\xfa\xce\xdb\xad\xde\xca\xf8\x88"
	"\xd9\x31\x32\x25\xf8\x84\x06\xe5\xa5\x59\x09\xc5\xaf\xf5\x26\x9a\x86\xa7\xa9\x53"
	"\x15\x34\xf7\xda\x2e\x4c\x30\x3d\x8a\x31\x8a\x72\x1c\x3c\x0c\x95\x95\x68\x09\x53"
	"\x2f\xcf\x0e\x24\x49\xa6\xb5\x25\xb1\x6a\xed\xf5\xaa\x0d\xe6\x57\xba\x63\x7b\x39"
	"\x1a\xaf\xd2\x55";
static const uint8_t sealed[64 + 16] =
	"\x42\x83\x1e\xc2\x21\x77\x74\x24\x4b\x72\x21\xb7\x84\xd0\xd4\x9c\xe3\xaa\x21\x2f"
	"\x2c\x02\xa4\xe0\x35\xc1\x7e\x23\x29\xac\xa1\x2e\x21\xd5\x14\xb2\x54\x66\x93\x1c"
	"\x7d\x8f\x6a\x5a\xac\x84\xaa\x05\x1b\xa3\x0b\x39\x6a\x0a\xac\x97\x3d\x58\xe0\x91"
	"\x47\x3f\x59\x85\x4d\x5c\x2a\xf3\x27\xcd\x64\xa6\x2c\xf3\x5a\xbd\x2b\xa6\xfa\xb4";

#define JOB(...) ((struct accel_desc){ __VA_ARGS__ })

/* Fill a descriptor. The defaults are input at SRC and output at DST. */
static void slot_fill(struct accel_user *a, struct accel_desc d)
{
	d.src = d.src ? d.src : dma + SRC;
	d.dst = d.dst ? d.dst : dma + DST;
	d.room = d.room ? d.room : 4096;
	*accel_slot(a) = d;
}

/* Run one job with one doorbell. Returns its status, or 0 if it has not ended. */
static uint32_t job(struct accel_user *a, struct accel_desc d)
{
	const struct accel_done *done;

	slot_fill(a, d);
	accel_doorbell(a, 1);
	done = accel_wait(a, WAIT_MS);
	return done ? done->status : 0;
}

static void known_answer(void)
{
	accel_key(&aes, 3, key);
	memcpy(mem + SRC, plain, sizeof(plain));
	is(job(&aes, JOB(.len = sizeof(plain), .stream = 3, .flags = ACCEL_SEAL)), ACCEL_OK,
	   "a message is sealed");
	ok(!memcmp(mem + DST, plain, 12) && !memcmp(mem + DST + 12, sealed, sizeof(sealed)),
	   "as the specification has it");
	memset(mem + SRC, 0, sizeof(plain));
	is(job(&aes, JOB(.src = dma + DST, .dst = dma + SRC, .len = 12 + sizeof(sealed),
			 .stream = 3)), ACCEL_OK, "and opened");
	ok(!memcmp(mem + SRC, plain, sizeof(plain)), "as it was");
}

static void tampered(void)
{
	mem[DST + 20] ^= 1;
	memset(mem + SRC, 0xee, 4096);
	is(job(&aes, JOB(.src = dma + DST, .dst = dma + SRC, .len = 12 + sizeof(sealed),
			 .stream = 3)), ACCEL_BAD_TAG, "one that was changed has a wrong tag");
	for (unsigned int i = 0; i < 4096; i++)
		if (mem[SRC + i] != 0xee) {
			ok(false, "and nothing of it is written: byte %u", i);
			return;
		}
	ok(true, "and nothing of it is written");
}

static void hostile(void)
{
	uint32_t failed = accel_read(&aes, ACCEL_FAILED);
	uint32_t dma_failed = accel_read(&aes, ACCEL_DMA_FAILED);

	is(job(&aes, JOB(.len = 27, .stream = 3)), ACCEL_BAD_LEN, "a length below a tag's");
	is(job(&aes, JOB(.len = -1u, .stream = 3)), ACCEL_BAD_LEN, "one of 4 GiB");
	is(job(&aes, JOB(.len = 100, .room = 83, .stream = 3)), ACCEL_BAD_ROOM, "no room");
	is(job(&aes, JOB(.len = 100, .stream = 4)), ACCEL_BAD_STREAM, "a stream without a key");
	is(job(&aes, JOB(.len = 100, .flags = 0x100)), ACCEL_BAD_DESC, "an unknown flag");
	is(job(&aes, JOB(.src = NOWHERE, .len = 100, .stream = 3)), ACCEL_READ_FAILED,
	   "input from nowhere");
	is(accel_read(&aes, ACCEL_FAILED) - failed, 6, "six failed jobs are counted");
	is(accel_read(&aes, ACCEL_DMA_FAILED) - dma_failed, 1, "and the DMA that was not done");
}

/*
 * Poll a counter. The device counts a failed write when the client answers, after the completion.
 */
static bool counted(struct accel_user *a, uint32_t reg, uint32_t want)
{
	for (unsigned int i = 0; i < WAIT_MS * 10u; i++)
		if (accel_read(a, reg) == want)
			return true;
	return false;
}

/* A PCIe write is posted, so the completion only says that the output has left the device. */
static void output_to_nowhere(void)
{
	uint32_t dma_failed = accel_read(&aes, ACCEL_DMA_FAILED);

	memcpy(mem + SRC, plain, sizeof(plain));
	is(job(&aes, JOB(.dst = NOWHERE, .len = sizeof(plain), .stream = 3,
			 .flags = ACCEL_SEAL)), ACCEL_OK, "output to nowhere leaves the device");
	ok(counted(&aes, ACCEL_DMA_FAILED, dma_failed + 1), "the failed write is counted");
	known_answer();
}

/* Use a ring many times, with batches of descriptors. */
static void rounds(void)
{
	const struct accel_done *done = NULL;
	unsigned int good = 0;

	if (accel_start(&aes, 64, 0))
		die("start");
	for (unsigned int i = 0; i < ROUNDS; i += 50) {
		for (unsigned int k = 0; k < 50; k++)
			slot_fill(&aes, JOB(.len = sizeof(plain), .stream = 3, .flags = ACCEL_SEAL));
		accel_doorbell(&aes, 50);
		for (unsigned int k = 0; k < 50; k++) {
			done = accel_wait(&aes, WAIT_MS);
			good += done && done->status == ACCEL_OK && done->seq == i + k + 1;
		}
	}
	is(good, ROUNDS, "jobs in batches, a ring going round");
	is(accel_read(&aes, ACCEL_DONE), ROUNDS, "as many are done");
}

static void all_images(unsigned int images)
{
	unsigned int same = 0, right = 0;

	for (unsigned int i = 0; i < images; i++) {
		memcpy(mem + SRC, digits[i].pixel, 64);
		if (job(&classifier, JOB(.len = 64)) != ACCEL_OK)
			break;
		same += classifier.ring[i % classifier.size].done.result == digits[i].class;
		right += classifier.ring[i % classifier.size].done.result == digits[i].label;
	}
	is(same, DIGITS_MAX, "each image has the class that NumPy gives it");
	printf("# %u of %u are what their writers meant\n", right, images);
}

static void interrupt(void)
{
	uint32_t before = accel_read(&aes, ACCEL_INTERRUPTS);

	if (!pci_user_iommu()) {
		skip("completions by interrupt", "no VFIO without an IOMMU");
		return;
	}
	if (pci_user_irq(aes.pci) || accel_start(&aes, 64, ACCEL_EVENT_IRQ_OK | ACCEL_EVENT_IRQ_BAD))
		die("interrupt");
	is(job(&aes, JOB(.len = sizeof(plain), .stream = 3, .flags = ACCEL_SEAL)), ACCEL_OK,
	   "a completion by interrupt");
	is(accel_read(&aes, ACCEL_INTERRUPTS) - before, 1, "there was one");
}

/* Reset the function, as the kernel does when a process dies that has the device open. */
static void function_reset(void)
{
	if (!pci_user_iommu()) {
		skip("a function level reset", "no VFIO without an IOMMU");
		return;
	}
	is(ioctl(aes.pci->vfio, VFIO_DEVICE_RESET), 0, "a function level reset");
	is(accel_read(&aes, ACCEL_STATUS), 0, "the queue is disabled");
	if (accel_start(&aes, 64, 0))
		die("start");
	is(job(&aes, JOB(.len = 100, .stream = 3)), ACCEL_BAD_STREAM, "and the key is gone");
}

int main(void)
{
	double accuracy;
	unsigned int images = digits_read(digits, &accuracy);

	if (accel_open(&aes, ACCEL_DEVICE_AES_GCM, 0) ||
	    accel_open(&classifier, ACCEL_DEVICE_CLASSIFY, 0))
		die("accelerators");
	printf("# %s\n", pci_user_iommu() ? "with an IOMMU" : "without an IOMMU");
	mem = pci_user_alloc(0x8000, &dma);
	if (!mem || accel_start(&aes, 64, 0) || accel_start(&classifier, 64, 0))
		die("start");
	known_answer();
	tampered();
	hostile();
	output_to_nowhere();
	rounds();
	all_images(images);
	interrupt();
	function_reset();
	accel_close(&aes);
	accel_close(&classifier);
	return tap_done();
}
