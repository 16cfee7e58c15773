// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * serve_answer.c - check and execute a request to ncl serve.
 *
 * A datagram that is no request gets no answer. Each other one gets an answer with the result or with
 * an errno and a text. A host has one request at a time; the server keeps its answer, and sends it again
 * if the request comes again.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "serve.h"

#define CTRL_HDR	sizeof(struct ncp_ctrl)

static const struct ncp_ctrl *ctrl_of(const struct frame *f)
{
	return (const struct ncp_ctrl *)f->data;
}

/* ---- the fields ---- */

/* Is the name ended and filled by zeros? */
static bool is_name(const char *name, size_t size)
{
	size_t len = strnlen(name, size);

	return len && len < size && !name[len] && !memcmp(name + len, name + len + 1, size - len - 1);
}

static bool is_request(const struct serve *s, const struct served *p, const struct frame *f, size_t len)
{
	const struct ncp_hdr *h = &f->hdr;
	const struct ncp_ctrl *c = ctrl_of(f);

	if (len < HDR + CTRL_HDR || len > HDR + NCP_DATA_MAX || le16toh(h->size) != len - HDR ||
	    le16toh(h->magic) != NCP_MAGIC || h->version != NCP_VERSION ||
	    (h->flags & ~NCP_AGAIN) != NCP_CTRL || h->kernel || h->len || h->invocation || h->origin ||
	    h->pad || !h->seq || le16toh(h->to) != p->node->id)
		return false;
	if (!and_node(s->net, le16toh(h->from)) || c->what > NCP_CTRL_DELETE || c->error || !c->session ||
	    c->session == UINT64_MAX || c->pad[0] || c->pad[1] || c->pad[2])
		return false;
	return is_name(c->variable, sizeof(c->variable));
}

/* ---- answers ---- */

/*
 * Make the answer to @f: @err is 0 or a negative errno whose text is that of rt_fail(). After success
 * the caller has put @bytes of values behind the struct ncp_ctrl.
 */
static void finish(struct frame *a, const struct frame *f, int err, size_t bytes)
{
	struct ncp_ctrl *c = (struct ncp_ctrl *)a->data;

	a->hdr = f->hdr;
	a->hdr.flags = NCP_CTRL | NCP_ANSWER;
	a->hdr.from = f->hdr.to;
	a->hdr.to = f->hdr.from;
	*c = *ctrl_of(f);
	c->error = htole32((uint32_t)-err);
	if (err) {
		bytes = strnlen(ncrt_last_error(), NCP_CTRL_TEXT);
		memcpy(a->data + CTRL_HDR, ncrt_last_error(), bytes);
	}
	a->hdr.size = htole16((uint16_t)(CTRL_HDR + bytes));
}

/* An answer that is not kept: the request may come from someone else than the host. */
static const struct frame *deny(const struct frame *f, int err)
{
	static struct frame answer;

	finish(&answer, f, err, 0);
	return &answer;
}

/* ---- access ---- */

static int access_of(const struct serve *s, const struct served *p, uint16_t from, uint32_t ip)
{
	const struct and_node *n = and_node(s->net, from);
	char text[INET_ADDRSTRLEN];

	if (n->ip != ip)
		return rt_fail(-EACCES, "%s is not the address of %s in the AND file %s of `ncl serve` at %s",
			       inet_ntop(AF_INET, &ip, text, sizeof(text)), n->label, s->and,
			       p->node->label);
	if (!s->allowed[from])
		return rt_fail(-EACCES, "%s has no access to variables of %s: `ncl serve` there does not name it (--allow)",
			       n->label, p->node->label);
	return 0;
}

/* The program may have been deployed again since its description was read. */
static int check_program(struct serve *s, const struct served *p, uint16_t hash)
{
	if (hash != s->desc->hash)
		serve_read(s);
	return hash == s->desc->hash ? 0 :
	       rt_fail(-ENODEV, "%s of %s: program %04x is served, the host has %04x: compile and deploy again",
		       s->program, p->node->label, s->desc->hash, hash);
}

/* ---- the operation ---- */

static int bad_size(const struct desc_var *v, const struct ncp_ctrl *c, size_t bytes)
{
	return rt_fail(-EINVAL, "%s of %s: a request with %u elements of %u bytes, keys of %u, and %zu bytes of data",
		       v->name, v->place, le32toh(c->count), le16toh(c->size), le16toh(c->key_size), bytes);
}

