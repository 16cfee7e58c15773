// SPDX-License-Identifier: BSD-2-Clause
/* bpf_prog.c - JITed programs: load by DMA, check, counters (bpf/offload.c, nfp_asm.c). */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <syslog.h>

#include "bpf_caps.h"
#include "bpf_prog.h"
#include "bytes.h"
#include "dma.h"
#include "fw_code.h"
#include "fw_ctrl.h"
#include "me.h"
#include "nffw.h"
#include "vnic.h"

/* BPF fields of the control BAR (nfp_net_ctrl.h). */
#define BPF_ABI			0x80
#define BPF_CAP			0x81
#define BPF_CAP_RELO		(1u << 0)	/* a program may be replaced while it runs */
#define BPF_MAX_LEN		0x82		/* instructions */
#define BPF_START		0x84
#define BPF_DONE		0x86
#define BPF_STACK_SZ		0x88		/* units of 64 bytes */
#define BPF_INL_MTU		0x89		/* n: programs access up to 64 * n - 32 bytes */
#define BPF_SIZE		0x8e
#define BPF_ADDR		0x90
#define BPF_ADDR_CFG		7u		/* 8-context mode, reserved */

/* For each enum bd_verdict: a 64-bit counter of frames, then a 64-bit counter of bytes. */
#define STAT_APP(n)		(0xd90 + 0x10 * (n))

void bd_prog_reset(struct board *b)
{
	/* Keep the counts of loads: bd_xdp.prog[].load compares them to notice another image. */
	b->ustore->prog[0].count = 0;
	b->ustore->prog[1].count = 0;
	memset(&b->ustore->word, 0, sizeof(b->ustore->word));
}

uint32_t bd_prog_max(const struct board *b)
{
	return b->ustore->max_len ? b->ustore->max_len : bd_firmware(b)->bpf.max_len;
}

uint32_t bd_prog_start(const struct board *b, unsigned int vnic)
{
	const struct fw_bpf *fw = &bd_firmware(b)->bpf;

	return fw->start + vnic * fw->max_len;
}

void bd_prog_bar(const struct board *b, uint8_t *bar, unsigned int vnic)
{
	const struct fw_bpf *fw = &bd_firmware(b)->bpf;

	bar[BPF_ABI] = fw->abi;
	bar[BPF_CAP] = BPF_CAP_RELO;
	bd_put16(bar + BPF_MAX_LEN, bd_prog_max(b));
	bd_put16(bar + BPF_START, bd_prog_start(b, vnic));
	bd_put16(bar + BPF_DONE, fw->done);
	bar[BPF_STACK_SZ] = fw->stack;
	bar[BPF_INL_MTU] = fw->inl_mtu;
}

bool bd_insn_valid(uint64_t word)
{
	return word == fw_ecc(word & BD_INSN_MASK);
}

static bool refused(struct board *b, unsigned int vnic, const char *what,
		    unsigned long long value, unsigned long long limit)
{
	b->ustore->refused++;
	board_log(LOG_WARNING, "vNIC %u: program refused: %s 0x%llx (0x%llx)",
		  vnic, what, value, limit);
	return false;
}

int bd_prog_images(struct board *b, const char *path)
{
	FILE *f = NULL;

	if (path) {
		f = fopen(path, "we");
		if (!f)
			return -errno;
	}
	if (b->ustore->images && fclose(b->ustore->images))
		board_log(LOG_ERR, "images: %s", strerror(errno));
	b->ustore->images = f;
	return 0;
}

void bd_ustore_exit(struct board *b)
{
	bd_prog_images(b, NULL);
}

static void image_write(struct board *b, unsigned int vnic, const uint64_t *image)
{
	const struct bd_prog *p = &b->ustore->prog[vnic];
	FILE *f = b->ustore->images;
	uint32_t i;

	fprintf(f, "# vNIC %u, load %" PRIu64 ": %u words from %u\n", vnic, p->loads, p->count,
		bd_prog_start(b, vnic));
	for (i = 0; i < p->count; i++)
		fprintf(f, "%012llx\n", (unsigned long long)(image[i] & BD_INSN_MASK));
	/* Flush, so that the file has each whole program even if the board is killed. */
	fflush(f);
}

bool bd_prog_load(struct board *b, unsigned int vnic)
{
	const uint8_t *bar = bd_vnic_bar(b, vnic);
	uint32_t count = bd_get16(bar + BPF_SIZE), i;
	uint64_t addr = bd_get64(bar + BPF_ADDR);
	uint64_t image[BD_USTORE_WORDS];
	struct bd_prog *p = &b->ustore->prog[vnic];

	if (!count || count > bd_prog_max(b))
		return refused(b, vnic, "length, and the longest:", count, bd_prog_max(b));
	/*
	 * Bits 2:0 of the address are configuration. Bit 0 selects eight contexts per
	 * microengine, and this firmware runs four. The others are reserved.
	 */
	if (addr & BPF_ADDR_CFG)
		return refused(b, vnic, "mode bits in address, and their mask:", addr, BPF_ADDR_CFG);
	if (bd_dma_now(b, false, BOARD_TLP_COMMAND, addr, image, sizeof(image[0]) * count))
		return refused(b, vnic, "DMA address not mapped, and length:", addr,
			       sizeof(image[0]) * count);
	for (i = 0; i < count; i++) {
		image[i] = le64toh(image[i]);
		if (!bd_insn_valid(image[i]))
			return refused(b, vnic, "ECC or relocation of word, and where:", image[i], i);
	}
	/*
	 * Replace the image at once: no packet is in a program between two loop iterations of the
	 * board.
	 */
	memcpy(b->ustore->word + bd_prog_start(b, vnic), image, sizeof(image[0]) * count);
	p->count = count;
	p->loads++;
	if (b->ustore->images)
		image_write(b, vnic, image);
	return true;
}

bool bd_prog_loaded(const struct board *b, unsigned int vnic)
{
	return b->ustore->prog[vnic].count;
}

const uint64_t *bd_prog_active(const struct board *b, unsigned int vnic, uint32_t *count)
{
	const struct bd_prog *p = &b->ustore->prog[vnic];

	if (!(b->nic->vnic[vnic].ctrl & CTRL_BPF) || !p->count)
		return NULL;
	*count = p->count;
	return b->ustore->word + bd_prog_start(b, vnic);
}

void bd_prog_count(struct board *b, unsigned int vnic, enum bd_verdict v, uint32_t len)
{
	uint8_t *bar = bd_vnic_bar(b, vnic);

	bd_add64(bar + STAT_APP(v), 1);
	bd_add64(bar + STAT_APP(v) + 8, len);
}
