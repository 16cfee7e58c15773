// SPDX-License-Identifier: BSD-2-Clause
/* chan_init.c - control block and channel table in PCIe SRAM, rings, queues. */
#include <nfp/me.h>
#include <nfp/mem_bulk.h>
#include <nfp/mem_ring.h>
#include <nfp/pcie.h>
#include <nfp_chan_offsets.h>

#include "chan_int.h"
#include "chan_sram.h"
#include "chan_taken.h"
#include "chan_xdp.h"

#define FW_NAME		"nfp-chan"

#define CHECK_SIZE(type, size)		ctassert(sizeof(struct type) == (size));
#define CHECK_OFFSET(type, field, off)	ctassert(offsetof(struct type, field) == (off));
NFP_CHAN_FW_OFFSETS(CHECK_SIZE, CHECK_OFFSET)
NFP_CHAN_RING_OFFSETS(CHECK_SIZE, CHECK_OFFSET)

/* Nothing that the vendor's firmware has taken */
ctassert(!(CHAN_PAGES & TAKEN_PAGES));
ctassert(CHAN_QUEUE_MBOX % 4 == 2 && CHAN_QUEUE_SIG == CHAN_QUEUE_MBOX + 1);
ctassert(!((CHAN_PAGES | TAKEN_PAGES) >> CHAN_QUEUE_MBOX / 4 & 1));
ctassert(!TAKEN_RING(CHAN_RING_HOST) && !TAKEN_RING(CHAN_RING_NFP));
ctassert(!TAKEN_RING(CHAN_RING_XDP) && !TAKEN_RING(CHAN_RING_XDP_FREE));
ctassert(!TAKEN_DMA_CFG(PCIE_DMA_CFG_DATA) && !TAKEN_DMA_CFG(PCIE_DMA_CFG_NOTE) &&
	 !TAKEN_DMA_CFG(PCIE_DMA_CFG_COMMAND));
ctassert(QC_EVENT_DATA != TAKEN_EVENT_DATA);
ctassert(!TAKEN_C2P_BAR(CHAN_C2P_NOTE) && !TAKEN_C2P_BAR(CHAN_C2P_CTL));

ctassert(SRAM_TABLE + NFP_CHAN_FW_CHAN_MAX * sizeof(struct nfp_chan_fw_chan) <= SRAM_STAT);
ctassert(SRAM_STAT + NFP_CHAN_FW_CHAN_MAX * sizeof(struct nfp_chan_fw_stat) <= SRAM_SIG);
ctassert(SRAM_SIG + NFP_CHAN_FW_CHAN_MAX * 4 <= SRAM_MBOX);
ctassert(sizeof(struct nfp_chan_fw_req) <= sizeof(struct nfp_chan_fw_link));
ctassert(SRAM_MBOX + sizeof(struct nfp_chan_fw_link) <= SRAM_LINK);
ctassert(SRAM_LINK + CHAN_PIPES * sizeof(struct nfp_chan_fw_stat) <= SRAM_NAMES);
ctassert(SRAM_NAMES + CHAN_NAMES_SIZE <= SRAM_INLINE);
ctassert(SRAM_INLINE + CHAN_INLINE_PAGES * NFP_CHAN_FW_INLINE_PAGE <= NFP_CHAN_FW_SRAM_SIZE);

#define SRAM_PART	48	/* bytes of control block and names that are written at a time */

MEM_WORKQ_DECLARE(chan_ring_host, CHAN_RING_WORDS);
MEM_WORKQ_DECLARE(chan_ring_nfp, CHAN_RING_WORDS);

/* Each process has one send at most, each channel one kick, so rings cannot overflow. */
ctassert((CHAN_PROCS + NFP_CHAN_FW_CHAN_MAX * 2) * sizeof(struct chan_work) <=
	 CHAN_RING_WORDS * 4);

