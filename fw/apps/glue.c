// SPDX-License-Identifier: BSD-2-Clause
/*
 * glue.c - ME processes that drive devices of the host (glue.chan). Each message that comes is a
 * job for the device, and the result of each job is a message.
 *
 * The device has a ring of descriptors in host memory, a doorbell, and completions in the
 * descriptors (uapi/PROTOCOL.rst, Devices). It is unaware of the card. The device's notification
 * sets CHAN_SIG_HOST of the process. The control context sets the same signal when it gives or
 * takes a device.
 *
 * The device and the host may write to host memory at any time, so the process copies bytes to the
 * card once, and uses the copy. A wait for DMA always ends, so a device that has stopped delays
 * messages, but not the control context.
 */
#include <nfp/me.h>
#include <nfp/mem_bulk.h>
#include <nfp/pcie.h>
#include <nfp/remote_me.h>

#include "chan.h"
#include "chan_device.h"
#include "chan_dma.h"
#include "chan_mem.h"

#define MSG_MAX		2048	/* bytes, as in glue.chan; OUT_MAX as well */
#define OUT_MAX		4096

#define SIG_ALARM	1
#define SIG_DMA		2

/*
 * A notification may overtake the completion, because the two go to different destinations. One
 * notification may stand for several completions. So after each notification the process looks
 * for completions LOOKS more times, LOOK_CYCLES apart.
 */
#define LOOKS		4
#define LOOK_CYCLES	16000

/**
 * struct glue - state of a process
 * @dev: the device
 * @have: the count of chan_device_want that @dev belongs to
 * @taken: number of messages that were given to a device
 * @begun: number of jobs that were given to this device
 * @ended: number of jobs whose completion was seen
 * @got_len: bytes of the message that waits
 * @got: a message waits for a place in the device's ring
 * @receiving: a receive is outstanding
 * @sending: a send from glue_out is outstanding
 * @look: there may be completions
 * @looks: number of looks that are left
 * @alarmed: the alarm is set
 */
struct glue {
	struct chan_device dev;
	uint32_t have;
	uint32_t taken;
	uint32_t begun;
	uint32_t ended;
	uint32_t got_len;
	uint8_t got;
	uint8_t receiving;
	uint8_t sending;
	uint8_t look;
	uint8_t looks;
	uint8_t alarmed;
};

/* The messages of jobs, by the low bits of struct glue.taken, and their bytes */
__export __emem __align64 uint8_t glue_msg[CHAN_DEVICES][NFP_CHAN_FW_DEVICE_SLOTS_MAX][MSG_MAX];
__export __emem uint16_t glue_len[CHAN_DEVICES][NFP_CHAN_FW_DEVICE_SLOTS_MAX];
__export __emem __align64 uint8_t glue_out[CHAN_DEVICES][OUT_MAX];
__export __ctm __align64 uint8_t glue_desc[CHAN_DEVICES][NFP_CHAN_FW_DEVICE_DESC];
__export __ctm __align64 uint8_t glue_back[CHAN_DEVICES][64];
__export __ctm __le32 glue_one[CHAN_DEVICES];

static void put32(uint8_t *at, uint32_t v)
{
	at[0] = (uint8_t)v;
	at[1] = (uint8_t)(v >> 8);
	at[2] = (uint8_t)(v >> 16);
	at[3] = (uint8_t)(v >> 24);
}

static void put64(uint8_t *at, uint64_t v)
{
	put32(at, (uint32_t)v);
	put32(at + 4, (uint32_t)(v >> 32));
}

static __swaps uint32_t get32(const __mem40 uint8_t *at)
{
	__xread __le32 word;

	mem_read8(&word, at, sizeof(word));
	return le32_to_cpu(word);
}

/* Do DMA, and wait for its end. */
static __swaps void dma(int to_host, uint64_t host, __mem40 void *mem, uint32_t len)
{
	SIGNAL sig;

	__assign_relative_register(&sig, SIG_DMA);
	chan_dma_host(to_host, PCIE_DMA_CFG_DATA, host, mem, len, &sig);
	wait_for_all(&sig);
}

