// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * pcapng.c - write a capture in pcapng format (draft-ietf-opsawg-pcapng).
 *
 * The file is in the byte order of this machine, as the format allows. A drop count is an option of
 * the next packet of its port, and the statistics have the sum.
 */
#include <endian.h>
#include <string.h>
#include "pcapng.h"

#define BLOCK_SHB	0x0a0d0d0a
#define BLOCK_IDB	1
#define BLOCK_ISB	5
#define BLOCK_EPB	6
#define BYTE_ORDER_MAGIC	0x1a2b3c4d

#define OPT_END		0
#define OPT_COMMENT	1
#define SHB_HARDWARE	2
#define SHB_USERAPPL	4
#define IDB_NAME	2
#define IDB_DESCRIPTION	3
#define IDB_TSRESOL	9
#define IDB_FILTER	11
#define EPB_DROPCOUNT	4
#define ISB_IFRECV	4
#define ISB_IFDROP	5
#define ISB_FILTERACCEPT	6
#define ISB_OSDROP	7
#define ISB_USRDELIV	8

#define LINKTYPE_ETHERNET	1

/* ---- blocks ---- */

static void put(struct pcapng *p, const void *data, uint32_t len)
{
	memcpy(p->block + p->len, data, len);
	p->len += len;
}

static void put16(struct pcapng *p, uint16_t val)
{
	put(p, &val, sizeof(val));
}

static void put32(struct pcapng *p, uint32_t val)
{
	put(p, &val, sizeof(val));
}

/* A block begins with its type and its length, which end_block() sets. */
static void begin_block(struct pcapng *p, uint32_t type)
{
	p->len = 0;
	put32(p, type);
	put32(p, 0);
}

static void pad(struct pcapng *p)
{
	while (p->len % 4)
		p->block[p->len++] = 0;
}

/* A text that does not fit in the block is cut. */
static void option(struct pcapng *p, uint16_t code, const void *data, size_t len)
{
	size_t most = sizeof(p->block) - p->len - 64;

	if (len > most)
		len = most;
	put16(p, code);
	put16(p, (uint16_t)len);
	put(p, data, (uint32_t)len);
	pad(p);
}

static void option_text(struct pcapng *p, uint16_t code, const char *text)
{
	if (*text)
		option(p, code, text, strlen(text));
}

static void option_u64(struct pcapng *p, uint16_t code, uint64_t val)
{
	option(p, code, &val, sizeof(val));
}

/* Write the block. The @datalen bytes of a packet come after the first @head bytes. */
static void end_block(struct pcapng *p, uint32_t head, const uint8_t *data, uint32_t datalen)
{
	static const uint8_t zeros[4];
	uint32_t padding = -datalen & 3, total = p->len + datalen + padding + 4;

	memcpy(p->block + 4, &total, sizeof(total));
	put32(p, total);
	if (!datalen) {
		fwrite(p->block, 1, p->len, p->out);
		return;
	}
	fwrite(p->block, 1, head, p->out);
	fwrite(data, 1, datalen, p->out);
	fwrite(zeros, 1, padding, p->out);
	fwrite(p->block + head, 1, p->len - head, p->out);
}

static void end_options(struct pcapng *p)
{
	put16(p, OPT_END);
	put16(p, 0);
	end_block(p, p->len, NULL, 0);
}

/* ---- the file ---- */

static void interface(struct pcapng *p, unsigned int port, const char *card, const char *filter,
		      uint32_t snap)
{
	const uint8_t nanoseconds = 9;
	char text[1100];

	begin_block(p, BLOCK_IDB);
	put16(p, LINKTYPE_ETHERNET);
	put16(p, 0);
	put32(p, snap);
	snprintf(text, sizeof(text), "port%u", port);
	option_text(p, IDB_NAME, text);
	snprintf(text, sizeof(text), "wire port %u of %s", port, card);
	option_text(p, IDB_DESCRIPTION, text);
	option(p, IDB_TSRESOL, &nanoseconds, 1);
	if (*filter) {
		/* The first byte says that a text of libpcap's language follows. */
		snprintf(text, sizeof(text), "%c%s", 0, filter);
		option(p, IDB_FILTER, text, 1 + strlen(text + 1));
	}
	end_options(p);
}

void pcapng_begin(struct pcapng *p, FILE *out, const char *card, const char *comment,
		  const char *filter, uint32_t snap)
{
	const uint64_t unknown_length = UINT64_MAX;
	unsigned int port;

	memset(p, 0, sizeof(*p));
	p->out = out;
	begin_block(p, BLOCK_SHB);
	put32(p, BYTE_ORDER_MAGIC);
	put16(p, 1);
	put16(p, 0);
	put(p, &unknown_length, sizeof(unknown_length));
	option_text(p, OPT_COMMENT, comment);
	option_text(p, SHB_HARDWARE, card);
	option_text(p, SHB_USERAPPL, "nfpchan " NFPCHAN_VERSION);
	end_options(p);
	for (port = 0; port < NFP_FRAMES_PORTS; port++)
		interface(p, port, card, filter, snap);
}

static void put_time(struct pcapng *p, uint64_t ns)
{
	put32(p, (uint32_t)(ns >> 32));
	put32(p, (uint32_t)ns);
}

static void frame(struct pcapng *p, const struct nfp_frames_hdr *hdr, const uint8_t *data)
{
	uint32_t caplen = le16toh(hdr->caplen), head;
	uint64_t *drops = &p->drops[hdr->port];

	begin_block(p, BLOCK_EPB);
	put32(p, hdr->port);
	put_time(p, le64toh(hdr->ns));
	put32(p, caplen);
	put32(p, le32toh(hdr->len));
	head = p->len;
	if (*drops) {
		option_u64(p, EPB_DROPCOUNT, *drops);
		put32(p, OPT_END);
	}
	*drops = 0;
	end_block(p, head, data, caplen);
}

void pcapng_record(struct pcapng *p, const struct nfp_frames_hdr *hdr, const uint8_t *data)
{
	if (hdr->port >= NFP_FRAMES_PORTS)
		return;
	p->last_ns[hdr->port] = le64toh(hdr->ns);
	if (hdr->kind == NFP_FRAMES_DROPS)
		p->drops[hdr->port] += le32toh(hdr->len);
	else
		frame(p, hdr, data);
}

void pcapng_end(struct pcapng *p, const struct nfp_frames_totals *t)
{
	unsigned int i;

	for (i = 0; i < NFP_FRAMES_PORTS; i++) {
		begin_block(p, BLOCK_ISB);
		put32(p, i);
		put_time(p, p->last_ns[i]);
		option_u64(p, ISB_IFRECV, le64toh(t->port[i].seen));
		option_u64(p, ISB_IFDROP, le64toh(t->port[i].lost));
		option_u64(p, ISB_FILTERACCEPT, le64toh(t->port[i].accepted));
		option_u64(p, ISB_OSDROP, le64toh(t->port[i].dropped));
		option_u64(p, ISB_USRDELIV, le64toh(t->port[i].copied));
		end_options(p);
	}
}