/* CRC-32 (IEEE 802.3, reflected), a nibble at a time. */
static uint32_t crc32(uint32_t crc, const void *data, uint32_t len)
{
	const uint8_t *b = (const uint8_t *)data;
	uint32_t i;
	int bit;

	for (i = 0; i < len; i++) {
		crc ^= b[i];
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return crc;
}

static void copy_string(char *dst, const char *src, unsigned int size)
{
	unsigned int i;

	for (i = 0; i + 1 < size && src[i]; i++)
		dst[i] = src[i];
	for (; i < size; i++)
		dst[i] = 0;
}

/* @len is a multiple of 4. */
static __swaps void write_parts(uint32_t to, const void *from, uint32_t len)
{
	__xwrite uint32_t part[SRAM_PART / 4];
	uint32_t off, n;

	for (off = 0; off < len; off += n) {
		n = len - off < SRAM_PART ? len - off : SRAM_PART;
		reg_cp_out(part, (const uint8_t *)from + off, n);
		pcie_sram_write(CHAN_PCIE_ISL, part, SRAM_AT(to + off), n);
	}
}

static __swaps uint32_t write_table(uint32_t crc)
{
	__xwrite struct nfp_chan_fw_chan out;
	struct nfp_chan_fw_chan c;
	const struct chan_desc *d;
	const struct me_context *me;
	unsigned int i;

	for (i = 0; i < CHAN_COUNT; i++) {
		d = &chan_desc[i];
		me = &me_contexts[d->proc];
		reg_zero(&c, sizeof(c));
		copy_string(c.name, d->name, sizeof(c.name));
		c.id = cpu_to_le16(i);
		c.dir = d->dir;
		c.kind = d->kind;
		c.flags = cpu_to_le32(d->flags);
		c.elem_size = cpu_to_le32(d->elem_size);
		c.max_size = cpu_to_le32(d->max_size);
		c.depth = cpu_to_le32(d->depth);
		c.island = me->island;
		c.me = me->me;
		c.ctx = me->ctx;
		c.process = cpu_to_le16(SRAM_NAMES + d->process);
		crc = crc32(crc, &c, sizeof(c));
		out = c;
		pcie_sram_write(CHAN_PCIE_ISL, &out, SRAM_AT(SRAM_TABLE + i * sizeof(c)), sizeof(c));
	}
	return crc;
}

/*
 * A number that differs after each start. The timestamp counter goes on over a reload of the
 * firmware, and more than one of its ticks lies between two starts.
 */
static uint32_t boot_id(void)
{
	uint64_t tsc = me_tsc_read();
	uint32_t id = (uint32_t)tsc ^ (uint32_t)(tsc >> 32);

	return id ? id : 1;
}

/* The magic comes last, so a host that sees the magic sees the whole block. */
static __swaps void write_control_block(void)
{
	__xwrite __le32 magic;
	struct nfp_chan_fw_cb cb;
	uint32_t crc;

	magic = 0;
	pcie_sram_write(CHAN_PCIE_ISL, &magic, SRAM_AT(0), sizeof(magic));
	lmem_zero(&cb, sizeof(cb));
	cb.abi_major = cpu_to_le16(NFP_CHAN_FW_ABI_MAJOR);
	cb.abi_minor = cpu_to_le16(NFP_CHAN_FW_ABI_MINOR);
	cb.size = cpu_to_le32(sizeof(cb));
	cb.boot_id = cpu_to_le32(boot_id());
	cb.chan_off = cpu_to_le32(SRAM_TABLE);
	cb.chan_count = cpu_to_le16(CHAN_COUNT);
	cb.chan_stride = cpu_to_le16(sizeof(struct nfp_chan_fw_chan));
	cb.stat_off = cpu_to_le32(SRAM_STAT);
	cb.mbox_off = cpu_to_le32(SRAM_MBOX);
	cb.sig_off = cpu_to_le32(SRAM_SIG);
	cb.pipe_count = cpu_to_le16(CHAN_PIPES);
	cb.signal_db_count = cpu_to_le16(CHAN_BELLS);
	cb.mbox_queue = cpu_to_le16(CHAN_QUEUE_MBOX);
	cb.sig_queue = cpu_to_le16(CHAN_QUEUE_SIG);
	cb.me_mhz = cpu_to_le32(ME_MHZ);
	cb.inline_off = cpu_to_le32(SRAM_INLINE);
	cb.inline_count = cpu_to_le16(CHAN_INLINE_PAGES);
	cb.link_off = cpu_to_le16(SRAM_LINK);
	cb.push_addr = cpu_to_le64(mem40_addr(emem40(chan_push)));
	cb.push_size = cpu_to_le32(sizeof(chan_push));
	cb.queue_pages = cpu_to_le64(CHAN_PAGES);
	copy_string(cb.fw_name, FW_NAME, sizeof(cb.fw_name));
	copy_string(cb.fw_version, NFPCHAN_VERSION, sizeof(cb.fw_version));
	crc = crc32(0xffffffff, &cb, sizeof(cb));
	cb.crc = cpu_to_le32(~write_table(crc));
	write_parts(0, &cb, sizeof(cb));
	write_parts(SRAM_NAMES, chan_names, CHAN_NAMES_SIZE);
	magic = cpu_to_le32(NFP_CHAN_FW_MAGIC);
	pcie_sram_write(CHAN_PCIE_ISL, &magic, SRAM_AT(0), sizeof(magic));
}

void chan_sram_clear(uint32_t from, uint32_t to)
{
	__xwrite uint64_t zero;

	zero = 0;
	for (; from < to; from += sizeof(zero))
		pcie_sram_write(CHAN_PCIE_ISL, &zero, SRAM_AT(from), sizeof(zero));
}

/* Set up everything that other contexts and the host rely on. */
void chan_init(void)
{
	const struct me_context *me;
	unsigned int i;

	for (i = 0; i <= CHAN_PORT; i++) {
		chan_state[i].head = CHAN_NONE;
		chan_state[i].rhead = CHAN_NONE;
		chan_state[i].last = CHAN_PIPES - 1;
	}
	for (i = 0; i < CHAN_FLIGHTS; i++)
		chan_flight[i].pipe = CHAN_NONE;
	for (i = 0; i < me_context_count; i++) {
		me = &me_contexts[i];
		chan_shared.self[CHAN_SELF(me->island, me->me, me->ctx)] = (uint8_t)i;
	}
	mem_workq_setup(CHAN_RING_HOST, emem40(chan_ring_host), sizeof(chan_ring_host));
	mem_workq_setup(CHAN_RING_NFP, emem40(chan_ring_nfp), sizeof(chan_ring_nfp));
	chan_xdp_init();
	for (i = 0; i < CHAN_PIPES + CHAN_BELLS; i++) {
		qc_init_queue(CHAN_PCIE_ISL, CHAN_QUEUE(i));
		qc_init_queue(CHAN_PCIE_ISL, CHAN_QUEUE(i) + 1);
	}
	qc_init_queue(CHAN_PCIE_ISL, CHAN_QUEUE_MBOX);
	qc_init_queue(CHAN_PCIE_ISL, CHAN_QUEUE_SIG);
	chan_sram_clear(SRAM_STAT, SRAM_LINK + CHAN_PIPES * sizeof(struct nfp_chan_fw_stat));
	write_control_block();
	chan_shared.up = cpu_to_be32(CHAN_TABLE_ID);
}
