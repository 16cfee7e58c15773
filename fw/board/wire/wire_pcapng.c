// SPDX-License-Identifier: BSD-2-Clause
/*
 * wire_pcapng.c - captures of several interfaces, made readable for libpcap.
 *
 * libpcap (sf-pcapng.c) has one snap length for a file, that of the first interface, and stops at
 * an interface with a different one. Captures of several interfaces can have different ones.
 * libpcap takes a snap length of 0 as "no limit", so the stream has 0 in the block of each
 * interface. All other bytes of the file stay as they are.
 */
#define _GNU_SOURCE		/* fopencookie */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "wire_pcap.h"

#define BLOCK_SECTION	0x0a0d0d0au	/* the same in either byte order */
#define BLOCK_INTERFACE	1u
#define SECTION_MAGIC	0x1a2b3c4du

/*
 * Bytes of a block's head. The head is the type and the length, and in blocks of sections and
 * interfaces two more words.
 */
#define HEAD_SHORT	8u
#define HEAD_LONG	16u
#define OFF_MAGIC	8u
#define OFF_SNAPLEN	12u

struct blocks {
	FILE *f;
	bool swapped;		/* the section is in the other byte order */
	uint64_t left;		/* bytes of the block that follow the head */
	uint8_t head[HEAD_LONG];
	size_t at, len;		/* bytes @at to @len of the head are still to be read */
};

static uint32_t word(const struct blocks *b, size_t off)
{
	uint32_t v;

	memcpy(&v, b->head + off, sizeof(v));
	return b->swapped ? __builtin_bswap32(v) : v;
}

static bool head_more(struct blocks *b, size_t len)
{
	b->len += fread(b->head + b->len, 1, len - b->len, b->f);
	return b->len == len;
}

/*
 * Read the head of the next block. If the file ends there, is not pcapng or has wrong lengths,
 * pass the bytes on unchanged: libpcap reports what is wrong with the file.
 */
static void block_begin(struct blocks *b, bool first)
{
	uint32_t type;

	b->at = b->len = 0;
	b->left = UINT64_MAX;
	if (!head_more(b, HEAD_SHORT))
		return;
	type = word(b, 0);
	if (first && type != BLOCK_SECTION)
		return;
	if ((type == BLOCK_SECTION || type == BLOCK_INTERFACE) && !head_more(b, HEAD_LONG))
		return;
	if (type == BLOCK_SECTION) {
		b->swapped = false;
		b->swapped = word(b, OFF_MAGIC) != SECTION_MAGIC;
	}
	if (type == BLOCK_INTERFACE)
		memset(b->head + OFF_SNAPLEN, 0, 4);
	if (word(b, 4) >= b->len)
		b->left = word(b, 4) - b->len;
}

static ssize_t blocks_read(void *cookie, char *buf, size_t size)
{
	struct blocks *b = cookie;
	size_t n;

	if (b->at == b->len && !b->left)
		block_begin(b, false);
	if (b->at < b->len) {
		n = size < b->len - b->at ? size : b->len - b->at;
		memcpy(buf, b->head + b->at, n);
		b->at += n;
		return n;
	}
	n = fread(buf, 1, size < b->left ? size : b->left, b->f);
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
