// SPDX-License-Identifier: BSD-2-Clause
/*
 * fw_load.c - the NSP command FW_LOAD: take a firmware file from the host (nfpcore/nfp_nsp.c,
 * nfp_nsp_load_fw()). A small file is in the NSP's buffer. Of a larger one the driver gives the
 * address of a list of pieces in the host's memory.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <syslog.h>

#include "bytes.h"
#include "dma.h"
#include "nffw.h"
#include "nsp.h"

#define LOAD_MAX	(16u << 20)	/* bytes; the largest public file has 5 MiB */
#define PIECES_MAX	(LOAD_MAX / 4096)

/* The list: number of pieces, and for each its length in bytes and its address (64 bits). */
#define LIST_HEAD	16u
#define LIST_ENTRY	16u

/* Reasons in the return value, which the driver prints */
#define WHY_NONE	0
#define WHY_PARSE	5	/* "can not parse FW file" */

static int fail(char *why, size_t size, int err, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
static int fail(char *why, size_t size, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, size, fmt, ap);
	va_end(ap);
	return -err;
}

static int host_read(struct board *b, uint64_t addr, void *to, uint32_t len, const char *what,
		     char *why, size_t size)
{
	if (!bd_dma_now(b, false, BOARD_TLP_COMMAND, addr, to, len))
		return 0;
	return fail(why, size, EFAULT, "%s cannot be read: %u bytes at 0x%llx of the host's memory",
		    what, len, (unsigned long long)addr);
}

/* Copy the pieces of the file to @file in their order. */
static int gather(struct board *b, uint64_t list, uint8_t *file, uint32_t len, char *why, size_t size)
{
	uint8_t head[LIST_HEAD], e[LIST_ENTRY];
	uint32_t n, i, piece, at = 0;
	int ret;

	ret = host_read(b, list, head, sizeof(head), "the list of pieces", why, size);
	if (ret)
		return ret;
	n = bd_get32(head);
	if (n > PIECES_MAX)
		return fail(why, size, EINVAL, "%u pieces, the limit is %u", n, PIECES_MAX);
	for (i = 0; i < n && at < len; i++) {
		ret = host_read(b, list + LIST_HEAD + (uint64_t)LIST_ENTRY * i, e, sizeof(e),
				"the list of pieces", why, size);
		if (ret)
			return ret;
		piece = bd_get32(e);
		if (!piece || piece > len - at)
			return fail(why, size, EINVAL, "piece %u has %u bytes, and %u of the file are left",
				    i, piece, len - at);
		ret = host_read(b, bd_get64(e + 8), file + at, piece, "a piece", why, size);
		if (ret)
			return ret;
		at += piece;
	}
	if (at < len)
		return fail(why, size, EINVAL, "its %u pieces have %u bytes", n, at);
	return 0;
}

static int copy(struct board *b, const struct bd_nsp_file *f, uint8_t *file, char *why, size_t size)
{
	if (f->dma)
		return gather(b, f->list, file, f->len, why, size);
	if (f->len > f->room)
		return fail(why, size, EINVAL, "the NSP's buffer has %u bytes from the address on",
			    f->room);
	memcpy(file, f->buf, f->len);
	return 0;
}

static int load(struct board *b, const struct bd_nsp_file *f, char *why, size_t size)
{
	uint8_t *file;
	int ret;

	if (bd_firmware_loaded(b))
		return fail(why, size, EBUSY, "%s runs, %s", bd_firmware(b)->mip.name,
			    b->nffw->host ? "until a soft reset" :
					    "from the flash; only firmware=host is a card without it");
	if (!f->len || f->len > LOAD_MAX)
		return fail(why, size, EFBIG, "a file has 1 to %u bytes", LOAD_MAX);
	file = malloc(f->len);
	if (!file)
		return fail(why, size, ENOMEM, "no memory");
	ret = copy(b, f, file, why, size);
	if (ret) {
		free(file);
		return ret;
	}
	return bd_firmware_host(b, file, f->len, why, size);
}

uint8_t bd_nsp_fw_load(struct board *b, const struct bd_nsp_file *f, uint32_t *ret)
{
	char why[256];
	int err = load(b, f, why, sizeof(why));

	*ret = 0;
	if (!err) {
		board_log(LOG_INFO, "NSP: the host has loaded firmware %s, %u bytes",
			  bd_firmware(b)->mip.name, f->len);
		b->asked |= BD_ASK_CHANGE;
		return 0;
	}
	board_log(LOG_WARNING, "NSP: firmware file of %u bytes refused: %s", f->len, why);
	*ret = BD_FW_FAILED(err == -ENOEXEC ? WHY_PARSE : WHY_NONE);
	return -err;
}
