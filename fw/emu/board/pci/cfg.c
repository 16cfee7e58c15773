// SPDX-License-Identifier: BSD-2-Clause
/*
 * cfg.c - PCI configuration space of the card's physical function.
 *
 * The capabilities have the same offsets as in lspci's output for a real card. There is no SR-IOV
 * capability, because QEMU's vfio-user client would hide it.
 */
#include <linux/pci_regs.h>
#include <syslog.h>

#include "bytes.h"
#include "cfg.h"
#include "fault_ops.h"
#include "msix.h"
#include "tlp.h"

#define VENDOR_NETRONOME	0x19ee
#define DEVICE_NFP4000		0x4000
#define SUBSYS_AGILIO		0x4001

#define CAP_PM			0x80
#define CAP_MSIX		0xb0
#define CAP_EXP			0xc0
#define CAP_DSN			0x100

#define MSIX_PBA_OFF		0x01100190	/* in BAR0's slice for XPB, see cpp.c */
#define BAR_FLAGS		(PCI_BASE_ADDRESS_MEM_TYPE_64 | PCI_BASE_ADDRESS_MEM_PREFETCH)

/*
 * Sizes of BAR 0, 2 and 4, as powers of 2. The odd BARs are the upper halves of these 64-bit
 * BARs.
 */
static const uint8_t bar_bits[] = { 27, 26, 24 };

/* Low 16 bits of the serial number: type PCI, unit 0, channel 0xff. */
#define DSN_INTERFACE		0x10ff

static void set_express(uint8_t *s)
{
	bd_put16(s + CAP_EXP, PCI_CAP_ID_EXP);
	bd_put16(s + CAP_EXP + PCI_EXP_FLAGS, 2 | PCI_EXP_TYPE_ENDPOINT << 4);
	/* MPS 256, extended tags, role-based errors */
	bd_put32(s + CAP_EXP + PCI_EXP_DEVCAP,
		 1 | PCI_EXP_DEVCAP_EXT_TAG | PCI_EXP_DEVCAP_RBER | PCI_EXP_DEVCAP_FLR);
	bd_put16(s + CAP_EXP + PCI_EXP_DEVCTL,
		 PCI_EXP_DEVCTL_RELAX_EN | PCI_EXP_DEVCTL_NOSNOOP_EN | PCI_EXP_DEVCTL_READRQ_512B);
	bd_put32(s + CAP_EXP + PCI_EXP_LNKCAP, PCI_EXP_LNKCAP_SLS_8_0GB | 8 << 4);
	bd_put16(s + CAP_EXP + PCI_EXP_LNKSTA,
		 PCI_EXP_LNKSTA_CLS_8_0GB | 8 << 4 | PCI_EXP_LNKSTA_SLC);
	bd_put32(s + CAP_EXP + PCI_EXP_DEVCAP2, 0x1f);
	bd_put32(s + CAP_EXP + PCI_EXP_LNKCAP2,
		 PCI_EXP_LNKCAP2_SLS_2_5GB | PCI_EXP_LNKCAP2_SLS_5_0GB | PCI_EXP_LNKCAP2_SLS_8_0GB);
	bd_put16(s + CAP_EXP + PCI_EXP_LNKCTL2, PCI_EXP_LNKCTL2_TLS_8_0GT);
}

void bd_cfg_serial(struct board *b)
{
	const uint8_t *serial = b->ident.serial;
	uint8_t *s = b->cfg->space;
	uint64_t dsn = DSN_INTERFACE;
	unsigned int i;

	for (i = 0; i < 6; i++)
		dsn |= (uint64_t)serial[i] << (56 - 8 * i);
	bd_put32(s + CAP_DSN, PCI_EXT_CAP_ID_DSN | 1 << 16);
	bd_put32(s + CAP_DSN + 4, dsn);
	bd_put32(s + CAP_DSN + 8, dsn >> 32);
}

void bd_cfg_reset(struct board *b)
{
	uint8_t *s = b->cfg->space;
	unsigned int bar;

	memset(s, 0, sizeof(b->cfg->space));
	bd_put16(s + PCI_VENDOR_ID, VENDOR_NETRONOME);
	bd_put16(s + PCI_DEVICE_ID, DEVICE_NFP4000);
	bd_put16(s + PCI_STATUS, PCI_STATUS_CAP_LIST);
	bd_put16(s + PCI_CLASS_DEVICE, 0x0200);
	for (bar = 0; bar < 6; bar += 2)
		bd_put32(s + PCI_BASE_ADDRESS_0 + 4 * bar, BAR_FLAGS);
	bd_put16(s + PCI_SUBSYSTEM_VENDOR_ID, VENDOR_NETRONOME);
	bd_put16(s + PCI_SUBSYSTEM_ID, SUBSYS_AGILIO);
	s[PCI_CAPABILITY_LIST] = CAP_PM;
	s[PCI_INTERRUPT_PIN] = 1;

	bd_put16(s + CAP_PM, PCI_CAP_ID_PM | CAP_MSIX << 8);
	bd_put16(s + CAP_PM + PCI_PM_PMC, 3);
	bd_put16(s + CAP_PM + PCI_PM_CTRL, PCI_PM_CTRL_NO_SOFT_RESET);

	bd_put16(s + CAP_MSIX, PCI_CAP_ID_MSIX | CAP_EXP << 8);
	bd_put16(s + CAP_MSIX + PCI_MSIX_FLAGS, BOARD_MSIX_VECTORS - 1);
	bd_put32(s + CAP_MSIX + PCI_MSIX_PBA, MSIX_PBA_OFF);

	set_express(s);
	bd_cfg_serial(b);
}