/* Return: the index of a job's message; @back counts from the last one. */
static unsigned int place(const struct glue *g, uint32_t back)
{
	return (g->taken - back) % NFP_CHAN_FW_DEVICE_SLOTS_MAX;
}

/* Make the next job's descriptor, in the card's memory. */
static __swaps void describe(const struct glue *g, uint32_t slot, uint32_t len)
{
	const struct chan_device *d = &g->dev;
	uint8_t desc[NFP_CHAN_FW_DEVICE_DESC];

	reg_cp(desc, d->req.desc, sizeof(desc));
	put64(desc + d->req.src_at, d->dev_in + slot * d->in_size);
	put64(desc + d->req.dst_at, d->dev_out + slot * d->out_size);
	put32(desc + d->req.len_at, len);
	put32(desc + d->req.room_at, d->out_size);
	chan_mem_write(desc, ctm40(glue_desc[ctx()]), sizeof(desc));
}

/*
 * Write the descriptor except for the completion, which belongs to the device, and wait for the
 * end. DMA that was enqueued before has then ended as well.
 */
static __swaps void write_desc(const struct glue *g, uint64_t at)
{
	uint32_t done_at = g->dev.req.done_at, tail = done_at + g->dev.req.done_len;

	if (tail == NFP_CHAN_FW_DEVICE_DESC) {
		dma(1, at, ctm40(glue_desc[ctx()]), done_at);
		return;
	}
	if (done_at)
		chan_dma_host(1, PCIE_DMA_CFG_DATA, at, ctm40(glue_desc[ctx()]), done_at, NULL);
	dma(1, at + tail, ctm40(glue_desc[ctx()] + tail), NFP_CHAN_FW_DEVICE_DESC - tail);
}

/*
 * Make a job of the message that waits. Input and descriptor go to memory, the doorbell to the
 * device, and PCIe keeps no order between two destinations. But a read does not pass the writes
 * before it. So the process reads the end of the descriptor before it rings the doorbell.
 */
static __swaps void begin(struct glue *g)
{
	uint32_t slot = g->begun & (g->dev.slots - 1u);
	uint64_t at = g->dev.descs + slot * NFP_CHAN_FW_DEVICE_DESC;
	unsigned int msg = place(g, 0);
	uint32_t len = 0;

	if (g->got_len > g->dev.skip)
		len = g->got_len - g->dev.skip;
	if (len)
		chan_dma_host(1, PCIE_DMA_CFG_DATA, g->dev.in + slot * g->dev.in_size,
			      emem40(glue_msg[ctx()][msg] + g->dev.skip), len, NULL);
	describe(g, slot, len);
	write_desc(g, at);
	dma(0, at + NFP_CHAN_FW_DEVICE_DESC - 8, ctm40(glue_back[ctx()]), 8);
	dma(1, g->dev.doorbell, ctm40(&glue_one[ctx()]), sizeof(glue_one[0]));
	glue_len[ctx()][msg] = (uint16_t)g->got_len;
	g->got = 0;
	g->taken++;
	g->begun++;
}

/*
 * Complete the message with the job's result: after the completion comes the output, or if the
 * job has failed, the message that was its input. Return: bytes after the completion.
 */
static __swaps uint32_t outcome(const struct glue *g, uint32_t slot)
{
	const struct chan_device *d = &g->dev;
	__mem40 uint8_t *out = emem40(glue_out[ctx()]);
	unsigned int msg = place(g, g->begun - g->ended);
	uint32_t len = get32(out + d->req.outlen_at);
	__xwrite uint32_t zero = 0;

	if (get32(out + d->req.status_at) == d->status_ok && len <= d->out_size) {
		if (len)
			dma(0, d->out + slot * d->out_size, out + d->req.done_len, len);
		return len;
	}
	/* The completion says that the device wrote beyond the slot. */
	if (len > d->out_size)
		mem_write8(&zero, out + d->req.outlen_at, sizeof(zero));
	len = glue_len[ctx()][msg];
	mem_copy(out + d->req.done_len, emem40(glue_msg[ctx()][msg]), len);
	return len;
}