/*
 * Fill in @op from the request, whose data has @bytes. @to is where values that are read go; @values:
 * out: their size.
 */
static int plan(const struct desc_var *v, const struct frame *f, size_t bytes, void *to,
		struct var_op *op, size_t *values)
{
	const struct ncp_ctrl *c = ctrl_of(f);
	const uint8_t *data = f->data + CTRL_HDR;
	size_t size = le16toh(c->size), key = le16toh(c->key_size), want;
	bool hash = v->layout == DESC_HASH;

	*op = (struct var_op){ .what = c->what, .index = le64toh(c->index), .count = le32toh(c->count),
			       .size = size, .key = data, .from = data + key, .to = to };
	if (var_check(v, op))
		return -EINVAL;
	if (hash ? key != v->key_size || size != v->value_size || op->count || op->index :
		   key || op->count > NCP_CTRL_DATA / size)
		return bad_size(v, c, bytes);
	*values = hash ? size : op->count * size;
	want = key + (op->what == VAR_WR || op->what == MAP_PUT ? *values : 0);
	if (var_writes(op))
		*values = 0;
	return bytes != want || *values > NCP_CTRL_DATA ? bad_size(v, c, bytes) : 0;
}

static int execute(struct serve *s, struct served *p, const struct frame *f, struct frame *a,
		   size_t *values)
{
	const char *name = ctrl_of(f)->variable, *place = p->node->label;
	const struct desc_var *v = desc_var(s->desc, name, place);
	struct var_op op;
	int ret;

	if (!v)
		return rt_fail(-ENOENT, "%s is no variable of %s at %s", name, s->program, place);
	if (!v->ctrl && v->kind == DESC_ARRAY) {
		p->counts.refused++;
		return rt_fail(-EACCES, "%s of %s is not _ctrl_, so only hosts on the machine of %s have access",
			       name, place, place);
	}
	ret = plan(v, f, le16toh(f->hdr.size) - CTRL_HDR, a->data + CTRL_HDR, &op, values);
	if (!ret)
		ret = var_local(s->desc, v, &op);
	if (!ret)
		return rt_fail(-ENODEV, "%s is no longer deployed at %s", s->program, place);
	return ret < 0 ? ret : 0;
}

/* ---- requests of a host ---- */

static const struct frame *serve_client(struct serve *s, struct served *p, struct client *cl,
					const struct frame *f)
{
	uint64_t session = le64toh(ctrl_of(f)->session), refused = p->counts.refused;
	uint32_t seq = le32toh(f->hdr.seq);
	size_t values = 0;
	int err;

	if (session == cl->session && seq <= cl->seq) {
		p->counts.again++;
		return seq == cl->seq ? &cl->answer : NULL;
	}
	cl->session = session;
	cl->seq = seq;
	err = execute(s, p, f, &cl->answer, &values);
	finish(&cl->answer, f, err, values);
	if (!err)
		p->counts.done++;
	else if (refused == p->counts.refused)
		p->counts.failed++;
	return &cl->answer;
}

/* The host's clock was set back, or the request is of a session that has ended. */
static const struct frame *outdated(struct served *p, const struct client *cl, const struct frame *f)
{
	struct frame *a;

	p->counts.failed++;
	a = (struct frame *)deny(f, rt_fail(-ESTALE, "%s: a later session of this host has sent a request",
					    p->node->label));
	((struct ncp_ctrl *)a->data)->index = htole64(cl->session);
	return a;
}

const struct frame *serve_answer(struct serve *s, struct served *p, const struct frame *f, size_t len,
				 uint32_t ip)
{
	uint16_t from = le16toh(f->hdr.from);
	struct client **cl;
	int err;

	if (!is_request(s, p, f, len)) {
		p->counts.malformed++;
		return NULL;
	}
	err = access_of(s, p, from, ip);
	if (err) {
		p->counts.refused++;
		return deny(f, err);
	}
	err = check_program(s, p, le16toh(f->hdr.program));
	cl = &p->client[from];
	if (!err && !*cl)
		*cl = calloc(1, sizeof(**cl));
	if (!err && !*cl)
		err = rt_fail(-ENOMEM, "%s: no memory", p->node->label);
	if (err) {
		p->counts.failed++;
		return deny(f, err);
	}
	if (le64toh(ctrl_of(f)->session) < (*cl)->session)
		return outdated(p, *cl, f);
	return serve_client(s, p, *cl, f);
}