uint64_t bd_bar_size(unsigned int bar)
{
	return bar < 2 * ARRAY_SIZE(bar_bits) && bar % 2 == 0 ? 1ULL << bar_bits[bar / 2] : 0;
}

bool bd_cfg_mem_enabled(const struct board *b)
{
	return bd_get16(b->cfg->space + PCI_COMMAND) & PCI_COMMAND_MEMORY;
}

bool bd_cfg_master(const struct board *b)
{
	return bd_get16(b->cfg->space + PCI_COMMAND) & PCI_COMMAND_MASTER;
}

/* Return the maximum read request size in bytes, a power of 2: PCIe base spec 3.1, 7.8.4. */
uint32_t bd_cfg_mrrs(const struct board *b)
{
	uint16_t ctl = bd_get16(b->cfg->space + CAP_EXP + PCI_EXP_DEVCTL);
	uint32_t mrrs = 128u << ((ctl & PCI_EXP_DEVCTL_READRQ) >> 12);

	/* The two reserved encodings would give more than 4096. */
	return mrrs < 4096 ? mrrs : 4096;
}

/* Return the bits of byte @off that the host may change. */
static uint8_t writable(unsigned int off)
{
	static const struct {
		uint16_t off;
		uint8_t mask;
	} bytes[] = {
		{ PCI_COMMAND, PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER | PCI_COMMAND_PARITY },
		{ PCI_COMMAND + 1, (PCI_COMMAND_SERR | PCI_COMMAND_INTX_DISABLE) >> 8 },
		{ PCI_CACHE_LINE_SIZE, 0xff },
		{ PCI_INTERRUPT_LINE, 0xff },
		{ CAP_PM + PCI_PM_CTRL, PCI_PM_CTRL_STATE_MASK },
		{ CAP_MSIX + PCI_MSIX_FLAGS + 1,
		  (PCI_MSIX_FLAGS_ENABLE | PCI_MSIX_FLAGS_MASKALL) >> 8 },
		{ CAP_EXP + PCI_EXP_DEVCTL, 0xff },
		{ CAP_EXP + PCI_EXP_DEVCTL + 1, 0x7f },
		{ CAP_EXP + PCI_EXP_LNKCTL, PCI_EXP_LNKCTL_RCB | PCI_EXP_LNKCTL_CCC },
		{ CAP_EXP + PCI_EXP_DEVCTL2, 0x1f },
	};
	unsigned int i;

	if (off >= PCI_BASE_ADDRESS_0 && off <= PCI_BASE_ADDRESS_5 + 3) {
		unsigned int bar = (off - PCI_BASE_ADDRESS_0) / 8 * 2;
		uint64_t size = bd_bar_size(bar);

		return ~(size - 1) >> (8 * ((off - PCI_BASE_ADDRESS_0) % 8));
	}
	for (i = 0; i < ARRAY_SIZE(bytes); i++)
		if (bytes[i].off == off)
			return bytes[i].mask;
	return 0;
}

void bd_cfg_regs(struct board *b, const struct bd_regs *r)
{
	BD_REGISTER(b->cfg->regs, r);
}

static const struct bd_regs *find_regs(const struct board *b, unsigned int off)
{
	unsigned int i;

	for (i = 0; b->cfg->regs[i]; i++)
		if (off - b->cfg->regs[i]->base < b->cfg->regs[i]->len)
			return b->cfg->regs[i];
	return NULL;
}

static uint8_t read_byte(struct board *b, unsigned int off, bool gone)
{
	const struct bd_regs *r = find_regs(b, off);

	if (gone && !(r && r->always))
		return 0xff;
	if (r)
		return r->read(b, (off - r->base) & ~3u) >> (8 * (off % 4));
	return b->cfg->space[off];
}

void bd_cfg_read(struct board *b, unsigned int off, void *buf, size_t len)
{
	bool gone = bd_gone(b);
	uint8_t *p = buf;
	size_t i;

	bd_tlp_config(b, len);
	for (i = 0; i < len; i++)
		p[i] = off < BOARD_CFG_SIZE && i < BOARD_CFG_SIZE - off ?
		       read_byte(b, off + i, gone) : 0xff;
}

static void write_byte(struct board *b, unsigned int off, uint8_t v)
{
	uint8_t mask = writable(off);
	uint8_t *p = &b->cfg->space[off];

	*p = (*p & ~mask) | (v & mask);
}

void bd_cfg_write(struct board *b, unsigned int off, const void *buf, size_t len)
{
	bool flr = false, master = bd_cfg_master(b), gone = bd_gone(b);
	const uint8_t *p = buf;
	size_t i, n;

	bd_tlp_config(b, len);
	for (i = 0; i < len && off < BOARD_CFG_SIZE && i < BOARD_CFG_SIZE - off; i += n) {
		unsigned int at = off + i;
		const struct bd_regs *r = find_regs(b, at);

		n = r ? r->base + r->len - at : 1;
		if (n > len - i)
			n = len - i;
		if (gone && !(r && r->always))
			continue;
		if (r) {
			r->write(b, at - r->base, p + i, n);
			continue;
		}
		write_byte(b, at, p[i]);
		if (at == CAP_EXP + PCI_EXP_DEVCTL + 1 && p[i] & (PCI_EXP_DEVCTL_BCR_FLR >> 8))
			flr = true;
	}
	if (flr)
		b->asked |= BD_ASK_FLR;
	else if (!master && bd_cfg_master(b))
		bd_msix_retry(b);
}
