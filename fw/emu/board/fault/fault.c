// SPDX-License-Identifier: BSD-2-Clause
/*
 * fault.c - faults: their names, the events that they hit, and the text of the option "fault".
 *
 * A fault counts events of its kind: responses, records, messages, interrupts, doorbells, words
 * that the host reads. It never depends on time, so a test states exactly which event the fault
 * hits.
 */
#include <errno.h>
#include <stdlib.h>
#include <syslog.h>

#include "bytes.h"
#include "cfg.h"
#include "fault.h"
#include "fault_int.h"
#include "pcie_island.h"

static const struct {
	const char *name;
	uint32_t value;		/* used if the option has no value= */
} kinds[FAULT_KINDS] = {
	[FAULT_CB_GARBAGE] = { "cb-garbage", 0x5eed },
	[FAULT_CB_STALE] = { "cb-stale", 0 },
	[FAULT_CB_CHANGE] = { "cb-change", offsetof(struct nfp_chan_fw_cb, me_mhz) },
	[FAULT_CB_VERSION] = { "cb-version", NFP_CHAN_FW_ABI_MAJOR + 1 },
	[FAULT_MBOX_DEAF] = { "mbox-deaf", 0 },
	[FAULT_MBOX_SILENT] = { "mbox-silent", 0 },
	[FAULT_MBOX_LATE] = { "mbox-late", 1 },
	[FAULT_MBOX_TWICE] = { "mbox-twice", 0 },
	[FAULT_MBOX_TORN] = { "mbox-torn", 0 },
	[FAULT_MBOX_SEQ] = { "mbox-seq", 1 },
	[FAULT_MBOX_STATUS] = { "mbox-status", 99 },
	[FAULT_MBOX_VALUE] = { "mbox-value", 1 },
	[FAULT_MBOX_IRQ] = { "mbox-irq", 0 },
	[FAULT_NOTE_POS] = { "note-pos", 0x10000000 },
	[FAULT_NOTE_BACK] = { "note-back", 8 },
	[FAULT_NOTE_STATE] = { "note-state", 77 },
	[FAULT_NOTE_LOST] = { "note-lost", 0 },
	[FAULT_HDR_LEN] = { "hdr-len", 0xffffffff },
	[FAULT_HDR_SEQ] = { "hdr-seq", 1 },
	[FAULT_PORT_COOKIE] = { "port-cookie", 0x80000000 },
	[FAULT_DATA_LATE] = { "data-late", 1 },
	[FAULT_DATA_LOST] = { "data-lost", 0 },
	[FAULT_DATA_SHORT] = { "data-short", 4 },
	[FAULT_DATA_SWAP] = { "data-swap", 0 },
	[FAULT_BELL_LOST] = { "bell-lost", 0 },
	[FAULT_IRQ_LOST] = { "irq-lost", 0 },
	[FAULT_IRQ_TWICE] = { "irq-twice", 0 },
	[FAULT_IRQ_SPURIOUS] = { "irq-spurious", 0 },
	[FAULT_IRQ_FREED] = { "irq-freed", 0 },
	[FAULT_STAT_FLIP] = { "stat-flip", 0 },
	[FAULT_SRAM_ONES] = { "sram-ones", 0 },
	[FAULT_GONE] = { "gone", 0 },
	[FAULT_FW_STOP] = { "fw-stop", 0 },
	[FAULT_FW_RESTART] = { "fw-restart", 0 },
};

/* ---- when ---- */

/* Return: the name of channel @chan, from the firmware's table in PCIe SRAM. */
static const char *chan_name(const struct board *b, unsigned int chan)
{
	const uint8_t *cb = b->pcie->sram + NFP_CHAN_FW_SRAM_BASE;
	uint32_t off = bd_get32(cb + offsetof(struct nfp_chan_fw_cb, chan_off)) +
		       chan * bd_get16(cb + offsetof(struct nfp_chan_fw_cb, chan_stride));

	if (off > NFP_CHAN_FW_SRAM_SIZE - sizeof(struct nfp_chan_fw_chan))
		return "";
	return (const char *)cb + off;
}

