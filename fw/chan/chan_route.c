// SPDX-License-Identifier: BSD-2-Clause
/*
 * chan_route.c - rules of links: the messages that a link takes, and the header that it puts
 * before each message.
 *
 * If a channel has links with a rule, a context looks for the route of a message once, when the
 * message is the next of the channel. For that it reads the message in the sender's memory.
 * After LINK and UNLINK the route is looked for again.
 */
#include <nfp/me.h>
#include <nfp/mem_atomic.h>
#include <nfp/mem_bulk.h>
#include <nfp/remote_me.h>

#include "chan_int.h"

/**
 * struct chan_rule - the rule of a link
 * @most: bytes of the largest message that the other end takes, with the header
 * @off: offset in the message of the bytes that are compared
 * @len: number of bytes that are compared; 0: the link takes all messages
 * @hdr_len: bytes of the header, which is in chan_rule_hdr
 * @state_off: offset in the header of the state, which is in chan_link_state
 * @state_len: bytes of the state; 0: there is no state
 * @mask: bits that are compared
 * @value: the value that these bits must have
 * @state_step: each message adds this to the state
 * @exact: the other end takes only messages of @most bytes
 */
struct chan_rule {
	uint32_t most;
	uint32_t off;
	uint8_t len;
	uint8_t hdr_len;
	uint8_t state_off;
	uint8_t state_len;
	uint8_t mask[NFP_CHAN_FW_LINK_MATCH_MAX];
	uint8_t value[NFP_CHAN_FW_LINK_MATCH_MAX];
	uint32_t state_step;
	uint8_t exact;
	uint8_t rsvd[3];
};

__export __emem __align8 struct chan_rule chan_rule[CHAN_PIPES];

/* Of each pipe to the host that a link joins: the header that the link puts before each message */
__export __emem __align8 uint8_t chan_rule_hdr[CHAN_PIPES][NFP_CHAN_FW_LINK_HDR_MAX];

/* The state that the next message of a link gets, in the ME's byte order. */
__export __emem uint64_t chan_link_state[CHAN_PIPES];

/* Counts changes of the rules: a context that looked during a change ignores its result. */
static __shared __lmem uint8_t rules;

static int zeros(const uint8_t *b, unsigned int from, unsigned int to)
{
	for (; from < to; from++)
		if (b[from])
			return 0;
	return 1;
}

/*
 * Do the messages or elements of @from fit into those of @to, with @hdr bytes of header? If the
 * link takes only messages that match (@some), it takes only messages that fit.
 */
static int sizes_check(const struct chan_desc *from, const struct chan_desc *to, uint32_t hdr,
		       int some)
{
	if (from->kind != to->kind)
		return NFP_CHAN_FW_EKIND;
	if (some && hdr <= to->max_size)
		return NFP_CHAN_FW_OK;
	if (from->max_size + hdr > to->max_size)
		return NFP_CHAN_FW_ESIZE;
	if (to->elem_size && from->elem_size + hdr != to->elem_size)
		return NFP_CHAN_FW_ESIZE;
	return NFP_CHAN_FW_OK;
}

/* No message can match a value with bits that are not in the mask. */
static int match_ok(const struct nfp_chan_fw_link *req, const struct chan_desc *from)
{
	uint32_t off = le32_to_cpu(req->match_off);
	unsigned int i, len = req->match_len;

	if (len > NFP_CHAN_FW_LINK_MATCH_MAX || !zeros(req->match_mask, len, sizeof(req->match_mask)))
		return 0;
	for (i = 0; i < sizeof(req->match_value); i++)
		if (req->match_value[i] & ~req->match_mask[i])
			return 0;
	return len ? off < from->max_size && len <= from->max_size - off : !off;
}

static int state_ok(const struct nfp_chan_fw_link *req)
{
	unsigned int off = req->state_off, len = req->state_len;

	if (!len)
		return !off && !req->state_step;
	return (len == 4 || len == 8) && off % 4 == 0 && off + len <= req->hdr_len && req->state_step;
}