/*
 * If the oldest job is done, send its result. The completion is read at once and is within a
 * cache line, so its last words are as new as its first.
 */
static __swaps void end(struct glue *g, SIGNAL *sent)
{
	uint32_t slot = g->ended & (g->dev.slots - 1u), len;
	__mem40 uint8_t *out = emem40(glue_out[ctx()]);

	dma(0, g->dev.descs + slot * NFP_CHAN_FW_DEVICE_DESC + g->dev.req.done_at, out,
	    g->dev.req.done_len);
	if (get32(out + g->dev.req.seq_at) != g->ended + 1) {
		g->look = 0;
		return;
	}
	len = outcome(g, slot);
	g->ended++;
	g->sending = 1;
	chan_send_post(chan_device_out[ctx()], out, g->dev.req.done_len + len, sent);
}

/*
 * The control context has given a device or taken it back. Jobs under way, and a message that
 * waits, are dropped with the device. A message that comes later waits for the next device.
 */
static __swaps void change(struct glue *g)
{
	const struct me_context *ctl = &me_contexts[PROC_CHAN_CTL];
	uint32_t want = *(volatile __emem uint32_t *)&chan_device_want[ctx()];
	uint32_t lost = g->begun - g->ended;

	if (want == g->have)
		return;
	chan_mem_read(&g->dev, emem40(&chan_device[ctx()]), sizeof(g->dev));
	if (!g->dev.doorbell && g->got) {
		g->got = 0;
		lost++;
	}
	g->begun = 0;
	g->ended = 0;
	g->look = 0;
	g->looks = 0;
	g->have = want;
	*(volatile __emem uint32_t *)&chan_device_lost[ctx()] = lost;
	*(volatile __emem uint32_t *)&chan_device_have[ctx()] = want;
	signal_me(ctl->island, ctl->me, ctl->ctx, CHAN_DEVICE_SIG);
}

/* Do one step that is possible now. Return: whether there was one. */
static __swaps int step(struct glue *g, SIGNAL *received, SIGNAL *sent)
{
	uint32_t jobs = g->begun - g->ended;

	if (!g->dev.doorbell)
		return 0;
	if (g->look && jobs && !g->sending) {
		end(g, sent);
		return 1;
	}
	if (jobs == g->dev.slots)
		return 0;
	if (g->got) {
		begin(g);
		return 1;
	}
	if (!g->receiving) {
		g->receiving = 1;
		chan_recv_post(chan_device_in[ctx()], emem40(glue_msg[ctx()][place(g, 0)]),
			       MSG_MAX, received);
		return 1;
	}
	return 0;
}

/* Handle the signals that have come. */
static __swaps void hear(struct glue *g, SIGNAL *received, SIGNAL *sent, SIGNAL *host,
			 SIGNAL *alarm)
{
	if (signal_test(sent))
		g->sending = 0;
	if (signal_test(received)) {
		g->receiving = 0;
		g->got = 1;
		g->got_len = chan_recv_len();
	}
	if (signal_test(alarm)) {
		g->alarmed = 0;
		g->look = 1;
	}
	if (signal_test(host)) {
		g->look = 1;
		g->looks = LOOKS;
		change(g);
	}
}

void glue_main(void)
{
	SIGNAL received, sent, host, alarm;
	struct glue g;

	lmem_zero(&g, sizeof(g));
	glue_one[ctx()] = cpu_to_le32(1);
	__assign_relative_register(&received, CHAN_SIG_RECV);
	__assign_relative_register(&sent, CHAN_SIG_SEND);
	__assign_relative_register(&alarm, SIG_ALARM);
	chan_signal_bind(&host);
	chan_attach();
	for (;;) {
		do
			hear(&g, &received, &sent, &host, &alarm);
		while (step(&g, &received, &sent));
		if (g.looks && !g.alarmed && g.begun != g.ended) {
			g.looks--;
			g.alarmed = 1;
			set_alarm(LOOK_CYCLES, &alarm);
		}
		wait_for_any(&received, &sent, &host, &alarm);
	}
}