static bool concerns(const struct board *b, const struct fault_rule *r, unsigned int pipe)
{
	if (!*r->chan)
		return true;
	return pipe < NFP_CHAN_FW_PIPE_MAX &&
	       !strncmp(r->chan, chan_name(b, b->faults->pipe[pipe].chan), sizeof(r->chan));
}

struct fault_rule *fault_find(struct board *b, enum fault_kind kind, unsigned int pipe)
{
	struct bd_fault *f = b->faults;
	unsigned int i;

	for (i = 0; i < FAULT_RULES; i++)
		if (f->rule[i].kind == kind && concerns(b, &f->rule[i], pipe))
			return &f->rule[i];
	return NULL;
}

struct fault_rule *fault_hit(struct board *b, enum fault_kind kind, unsigned int pipe)
{
	struct fault_rule *r = fault_find(b, kind, pipe);

	if (!r || r->seen++ < r->after || (r->count && r->hits == r->count))
		return NULL;
	r->hits++;
	b->faults->hits++;
	return r;
}

/* ---- the text of the option ---- */

static bool number(const char *s, uint32_t *v)
{
	unsigned long long n;
	char *end;

	errno = 0;
	n = strtoull(s, &end, 0);
	if (errno || end == s || *end || *s == '-' || n > UINT32_MAX)
		return false;
	*v = n;
	return true;
}

static bool argument(struct fault_rule *r, const char *arg)
{
	if (!strncmp(arg, "after=", 6))
		return number(arg + 6, &r->after);
	if (!strncmp(arg, "count=", 6))
		return number(arg + 6, &r->count);
	if (!strncmp(arg, "value=", 6))
		return number(arg + 6, &r->value);
	if (strncmp(arg, "chan=", 5) || !arg[5] || strlen(arg + 5) >= sizeof(r->chan))
		return false;
	strcpy(r->chan, arg + 5);
	return true;
}

static enum fault_kind kind_find(const char *name)
{
	enum fault_kind k;

	for (k = FAULT_NONE + 1; k < FAULT_KINDS; k++)
		if (!strcmp(kinds[k].name, name))
			return k;
	return FAULT_NONE;
}

static void rule_end(struct board *b, enum fault_kind kind)
{
	struct bd_fault *f = b->faults;
	unsigned int i;

	for (i = 0; i < FAULT_RULES; i++)
		if (f->rule[i].kind == kind)
			f->rule[i].kind = FAULT_NONE;
	if (kind == FAULT_GONE)
		f->gone = false;
	if (kind == FAULT_FW_STOP)
		f->halted = false;
	fault_release(b, kind);
}

/* Do what a fault does when it is set. Most faults wait for an event instead. */
static void rule_begin(struct board *b, const struct fault_rule *r)
{
	struct bd_fault *f = b->faults;

	if (r->kind == FAULT_CB_STALE)
		memcpy(f->stale, b->pcie->sram + NFP_CHAN_FW_SRAM_BASE, sizeof(f->stale));
	if (r->kind == FAULT_GONE && !r->after)
		f->gone = true;
	if (r->kind == FAULT_FW_STOP && !r->after)
		f->halted = true;
}

/* Parse one fault: NAME[:KEY=VALUE]... sets it, -NAME ends it. */
static bool rule_set(struct board *b, char *text)
{
	struct fault_rule r = { 0 }, *slot = NULL;
	char *save, *arg = strtok_r(text, ":", &save);
	unsigned int i;

	if (!arg)
		return false;
	r.kind = kind_find(arg + (*arg == '-'));
	if (r.kind == FAULT_NONE)
		return false;
	if (*arg == '-') {
		rule_end(b, r.kind);
		return !strtok_r(NULL, ":", &save);
	}
	r.value = kinds[r.kind].value;
	while ((arg = strtok_r(NULL, ":", &save)))
		if (!argument(&r, arg))
			return false;
	if (r.kind == FAULT_FW_RESTART) {
		b->asked |= BD_ASK_CHANNELS;
		return true;
	}
	for (i = 0; i < FAULT_RULES && !slot; i++)
		if (b->faults->rule[i].kind == FAULT_NONE)
			slot = &b->faults->rule[i];
	if (!slot)
		return false;
	*slot = r;
	rule_begin(b, slot);
	return true;
}

