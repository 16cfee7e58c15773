// SPDX-License-Identifier: GPL-2.0-only
/*
 * fw.c - the control block and the channel table of the firmware. Both are read once, and each
 * number in them is checked before it is used.
 */
#define dev_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/build_bug.h>
#include <linux/crc32.h>
#include <linux/ctype.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <nfp_chan_offsets.h>
#include "card.h"

#define QUEUE_COUNT	256	/* in a PCIe island of an NFP-4000, -5000, -6000 */
/*
 * nfp.ko uses 4n and 4n + 1 for the rings of its vNICs, and 2 for its first vNIC, which is on every
 * card.
 */
#define QUEUE_NFP_CFG	2
#define RING_MAX	SZ_4M
#define CB_SIZE_MIN	144
#define PUSH_MAX	(NFPC_PUSH_BLOCKS * NFPC_PUSH_BLOCK)

/* Bytes of SRAM that the control block names. */
struct extent {
	const char *name;
	u32 first;
	u32 count;
	u32 align;
};

/* Log what is wrong with the firmware. The value is -EPROTO. */
#define fw_err(card, fmt, ...)						\
({									\
	dev_info(&(card)->pdev->dev, "firmware: " fmt, ##__VA_ARGS__);	\
	-EPROTO;							\
})

static int fw_bad(struct nfpc_card *card, const char *what, u32 value,
		  const char *rule, u32 limit)
{
	return fw_err(card, "%s %u, must be %s %u\n", what, value, rule, limit);
}

/* Each of the @n extents is aligned and ends at @end at most, and no two overlap. */
static int extents_check(struct nfpc_card *card, u32 end, const struct extent *r, int n)
{
	int i, j;

	for (i = 0; i < n; i++) {
		if (!r[i].count)
			continue;
		if (r[i].first % r[i].align || r[i].count > end ||
		    r[i].first > end - r[i].count)
			return fw_err(card,
				      "%s at %#x, %#x bytes: must be a multiple of %u, up to %#x\n",
				      r[i].name, r[i].first, r[i].count, r[i].align, end);
		for (j = 0; j < i; j++) {
			if (max(r[i].first, r[j].first) >=
			    min(r[i].first + r[i].count, r[j].first + r[j].count))
				continue;
			return fw_err(card, "%s at %#x, %#x bytes, overlaps %s at %#x, %#x bytes\n",
				      r[i].name, r[i].first, r[i].count,
				      r[j].name, r[j].first, r[j].count);
		}
	}
	return 0;
}

/* Is @s NUL-terminated and printable, and not empty unless @empty? */
static bool text_ok(const char *s, size_t size, bool empty)
{
	size_t i;

	for (i = 0; i < size && s[i]; i++)
		if (!isascii(s[i]) || !isprint(s[i]))
			return false;
	return i < size && (i || empty);
}

static bool chan_name_ok(const char *s)
{
	static const char allowed[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
	size_t len = strnlen(s, NFP_CHAN_NAME_LEN);

	return len && len < NFP_CHAN_NAME_LEN && strspn(s, allowed) == len;
}

static int cb_read(struct nfpc_card *card, struct nfp_chan_fw_cb *cb)
{
	struct nfpc_fw *fw = &card->fw;

	nfpc_sram_read(card, 0, cb, sizeof(*cb));
	if (le32_to_cpu(cb->magic) != NFP_CHAN_FW_MAGIC) {
		dev_info(&card->pdev->dev,
			 "no channel firmware: magic %#x in SRAM, must be %#x\n",
			 le32_to_cpu(cb->magic), NFP_CHAN_FW_MAGIC);
		return -ENODEV;
	}
	fw->abi_major = le16_to_cpu(cb->abi_major);
	fw->abi_minor = le16_to_cpu(cb->abi_minor);
	fw->boot_id = le32_to_cpu(cb->boot_id);
	fw->chan_off = le32_to_cpu(cb->chan_off);
	fw->chan_count = le16_to_cpu(cb->chan_count);
	fw->chan_stride = le16_to_cpu(cb->chan_stride);
	fw->stat_off = le32_to_cpu(cb->stat_off);
	fw->mbox_off = le32_to_cpu(cb->mbox_off);
	fw->sig_off = le32_to_cpu(cb->sig_off);
	fw->pipe_count = le16_to_cpu(cb->pipe_count);
	fw->signal_db_count = le16_to_cpu(cb->signal_db_count);
	fw->mbox_queue = le16_to_cpu(cb->mbox_queue);
	fw->sig_queue = le16_to_cpu(cb->sig_queue);
	fw->me_mhz = le32_to_cpu(cb->me_mhz);
	fw->inline_off = le32_to_cpu(cb->inline_off);
	fw->inline_count = le16_to_cpu(cb->inline_count);
	fw->link_off = le16_to_cpu(cb->link_off);
	fw->push_addr = le64_to_cpu(cb->push_addr);
	fw->push_size = le32_to_cpu(cb->push_size);
	fw->queue_pages = le64_to_cpu(cb->queue_pages);
	if (fw->abi_major != NFP_CHAN_FW_ABI_MAJOR)
		return fw_bad(card, "ABI", fw->abi_major, "exactly",
			      NFP_CHAN_FW_ABI_MAJOR);
	if (!fw->boot_id)
		return fw_bad(card, "boot_id", 0, "more than", 0);
	if (!fw->chan_count || fw->chan_count > NFP_CHAN_FW_CHAN_MAX)
		return fw_bad(card, "chan_count", fw->chan_count, "from 1 to",
			      NFP_CHAN_FW_CHAN_MAX);
	if (!fw->pipe_count || fw->pipe_count > NFP_CHAN_FW_PIPE_MAX)
		return fw_bad(card, "pipe_count", fw->pipe_count, "from 1 to",
			      NFP_CHAN_FW_PIPE_MAX);
	if (fw->chan_stride < sizeof(struct nfp_chan_fw_chan))
		return fw_bad(card, "chan_stride", fw->chan_stride, "at least",
			      sizeof(struct nfp_chan_fw_chan));
	if (fw->push_size && (!is_power_of_2(fw->push_size) || fw->push_size < SZ_64K ||
			      fw->push_size > PUSH_MAX || fw->push_addr % fw->push_size))
		return fw_bad(card, "push_size", fw->push_size,
			      "a power of 2 from 64 KiB, of which push_addr is a multiple, to",
			      PUSH_MAX);
	if (!text_ok(cb->fw_name, sizeof(cb->fw_name), false) ||
	    !text_ok(cb->fw_version, sizeof(cb->fw_version), true))
		return fw_err(card, "its name or version is not NUL-terminated printable ASCII\n");
	strscpy(fw->name, cb->fw_name, sizeof(fw->name));
	strscpy(fw->version, cb->fw_version, sizeof(fw->version));
	return 0;
}

static int cb_extents_check(struct nfpc_card *card, u32 cb_size)
{
	const struct nfpc_fw *fw = &card->fw;
	const struct extent areas[] = {
		{ "control block", 0, cb_size, 1 },
		{ "channel table", fw->chan_off, fw->chan_count * fw->chan_stride, 8 },
		{ "counters", fw->stat_off,
		  fw->chan_count * (u32)sizeof(struct nfp_chan_fw_stat), 8 },
		{ "mailbox", fw->mbox_off, sizeof(union nfpc_req), 8 },
		{ "signal words", fw->sig_off,
		  fw->chan_count * (u32)sizeof(__le32), 4 },
		{ "inline pages", fw->inline_off,
		  fw->inline_count * NFP_CHAN_FW_INLINE_PAGE, NFP_CHAN_FW_INLINE_PAGE },
		{ "counters of links", fw->link_off,
		  fw->pipe_count * (u32)sizeof(struct nfp_chan_fw_stat), 8 },
	};

	if (cb_size < CB_SIZE_MIN)
		return fw_bad(card, "size", cb_size, "at least", CB_SIZE_MIN);
	return extents_check(card, NFP_CHAN_FW_SRAM_SIZE, areas, ARRAY_SIZE(areas));
}

/* A queue of the kernel's own: not nfp's, and in no page that user space may map. */
static int queue_check(struct nfpc_card *card, const char *name, u32 queue)
{
	u64 pages = card->fw.queue_pages;

	if (queue < QUEUE_COUNT && queue & 2 && queue != QUEUE_NFP_CFG && !(pages >> queue / 4 & 1))
		return 0;
	return fw_err(card,
		      "%s %u, must be 4n + 2 or 4n + 3, from 3 to %u, and not in queue_pages %#llx\n",
		      name, queue, QUEUE_COUNT - 1, pages);
}

static int queues_check(struct nfpc_card *card)
{
	const struct nfpc_fw *fw = &card->fw;
	u32 pages = hweight64(fw->queue_pages);
	int err;

	if (pages != fw->pipe_count + fw->signal_db_count)
		return fw_bad(card, "pages in queue_pages", pages,
			      "one for each pipe and doorbell,",
			      fw->pipe_count + fw->signal_db_count);
	if (fw->queue_pages & BIT_ULL(QUEUE_NFP_CFG / 4))
		return fw_bad(card, "page in queue_pages", QUEUE_NFP_CFG / 4,
			      "one without nfp's queue", QUEUE_NFP_CFG);
	if (fw->mbox_queue == fw->sig_queue)
		return fw_bad(card, "sig_queue", fw->sig_queue, "other than mbox_queue",
			      fw->mbox_queue);
	err = queue_check(card, "mbox_queue", fw->mbox_queue);
	return err ?: queue_check(card, "sig_queue", fw->sig_queue);
}

/*
 * @found and @table are the copies that the module uses. Only the part of the control block
 * that a newer firmware has after the end of @found is read here.
 */
static int crc_check(struct nfpc_card *card, const struct nfp_chan_fw_cb *found,
		     const void *table)
{
	u32 cb_size = le32_to_cpu(found->size), known = min_t(u32, cb_size, sizeof(*found));
	u32 crc, want;
	const struct nfpc_fw *fw = &card->fw;
	struct nfp_chan_fw_cb *cb;

	cb = kzalloc(max_t(size_t, cb_size, sizeof(*cb)), GFP_KERNEL);
	if (!cb)
		return -ENOMEM;
	memcpy(cb, found, known);
	nfpc_sram_read(card, known, (void *)cb + known, cb_size - known);
	want = le32_to_cpu(cb->crc);
	cb->crc = 0;
	cb->magic = 0;
	crc = crc32_le(~0U, (const void *)cb, cb_size);
	crc = ~crc32_le(crc, table, fw->chan_count * fw->chan_stride);
	kfree(cb);
	return crc == want ? 0 : fw_err(card, "crc %#x, computed %#x\n", want, crc);
}

static bool stream_ok(const struct nfp_chan_fw_chan *f)
{
	return f->elem_size && f->depth &&
	       f->flags & cpu_to_le32(NFP_CHAN_F_EXCLUSIVE);
}

/* The name of the ME process is at @off in SRAM. 0: the firmware is older than such names. */
static int process_read(struct nfpc_card *card, struct nfpc_chan *c, u32 off)
{
	const u32 last = NFP_CHAN_FW_SRAM_SIZE - sizeof(c->process);

	if (!off)
		return 0;
	if (off % sizeof(u32) || off > last)
		return fw_bad(card, "process name at", off, "a multiple of 4, at most", last);
	nfpc_sram_read(card, off, c->process, sizeof(c->process));
	if (!chan_name_ok(c->process))
		return fw_err(card, "the process of channel %s has no valid name\n", c->name);
	return 0;
}

static int chan_parse(struct nfpc_card *card, u32 id,
		      const struct nfp_chan_fw_chan *f)
{
	struct nfpc_chan *c = &card->fw.chans[id];
	const u32 known = NFP_CHAN_F_EXCLUSIVE | NFP_CHAN_F_SIGNAL |
			  NFP_CHAN_F_DROP | NFP_CHAN_F_XDP;
	u32 i;

	if (!chan_name_ok(f->name))
		return fw_err(card, "channel %u has no valid name\n", id);
	for (i = 0; i < id; i++)
		if (!strcmp(card->fw.chans[i].name, f->name))
			return fw_err(card, "channels %u and %u are both named %s\n", i, id,
				      f->name);
	if (le16_to_cpu(f->id) != id)
		return fw_bad(card, "channel id", le16_to_cpu(f->id), "its index", id);
	if (f->dir != NFP_CHAN_TO_HOST && f->dir != NFP_CHAN_TO_NFP)
		return fw_bad(card, "channel direction", f->dir, "from 1 to", 2);
	if (f->kind != NFP_CHAN_MESSAGE && f->kind != NFP_CHAN_STREAM)
		return fw_bad(card, "channel kind", f->kind, "from 1 to", 2);
	if (le32_to_cpu(f->flags) & ~known)
		return fw_bad(card, "channel flags", le32_to_cpu(f->flags), "within",
			      known);
	if (le32_to_cpu(f->max_size) > RING_MAX - sizeof(struct nfp_chan_hdr))
		return fw_bad(card, "channel max_size", le32_to_cpu(f->max_size),
			      "at most", RING_MAX - sizeof(struct nfp_chan_hdr));
	if (f->elem_size && f->elem_size != f->max_size)
		return fw_bad(card, "channel elem_size", le32_to_cpu(f->elem_size),
			      "0 or max_size", le32_to_cpu(f->max_size));

	if (f->kind == NFP_CHAN_STREAM && !stream_ok(f))
		return fw_err(card, "stream %s needs elements, a depth, and to be exclusive\n",
			      f->name);

	strscpy(c->name, f->name, sizeof(c->name));
	c->id = id;
	c->dir = f->dir;
	c->kind = f->kind;
	c->flags = le32_to_cpu(f->flags);
	c->elem_size = le32_to_cpu(f->elem_size);
	c->max_size = le32_to_cpu(f->max_size);
	c->depth = le32_to_cpu(f->depth);
	c->island = f->island;
	c->me = f->me;
	c->ctx = f->ctx;
	/* The host before may have left a count here. Each change of the word is a signal. */
	c->sig_count = readl(nfpc_sram(card, card->fw.sig_off + 4 * id));
	return process_read(card, c, le16_to_cpu(f->process));
}

/* The compiler's layouts are those that all sides use (nfp_chan_offsets.h). */
#define SIZE(s, n)	{ BUILD_BUG_ON(sizeof(struct s) != (n)); }
#define OFFSET(s, m, n)	{ BUILD_BUG_ON(offsetof(struct s, m) != (n)); }

static void layout_check(void)
{
	NFP_CHAN_FW_OFFSETS(SIZE, OFFSET)
	NFP_CHAN_RING_OFFSETS(SIZE, OFFSET)
	NFP_CHAN_OFFSETS(SIZE, OFFSET)
	NFP_CHAN_PEER_OFFSETS(SIZE, OFFSET)
}

static void port_init(struct nfpc_card *card)
{
	struct nfpc_chan *c = &card->port;

	strscpy(c->name, "port", sizeof(c->name));
	c->id = NFP_CHAN_ID_PORT;
	c->dir = NFP_CHAN_TO_HOST;
	c->kind = NFP_CHAN_STREAM;
	c->elem_size = sizeof(struct nfp_chan_port_event);
	c->max_size = c->elem_size;
	/* At most one element of each pipe. */
	c->depth = card->fw.pipe_count;
}

/* The release of the card frees the table. */
int nfpc_fw_read(struct nfpc_card *card)
{
	struct nfpc_fw *fw = &card->fw;
	struct nfp_chan_fw_cb cb;
	u32 i, len;
	u8 *table;
	int err;

	layout_check();
	err = cb_read(card, &cb);
	if (err)
		return err;
	err = cb_extents_check(card, le32_to_cpu(cb.size)) ?: queues_check(card);
	if (err)
		return err;
	len = fw->chan_count * fw->chan_stride;
	table = kvmalloc(len, GFP_KERNEL);
	fw->chans = kcalloc(fw->chan_count, sizeof(*fw->chans), GFP_KERNEL);
	err = -ENOMEM;
	if (table && fw->chans) {
		nfpc_sram_read(card, fw->chan_off, table, len);
		err = crc_check(card, &cb, table);
	}
	for (i = 0; !err && i < fw->chan_count; i++)
		err = chan_parse(card, i, (void *)(table + i * fw->chan_stride));
	port_init(card);
	kvfree(table);
	return err;
}

/*
 * The firmware adds to a counter while its two halves are read, so the upper half is read
 * again. It changes once in 2^32 counts. The limit is for a card on which it changes always.
 */
#define STAT_LOOKS	4

static u64 stat_read(struct nfpc_card *card, u32 off)
{
	u32 hi, lo, again = readl(nfpc_sram(card, off + 4));
	unsigned int i;

	for (i = 0; i < STAT_LOOKS; i++) {
		hi = again;
		lo = readl(nfpc_sram(card, off));
		again = readl(nfpc_sram(card, off + 4));
		if (hi == again)
			break;
	}
	return (u64)hi << 32 | lo;
}

/* Read the counters at @off. -EIO: all ones, because the card is gone or has changed. */
int nfpc_fw_stat(struct nfpc_card *card, u32 off, struct nfpc_stat *s)
{
	struct nfpc_stat now;

	lockdep_assert_held(&card->win_sem);
	now.msgs = stat_read(card, off + offsetof(struct nfp_chan_fw_stat, msgs));
	now.bytes = stat_read(card, off + offsetof(struct nfp_chan_fw_stat, bytes));
	now.dropped = stat_read(card, off + offsetof(struct nfp_chan_fw_stat, dropped));
	now.stalled = stat_read(card, off + offsetof(struct nfp_chan_fw_stat, stalled));
	if (now.msgs == ~0ULL && !nfpc_window_check(card))
		return -EIO;
	*s = now;
	return 0;
}