/* Check the rule of a LINK. */
int chan_route_rule_ok(const struct nfp_chan_fw_link *req, unsigned int from)
{
	const struct chan_desc *d = &chan_desc[chan_pipe[from].chan];

	if (req->hdr_len > NFP_CHAN_FW_LINK_HDR_MAX || req->hdr_len % 4 ||
	    !zeros(req->hdr, req->hdr_len, sizeof(req->hdr)) || !state_ok(req) || !match_ok(req, d))
		return 0;
	return d->kind == NFP_CHAN_MESSAGE || (!req->match_len && !req->hdr_len);
}

/* Check a LINK whose pipes may be linked. @to may be NFP_CHAN_FW_LINK_DROP. */
int chan_route_check(const struct nfp_chan_fw_link *req, unsigned int from, unsigned int to)
{
	const struct chan_desc *d = &chan_desc[chan_pipe[from].chan];

	if (req->ring_addr || req->doorbell_addr || req->limit || req->peer_arg || req->ring_shift ||
	    req->peer_flags || !chan_route_rule_ok(req, from))
		return NFP_CHAN_FW_EINVAL;
	if (to == NFP_CHAN_FW_LINK_DROP)
		return req->hdr_len ? NFP_CHAN_FW_EINVAL : NFP_CHAN_FW_OK;
	return sizes_check(d, &chan_desc[chan_pipe[to].chan], req->hdr_len,
			   req->match_len);
}

/* The rules have changed: forget the routes of messages that wait. */
static void forget(unsigned int chan)
{
	const struct chan_state *c = &chan_state[chan];
	unsigned int proc;

	rules++;
	for (proc = c->head; proc != CHAN_NONE; proc = chan_slot[proc].next)
		chan_slot[proc].route = c->matches ? ROUTE_NEW : CHAN_NONE;
}

static uint64_t state_get(const uint8_t *from, unsigned int len)
{
	uint64_t state = 0;

	while (len--)
		state = state << 8 | from[len];
	return state;
}

static void state_put(uint8_t *to, unsigned int len, uint64_t state)
{
	unsigned int i;

	for (i = 0; i < len; i++, state >>= 8)
		to[i] = (uint8_t)state;
}

/* Set the sizes that the other end of the link of @pipe takes. */
static void receiver(const struct nfp_chan_fw_link *req, unsigned int pipe, struct chan_rule *r)
{
	unsigned int to = chan_pipe[pipe].link;
	const struct chan_desc *d;

	if (to == LINK_DROP) {
		r->most = ~0u;
	} else if (to == LINK_PEER) {
		r->most = le32_to_cpu(req->peer_arg);
		r->exact = !!(req->peer_flags & NFP_CHAN_FW_PEER_EXACT);
	} else {
		d = &chan_desc[chan_pipe[to].chan];
		r->most = d->max_size;
		r->exact = !!d->elem_size;
	}
}

void chan_route_add(const struct nfp_chan_fw_link *req, unsigned int pipe)
{
	unsigned int chan = chan_pipe[pipe].chan;
	__xwrite struct chan_rule out;
	__xwrite uint64_t state;
	struct chan_rule r;

	state = state_get(req->hdr + req->state_off, req->state_len);
	mem_write64(&state, emem40(&chan_link_state[pipe]), sizeof(state));
	reg_zero(&r, sizeof(r));
	receiver(req, pipe, &r);
	r.off = le32_to_cpu(req->match_off);
	r.len = req->match_len;
	r.hdr_len = req->hdr_len;
	reg_cp(r.mask, req->match_mask, sizeof(r.mask));
	reg_cp(r.value, req->match_value, sizeof(r.value));
	r.state_off = req->state_off;
	r.state_len = req->state_len;
	r.state_step = le32_to_cpu(req->state_step);
	chan_mem_write(req->hdr, emem40(chan_rule_hdr[pipe]), sizeof(req->hdr));
	out = r;
	mem_write32(&out, emem40(&chan_rule[pipe]), sizeof(out));
	if (!r.len)
		return;
	chan_matched |= 1u << pipe;
	chan_state[chan].matches++;
	forget(chan);
}

