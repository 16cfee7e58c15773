/* SPDX-License-Identifier: BSD-2-Clause */
/* stream.h - contents of the streams of stream.chan. All fields are little endian. */
#ifndef STREAM_H
#define STREAM_H

#include <stdint.h>
#include <linux/types.h>

/* struct source_req.target */
#define SOURCE_BYTES	0	/* channel "source" */
#define SOURCE_64	1	/* channel "source64" */

#define SOURCE_PERIOD	65536	/* bytes after which the contents repeat */

/**
 * struct source_req - request on "source-ctl": send a stream
 * @bytes: number of bytes, a multiple of the element
 * @chunk: bytes of each send, at most SOURCE_PERIOD, a multiple of the element
 *	that divides SOURCE_PERIOD
 * @target: SOURCE_BYTES or SOURCE_64
 *
 * The 32-bit word at byte 4n of the stream is n modulo SOURCE_PERIOD / 4. A request that is out
 * of range is ignored.
 */
struct source_req {
	__le64 bytes;
	__le32 chunk;
	__le32 target;
};

#endif /* STREAM_H */