static void rules_clear(struct board *b)
{
	enum fault_kind k;

	for (k = FAULT_NONE + 1; k < FAULT_KINDS; k++)
		rule_end(b, k);
}

/*
 * The host was restarted, or another host has connected. The addresses in earlier requests are no
 * longer valid.
 */
static void fault_reset(struct board *b)
{
	fault_forget(b);
	b->faults->line_len = 0;
}

/*
 * Function level reset. The firmware keeps running and keeps its pipes. DMA writes that are held
 * back are lost.
 */
static void fault_flr(struct board *b)
{
	fault_drop(b);
	b->faults->flrs++;
}

static void fault_exit(struct board *b)
{
	fault_forget(b);
	free(b->faults);
	b->fault = NULL;
}

static const struct bd_fault_ops fault_ops = {
	.gone = fault_gone, .halted = fault_halted, .sram_read = fault_sram_read,
	.doorbell = fault_doorbell, .dma = fault_dma, .msix = fault_msix,
	.reset = fault_reset, .flr = fault_flr, .exit = fault_exit,
};

/* ---- the port ---- */

/*
 * Registers in configuration space through which a test in the guest sets faults. They exist only
 * if the option "fault" was given. Characters that are written to TEXT, up to four at a time,
 * make a line, which NUL or newline ends. The line is a value of the option. RESULT is then 0 or
 * an errno. HITS counts the events that faults have changed, HELD the DMA writes that faults hold
 * back now, FLRS the function level resets.
 */
#define PORT_BASE	0x5c0
#define PORT_TEXT	0x0
#define PORT_RESULT	0x4
#define PORT_HITS	0x8
#define PORT_HELD	0xc
#define PORT_FLRS	0x10
#define PORT_SIZE	0x14

static uint32_t port_read(struct board *b, uint32_t off)
{
	switch (off) {
	case PORT_RESULT:
		return b->faults->result;
	case PORT_HITS:
		return b->faults->hits;
	case PORT_HELD:
		return b->faults->nheld;
	case PORT_FLRS:
		return b->faults->flrs;
	default:
		return 0;
	}
}

static void port_write(struct board *b, uint32_t off, const uint8_t *buf, size_t len)
{
	struct bd_fault *f = b->faults;
	size_t i;

	for (i = 0; off == PORT_TEXT && i < len; i++) {
		if (buf[i] && buf[i] != '\n') {
			if (f->line_len < sizeof(f->line) - 1)
				f->line[f->line_len++] = (char)buf[i];
			continue;
		}
		f->line[f->line_len] = '\0';
		if (f->line_len)
			f->result = bd_fault_set(b, f->line) ? 0 : EINVAL;
		f->line_len = 0;
	}
}

static const struct bd_regs port = { PORT_BASE, PORT_SIZE, true, port_read, port_write };

/* The option is given for the first time: allocate the state, and add the registers. */
static bool faults_begin(struct board *b)
{
	b->faults = calloc(1, sizeof(*b->faults));
	if (!b->faults)
		return false;
	b->fault = &fault_ops;
	bd_cfg_regs(b, &port);
	return true;
}

/* Set faults, separated by commas. "off" ends all faults. */
bool bd_fault_set(struct board *b, const char *text)
{
	char line[FAULT_LINE], *save, *one;
	bool good = true;

	if (strlen(text) >= sizeof(line))
		return false;
	if (!b->fault && !faults_begin(b))
		return false;
	strcpy(line, text);
	for (one = strtok_r(line, ",", &save); one && good; one = strtok_r(NULL, ",", &save)) {
		if (!strcmp(one, "off"))
			rules_clear(b);
		else
			good = rule_set(b, one);
	}
	board_log(LOG_INFO, "fault %s%s", text, good ? "" : ": not understood");
	return good;
}
