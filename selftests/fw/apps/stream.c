// SPDX-License-Identifier: BSD-2-Clause
/* stream.c - ME processes that carry streams (stream.chan). */
#include <nfp/mem_bulk.h>

#include "chan.h"
#include "pit_check.h"
#include "stream.h"

#define PART	4096	/* bytes that go back at a time */
#define SINK	32768
#define ELEM	64	/* bytes of an element of loop64, source64, sink64 */

__export __emem __align64 uint8_t loop_buf[PART];
__export __emem __align64 uint8_t loop64_buf[PART];
__export __emem __align64 uint8_t sink_buf[SINK];
__export __emem __align64 uint8_t sink64_buf[SINK];
__export __emem __align64 uint8_t source_buf[SOURCE_PERIOD];
__export __emem __align8 struct source_req source_req;

void loop_main(void)
{
	unsigned int len;

	chan_attach();
	for (;;) {
		len = chan_recv(CHAN_ID_LOOP_IN, emem40(loop_buf), sizeof(loop_buf));
		chan_send(CHAN_ID_LOOP_OUT, emem40(loop_buf), len);
	}
}

void loop64_main(void)
{
	unsigned int len;

	chan_attach();
	for (;;) {
		len = chan_recv(CHAN_ID_LOOP64_IN, emem40(loop64_buf), sizeof(loop64_buf));
		chan_send(CHAN_ID_LOOP64_OUT, emem40(loop64_buf), len);
	}
}

/* Receive a stream of bytes, and check bytes that struct pit_stream announces (pit.h). */
void sink_main(void)
{
	struct pit_reader reader = { 0, 0, 0 };
	unsigned int len;

	chan_attach();
	do {
		len = chan_recv(CHAN_ID_SINK, emem40(sink_buf), sizeof(sink_buf));
	} while (pit_stream(&reader, emem40(sink_buf), len));
	chan_end(CHAN_ID_SINK);
}

/* Receive elements, and check those that are a struct pit_msg (pit.h). */
void sink64_main(void)
{
	struct pit_order order;
	unsigned int len, at;

	order.known = 0;
	chan_attach();
	for (;;) {
		len = chan_recv(CHAN_ID_SINK64, emem40(sink64_buf), sizeof(sink64_buf));
		for (at = 0; at < len; at += ELEM) {
			if (pit_whole(&order, emem40(sink64_buf + at), ELEM))
				continue;
			chan_end(CHAN_ID_SINK64);
			return;
		}
	}
}

static __swaps void fill(void)
{
	__xwrite __le32 word;
	uint32_t i;

	for (i = 0; i < SOURCE_PERIOD / 4; i++) {
		word = cpu_to_le32(i);
		mem_write32(&word, emem40(source_buf + 4 * i), sizeof(word));
	}
}

static int request_ok(const struct source_req *req)
{
	uint32_t chunk = le32_to_cpu(req->chunk), target = le32_to_cpu(req->target);
	uint32_t elem = target == SOURCE_64 ? 64 : 1;

	return target <= SOURCE_64 && chunk && chunk <= SOURCE_PERIOD &&
	       SOURCE_PERIOD % chunk == 0 && chunk % elem == 0 &&
	       le64_to_cpu(req->bytes) % elem == 0;
}

void source_main(void)
{
	__xread struct source_req in;
	struct source_req req;
	uint64_t left;
	uint32_t chunk, at, len;
	unsigned int chan;

	chan_attach();
	fill();
	for (;;) {
		chan_recv(CHAN_ID_SOURCE_CTL, emem40(&source_req), sizeof(source_req));
		mem_read8(&in, emem40(&source_req), sizeof(in));
		req = in;
		if (!request_ok(&req))
			continue;
		chunk = le32_to_cpu(req.chunk);
		chan = le32_to_cpu(req.target) == SOURCE_64 ? CHAN_ID_SOURCE64 : CHAN_ID_SOURCE;
		at = 0;
		for (left = le64_to_cpu(req.bytes); left; left -= len) {
			len = left < chunk ? (uint32_t)left : chunk;
			chan_send(chan, emem40(source_buf + at), len);
			at = (at + len) % SOURCE_PERIOD;
		}
	}
}
