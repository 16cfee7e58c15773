// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * accel_card.c - an accelerator that writes to the card. A completion adds to a queue controller
 * of the card, where the card's firmware would wait for events. Output goes to the card's memory.
 * No firmware runs in this test.
 */
#include <unistd.h>
#include <nfp_chan_fw.h>

#include "accel_user.h"
#include "tap.h"

#define VENDOR_NETRONOME 0x19ee
#define DEVICE_NFP4000	0x4000
/*
 * Windows of BAR 0, an eighth of it each, and the addresses that this test maps there. The slice
 * registers are in configuration space; see kmod/pf.c.
 */
#define CSR_SLICE1	0x404
#define CSR_PCIE	0x20000000u	/* the PCIe island */
#define CSR_SLICE2	0x408
#define CSR_MU		0x2b800000u	/* the memory units */
#define MU_FREE		0x240000
#define QUEUE		146
#define JOBS		50
#define LEN		2000		/* the device writes it in pieces of 8 bytes */

static struct accel_user aes;
static uint8_t *mem;
static uint64_t dma;

/* Run @n jobs with @len bytes of input. Returns whether all have ended with @status. */
static bool jobs(unsigned int n, uint32_t len, uint32_t status)
{
	bool good = true;

	for (unsigned int i = 0; i < n; i++)
		*accel_slot(&aes) = (struct accel_desc){
			.src = dma, .dst = dma + 4096, .len = len, .room = 4096,
			.stream = 1, .flags = ACCEL_SEAL,
		};
	accel_doorbell(&aes, n);
	for (unsigned int i = 0; i < n; i++) {
		const struct accel_done *done = accel_wait(&aes, slowly(5000));

		good &= done && done->status == status;
	}
	return good;
}

/* Encrypt a message into the guest's memory, and decrypt it into the card's memory. */
static bool push(volatile uint32_t *card_mem, uint64_t card_dma)
{
	const struct accel_done *done;
	uint32_t word[LEN / 4];

	for (unsigned int i = 0; i < LEN; i++)
		mem[i] = 3 * i + 1;
	if (!jobs(1, LEN, ACCEL_OK))
		return false;
	*accel_slot(&aes) = (struct accel_desc){
		.src = dma + 4096, .dst = card_dma, .len = LEN + ACCEL_TAG_LEN, .room = LEN,
		.stream = 1,
	};
	card_mem[LEN / 4] = 0x5eed;
	accel_doorbell(&aes, 1);
	done = accel_wait(&aes, slowly(5000));
	if (!done || done->status != ACCEL_OK || done->len != LEN)
		return false;
	for (long k = 0; k < slowly(10000); k++) {
		for (unsigned int i = 0; i < LEN / 4; i++)
			word[i] = card_mem[i];
		if (!memcmp(word, mem, LEN))
			return card_mem[LEN / 4] == 0x5eed;
	}
	return false;
}

/* Wait for the value: the device's write may reach the card after the completion. */
static bool reaches(volatile uint32_t *queue, uint32_t want)
{
	for (long i = 0; i < slowly(100000); i++)
		if ((queue[NFP_CHAN_FW_QC_STS_HI / 4] & NFP_CHAN_FW_QC_PTR_MASK) == want)
			return true;
	return false;
}

int main(void)
{
	static const uint8_t key[16] = "another's  key.";
	uint32_t csr = CSR_PCIE, csr_mu = CSR_MU, before;
	uint64_t peer, memory, off;
	volatile uint32_t *queue;
	struct pci_user *card;

	card = pci_user_open(VENDOR_NETRONOME, DEVICE_NFP4000, 0);
	if (!card || accel_open(&aes, ACCEL_DEVICE_AES_GCM, 0))
		die("devices");
	if (pwrite(card->config, &csr, sizeof(csr), CSR_SLICE1) != sizeof(csr) ||
	    pwrite(card->config, &csr_mu, sizeof(csr_mu), CSR_SLICE2) != sizeof(csr_mu))
		die("windows");
	peer = pci_user_peer(card);
	memory = 2 * (card->bar_size / 8) + MU_FREE;
	off = card->bar_size / 8 + NFP_CHAN_FW_QC_BASE + QUEUE * NFP_CHAN_FW_QC_STRIDE;
	queue = card->bar + off / 4;
	mem = pci_user_alloc(8192, &dma);
	if (!mem)
		die("memory");
	accel_key(&aes, 1, key);
	accel_notify(&aes, peer + off + NFP_CHAN_FW_QC_ADD_WPTR, 1, 4);
	if (accel_start(&aes, 64, ACCEL_EVENT_NOTIFY_OK))
		die("start");
	before = queue[NFP_CHAN_FW_QC_STS_HI / 4] & NFP_CHAN_FW_QC_PTR_MASK;
	ok(jobs(1, 100, ACCEL_OK), "a job is done");
	ok(reaches(queue, (before + 1) & NFP_CHAN_FW_QC_PTR_MASK), "the card's queue has one more");
	ok(jobs(JOBS, 100, ACCEL_OK), "%d jobs are done", JOBS);
	ok(reaches(queue, (before + 1 + JOBS) & NFP_CHAN_FW_QC_PTR_MASK), "and as many more");
	ok(jobs(3, 1, ACCEL_BAD_LEN) && jobs(1, 100, ACCEL_OK), "three fail, one is done");
	ok(reaches(queue, (before + 2 + JOBS) & NFP_CHAN_FW_QC_PTR_MASK), "the card hears of one");
	ok(push(card->bar + memory / 4, peer + memory), "output lands in the card's memory");
	ok(reaches(queue, (before + 4 + JOBS) & NFP_CHAN_FW_QC_PTR_MASK), "which is told");
	accel_close(&aes);
	pci_user_close(card);
	return tap_done();
}
