// SPDX-License-Identifier: BSD-2-Clause
/*
 * wire_pcapng.c - captures of several interfaces, made readable for libpcap.
 *
 * libpcap (sf-pcapng.c) has one snap length for a file, that of the first interface, and stops at
 * an interface with a different one. Captures of several interfaces can have different ones.
 * libpcap takes a snap length of 0 as "no limit", so the stream has 0 in the block of each
 * interface.
 *
 * A simple packet block has no captured length: that is the smaller of the packet's length and the
 * snap length of the section's first interface. The stream has an enhanced packet block in its
 * place, which has both lengths. All other bytes of the file stay as they are.
 */
#define _GNU_SOURCE		/* fopencookie */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wire_pcap.h"

#define BLOCK_SECTION	0x0a0d0d0au	/* the same in either byte order */
#define BLOCK_INTERFACE	1u
#define BLOCK_SIMPLE	3u
#define BLOCK_ENHANCED	6u
#define SECTION_MAGIC	0x1a2b3c4du

/*
 * Bytes of a block's head. The head is the type and the length, and in blocks of sections,
 * interfaces and packets more words. The tail is the length again.
 */
#define HEAD_SHORT	8u
#define HEAD_SIMPLE	12u
#define HEAD_LONG	16u
#define HEAD_ENHANCED	28u
#define TAIL		4u
#define OFF_TOTAL	4u
#define OFF_MAGIC	8u
#define OFF_SIMPLE_LEN	8u
#define OFF_SNAPLEN	12u
#define OFF_CAPLEN	20u
#define OFF_LEN		24u
#define GROWTH		(HEAD_ENHANCED - HEAD_SIMPLE)

struct blocks {
	FILE *f;
	bool swapped;		/* the section is in the other byte order */
	bool interface;		/* the section has had an interface */
	bool grown;		/* the block is longer by GROWTH than in the file */
	uint32_t snaplen;	/* most bytes of a packet that the first interface has captured */
	uint64_t left;		/* bytes of the block that follow the head */
	uint8_t head[HEAD_ENHANCED];	/* the head, or the tail, as the stream has it */
	size_t at, len;		/* bytes @at to @len of @head are still to be read */
};

static uint32_t word(const struct blocks *b, size_t off)
{
	uint32_t v;

	memcpy(&v, b->head + off, sizeof(v));
	return b->swapped ? __builtin_bswap32(v) : v;
}

static void word_set(struct blocks *b, size_t off, uint32_t v)
{
	v = b->swapped ? __builtin_bswap32(v) : v;
	memcpy(b->head + off, &v, sizeof(v));
}

static bool head_more(struct blocks *b, size_t len)
{
	b->len += fread(b->head + b->len, 1, len - b->len, b->f);
	return b->len == len;
}

static void section_begin(struct blocks *b)
{
	b->interface = false;
	b->swapped = false;
	b->swapped = word(b, OFF_MAGIC) != SECTION_MAGIC;
}

static void interface_begin(struct blocks *b)
{
	uint32_t snaplen = word(b, OFF_SNAPLEN);

	if (!b->interface)
		b->snaplen = snaplen && snaplen < WIRE_PCAP_FRAME_MAX ? snaplen : WIRE_PCAP_FRAME_MAX;
	b->interface = true;
	word_set(b, OFF_SNAPLEN, 0);
}

/* The packet is of interface 0, and has no time: both are 0 in the new head, too. */
static void simple_begin(struct blocks *b)
{
	uint32_t len = word(b, OFF_SIMPLE_LEN);

	memset(b->head + HEAD_SHORT, 0, HEAD_ENHANCED - HEAD_SHORT);
	word_set(b, 0, BLOCK_ENHANCED);
	word_set(b, OFF_TOTAL, word(b, OFF_TOTAL) + GROWTH);
	word_set(b, OFF_CAPLEN, len < b->snaplen ? len : b->snaplen);
	word_set(b, OFF_LEN, len);
	b->len = HEAD_ENHANCED;
	b->grown = true;
}

/*
 * Read the head of the next block. If the file ends there, is not pcapng or has wrong lengths,
 * pass the bytes on unchanged: libpcap reports what is wrong with the file.
 */
static void block_begin(struct blocks *b, bool first)
{
	uint32_t type, total;

	b->at = b->len = 0;
	b->left = UINT64_MAX;
	b->grown = false;
	if (!head_more(b, HEAD_SHORT))
		return;
	type = word(b, 0);
	if (first && type != BLOCK_SECTION)
		return;
	if ((type == BLOCK_SECTION || type == BLOCK_INTERFACE) && !head_more(b, HEAD_LONG))
		return;
	if (type == BLOCK_SIMPLE && !head_more(b, HEAD_SIMPLE))
		return;
	if (type == BLOCK_SECTION)
		section_begin(b);
	if (type == BLOCK_INTERFACE)
		interface_begin(b);
	total = word(b, OFF_TOTAL);
	if (total < b->len)
		return;
	b->left = total - b->len;
	if (type == BLOCK_SIMPLE && b->interface && b->left >= TAIL && total <= UINT32_MAX - GROWTH)
		simple_begin(b);
}

/* Read the tail of a block that is longer than in the file. */
static void block_end(struct blocks *b)
{
	b->at = b->len = 0;
	b->left = 0;
	b->grown = false;
	if (head_more(b, TAIL))
		word_set(b, 0, word(b, 0) + GROWTH);
}

static ssize_t blocks_read(void *cookie, char *buf, size_t size)
{
	struct blocks *b = cookie;
	uint64_t most;
	size_t n;

	if (b->at == b->len && !b->left)
		block_begin(b, false);
	if (b->at == b->len && b->grown && b->left == TAIL)
		block_end(b);
	if (b->at < b->len) {
		n = size < b->len - b->at ? size : b->len - b->at;
		memcpy(buf, b->head + b->at, n);
		b->at += n;
		return n;
	}
	most = b->left - (b->grown ? TAIL : 0);
	n = fread(buf, 1, size < most ? size : most, b->f);
	if (!n && ferror(b->f))
		return -1;
	b->left -= n;
	return n;
}

static int blocks_close(void *cookie)
{
	struct blocks *b = cookie;

	fclose(b->f);
	free(b);
	return 0;
}

FILE *wire_pcapng_open(const char *path)
{
	static const cookie_io_functions_t io = { .read = blocks_read, .close = blocks_close };
	struct blocks *b = calloc(1, sizeof(*b));
	FILE *f;

	if (!b)
		return NULL;
	b->f = fopen(path, "re");
	if (!b->f) {
		free(b);
		return NULL;
	}
	block_begin(b, true);
	f = fopencookie(b, "r", io);
	if (!f)
		blocks_close(b);
	return f;
}
