// SPDX-License-Identifier: BSD-2-Clause
/*
 * chan_device.c - the request DEVICE: an ME process drives a device of the host that has a
 * descriptor queue (uapi/PROTOCOL.rst). The control context gives the device to the process and
 * takes it back. The process is fw/apps/glue.c.
 */
#include <nfp/me.h>
#include <nfp/mem_bulk.h>
#include <nfp/remote_me.h>

#include "chan_device.h"
#include "chan_int.h"

ctassert(CHAN_DEVICE_SIG == SIG_WAKE);

__export __emem __align8 struct chan_device chan_device[CHAN_DEVICES];
__export __emem uint32_t chan_device_want[CHAN_DEVICES];
__export __emem uint32_t chan_device_have[CHAN_DEVICES];
__export __emem uint32_t chan_device_lost[CHAN_DEVICES];

/* Return: the number of the process that takes jobs from @chan, or CHAN_DEVICES. */
static unsigned int driver(unsigned int chan)
{
	unsigned int i;

	for (i = 0; i < CHAN_DEVICES && chan_device_in[i] != chan; i++)
		;
	return i;
}

/*
 * Mark bytes [@at, @at + @len) of a descriptor as used. Return: 0 if they are used already, or are
 * not aligned, or beyond the descriptor.
 */
static int use(uint32_t *used, unsigned int at, unsigned int len)
{
	uint32_t words;

	if (at % 4 || at + len > NFP_CHAN_FW_DEVICE_DESC)
		return 0;
	words = ((1u << len / 4) - 1) << at / 4;
	if (*used & words)
		return 0;
	*used |= words;
	return 1;
}

static int desc_ok(const struct nfp_chan_fw_device *r)
{
	uint32_t used = 0;

	if (r->done_len % 4 || !r->done_len || !use(&used, r->done_at, r->done_len))
		return 0;
	return use(&used, r->src_at, 8) && use(&used, r->dst_at, 8) &&
	       use(&used, r->len_at, 4) && use(&used, r->room_at, 4);
}

static int word_ok(unsigned int at, unsigned int len)
{
	return !(at % 4) && at + 4 <= len;
}

static int done_ok(const struct nfp_chan_fw_device *r)
{
	return word_ok(r->status_at, r->done_len) && word_ok(r->seq_at, r->done_len) &&
	       word_ok(r->outlen_at, r->done_len);
}

/* Does each message of the channel fit into a slot, and each result into a message? */
static int sizes_ok(const struct nfp_chan_fw_device *r, unsigned int i)
{
	const struct chan_desc *in = &chan_desc[chan_device_in[i]], *out = &chan_desc[chan_device_out[i]];
	uint32_t slots = le16_to_cpu(r->slots), skip = le16_to_cpu(r->skip);
	uint32_t in_size = le16_to_cpu(r->in_size), out_size = le16_to_cpu(r->out_size);

	if (!slots || slots > NFP_CHAN_FW_DEVICE_SLOTS_MAX || slots & (slots - 1))
		return 0;
	if (in_size % 8 || out_size % 8 || !out_size || skip > in->max_size)
		return 0;
	if (in_size + skip < in->max_size || r->done_len + out_size > out->max_size ||
	    r->done_len + in->max_size > out->max_size)
		return 0;
	return slots * (NFP_CHAN_FW_DEVICE_DESC + in_size + out_size) <= le32_to_cpu(r->mem_size);
}

static int addrs_ok(const struct nfp_chan_fw_device *r)
{
	return chan_addr_ok(le64_to_cpu(r->mem_addr), le32_to_cpu(r->mem_size),
			    NFP_CHAN_FW_DEVICE_DESC) &&
	       chan_addr_ok(le64_to_cpu(r->doorbell_addr), 4, 4);
}

static int device_ok(const struct nfp_chan_fw_device *r, unsigned int i)
{
	return desc_ok(r) && done_ok(r) && sizes_ok(r, i) && addrs_ok(r) &&
	       !(r->rsvd[0] | r->rsvd[1] | r->rsvd[2]) && !r->rsvd1;
}