/* The link of @pipe ends: remove its rule. */
void chan_route_drop(unsigned int pipe)
{
	if (!(chan_matched & 1u << pipe))
		return;
	chan_matched &= ~(1u << pipe);
	chan_state[chan_pipe[pipe].chan].matches--;
	forget(chan_pipe[pipe].chan);
}

/* Read bytes [@off, @off + @len) of the message of @work. */
static __swaps void peek(const struct chan_work *work, uint32_t off, uint8_t *to, uint32_t len)
{
	uint64_t addr = (uint64_t)work->addr_hi << 32 | work->addr_lo;
	const struct me_context *me = &me_contexts[work->proc];
	__xread uint32_t body[CHAN_REG_MAX / 4];
	uint32_t words[CHAN_REG_MAX / 4];
	uint32_t i;
	SIGNAL sig;

	if (!work->regs) {
		chan_mem_read(to, (__mem40 uint8_t *)mem40_ptr(addr) + off, len);
		return;
	}
	__assign_relative_register(&sig, SIG_REFLECT);
	reflect_read_sig_init(body, me->island, me->me, XFER_REG(me->ctx, CHAN_XREG_BODY),
			      (work->len + 3) & ~3u, &sig);
	wait_for_all(&sig);
	reg_cp_in(words, body, sizeof(words));
	for (i = 0; i < len; i++)
		to[i] = ((const uint8_t *)words)[off + i];
}

/* Does the other end take a message of @len bytes, header included? */
static int fits(const struct chan_rule *r, uint32_t len)
{
	return r->exact ? len == r->most : len <= r->most;
}

static __swaps int takes(unsigned int pipe, const struct chan_work *work)
{
	uint8_t bytes[NFP_CHAN_FW_LINK_MATCH_MAX];
	__xread struct chan_rule in;
	struct chan_rule r;
	unsigned int i;

	mem_read32(&in, emem40(&chan_rule[pipe]), sizeof(in));
	r = in;
	if (r.off + r.len > work->len || !fits(&r, r.hdr_len + work->len))
		return 0;
	peek(work, r.off, bytes, r.len);
	for (i = 0; i < r.len; i++)
		if ((bytes[i] & r.mask[i]) != r.value[i])
			return 0;
	return 1;
}

/*
 * Look for the link that takes the message of @proc, the next message of @chan. If several links
 * take it, the link of the pipe with the lowest number does. During the reads other contexts
 * may look as well, or send the message, so the result counts only if nothing has changed.
 */
void chan_route_find(unsigned int chan, unsigned int proc)
{
	uint32_t pipes = chan_state[chan].pipes & chan_matched;
	struct chan_slot *s = &chan_slot[proc];
	uint32_t ticket = s->ticket;
	uint8_t before = rules;
	__xread struct chan_work in;
	struct chan_work work;

	mem_read8(&in, emem40(&chan_parked[proc]), sizeof(in));
	work = in;
	while (pipes && !takes(ffs(pipes), &work))
		pipes &= pipes - 1;
	if (rules == before && s->ticket == ticket && s->route == ROUTE_NEW)
		s->route = pipes ? (uint8_t)ffs(pipes) : CHAN_NONE;
}

/* Write the header of the link of @pipe to @buf. Return: bytes of the header. */
uint32_t chan_route_header(unsigned int pipe, __mem40 uint8_t *buf)
{
	__xrw uint64_t state;
	uint8_t bytes[8];
	__xread struct chan_rule r;

	mem_read32(&r, emem40(&chan_rule[pipe]), sizeof(r));
	if (r.hdr_len)
		mem_copy(buf, emem40(chan_rule_hdr[pipe]), r.hdr_len);
	if (r.state_len) {
		state = r.state_step;
		mem_test_add64(&state, emem40(&chan_link_state[pipe]));
		state_put(bytes, r.state_len, state);
		chan_mem_write(bytes, buf + r.state_off, r.state_len);
	}
	return r.hdr_len;
}