/* Are all fields 0, except for number, command and pipe? */
static int is_empty(const struct nfp_chan_fw_device *r)
{
	const uint8_t *b = (const uint8_t *)r;
	unsigned int i;

	for (i = offsetof(struct nfp_chan_fw_device, mem_addr); i < sizeof(*r); i++)
		if (b[i])
			return 0;
	return 1;
}

/* Compute the other fields from @d->req. */
static void fill(struct chan_device *d)
{
	const struct nfp_chan_fw_device *r = &d->req;
	uint32_t slots = le16_to_cpu(r->slots), in_size = le16_to_cpu(r->in_size);
	uint32_t to_in = slots * NFP_CHAN_FW_DEVICE_DESC, to_out = to_in + slots * in_size;

	d->doorbell = le64_to_cpu(r->doorbell_addr);
	d->descs = le64_to_cpu(r->mem_addr);
	d->in = d->descs + to_in;
	d->out = d->descs + to_out;
	d->dev_in = le64_to_cpu(r->dev_addr) + to_in;
	d->dev_out = le64_to_cpu(r->dev_addr) + to_out;
	d->status_ok = le32_to_cpu(r->status_ok);
	d->in_size = (uint16_t)in_size;
	d->out_size = le16_to_cpu(r->out_size);
	d->skip = le16_to_cpu(r->skip);
	d->slots = (uint16_t)slots;
}

/* Give @d to the process, and wait until it has taken over. The process waits for hardware only. */
static __swaps void hand_over(unsigned int i, const struct chan_device *d)
{
	uint32_t lost, want = chan_device_want[i] + 1;
	SIGNAL wake;

	chan_mem_write(d, emem40(&chan_device[i]), sizeof(*d));
	*(volatile __emem uint32_t *)&chan_device_want[i] = want;
	chan_signal(chan_device_in[i], CHAN_SIG_HOST);
	__assign_relative_register(&wake, SIG_WAKE);
	while (*(volatile __emem uint32_t *)&chan_device_have[i] != want)
		wait_for_all(&wake);
	lost = chan_device_lost[i];
	if (lost)
		chan_count_dropped(chan_device_out[i], lost);
}

static __swaps void detach(unsigned int i)
{
	struct chan_device d;

	lmem_zero(&d, sizeof(d));
	hand_over(i, &d);
}

/* The request DEVICE in the mailbox. */
int chan_device_request(void)
{
	struct chan_device d;
	unsigned int pipe, i;

	chan_request_read(&d.req, sizeof(d.req));
	pipe = le16_to_cpu(d.req.pipe);
	if (pipe >= CHAN_PIPES)
		return NFP_CHAN_FW_EINVAL;
	if (chan_pipe[pipe].state == PIPE_FREE)
		return NFP_CHAN_FW_ENOENT;
	i = driver(chan_pipe[pipe].chan);
	if (i == CHAN_DEVICES)
		return NFP_CHAN_FW_ENOENT;
	if (!d.req.doorbell_addr) {
		if (!is_empty(&d.req))
			return NFP_CHAN_FW_EINVAL;
		detach(i);
		return NFP_CHAN_FW_OK;
	}
	if (!device_ok(&d.req, i))
		return NFP_CHAN_FW_EINVAL;
	if (chan_device[i].doorbell)
		return NFP_CHAN_FW_EBUSY;
	fill(&d);
	hand_over(i, &d);
	return NFP_CHAN_FW_OK;
}

/*
 * @pipe is closed, and none of its messages is under way to a process. Take the device back, and
 * drop the message that waits for it, so that the next owner of the channel begins without.
 */
void chan_device_close(unsigned int pipe)
{
	unsigned int i = driver(chan_pipe[pipe].chan);

	if (i < CHAN_DEVICES)
		detach(i);
}
