// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session.c - open and close a session, and query its properties. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "opts.h"
#include "rt.h"

#define QUEUE	4096
#define CTRL_MS	10000
#define TEXT	200

static int read_program(struct ncrt *nc, const struct ncrt_opts *o)
{
	const char *path = o->description ? o->description : getenv("NCL_PROGRAM");
	const struct ncl_program *p = o->program;
	char text[TEXT];
	int err;

	if (p && p->abi != NCL_PROGRAM_ABI)
		return rt_fail(-EPROTO, "%s: table of version %u, this library reads %u: compile again with its nclc",
			    p->name, p->abi, NCL_PROGRAM_ABI);
	if (!p && !path)
		return rt_fail(-EINVAL, "no program: name a description, or set NCL_PROGRAM");
	err = p ? desc_parse(p->name, p->description, &nc->desc, text, sizeof(text)) :
		  desc_read(path, &nc->desc, text, sizeof(text));
	nc->prog = p;
	return err ? rt_fail(err, "%s", text) : 0;
}

/* Windows carry node numbers, so the program and the AND file must agree on them. */
static int check_nodes(const struct ncrt *nc)
{
	const struct desc_node *d;
	const struct and_node *n;
	unsigned int i;

	if (nc->desc->nodes != nc->net->nr)
		return rt_fail(-EPROTO, "the AND file has %u nodes, %s was compiled with %u", nc->net->nr,
			    nc->desc->name, nc->desc->nodes);
	for (i = 0; i < nc->net->nr; i++) {
		n = &nc->net->node[i];
		d = &nc->desc->node[i];
		if (strcmp(n->label, d->label) || n->device != d->device)
			return rt_fail(-EPROTO, "node %u is %s %s in the AND file, %s was compiled with %s %s",
				    n->id, n->device ? "device" : "host", n->label, nc->desc->name,
				    d->device ? "device" : "host", d->label);
	}
	return 0;
}

static int open_lanes(struct ncrt *nc)
{
	const struct desc_kernel *k;
	unsigned int i, last = 0;

	for (i = 0; i < nc->desc->kernels; i++) {
		k = &nc->desc->kernel[i];
		if (!k->in && k->id > last)
			last = k->id;
	}
	nc->lane = calloc(last + 1, sizeof(*nc->lane));
	if (!nc->lane)
		return rt_fail(-ENOMEM, "no memory for %u kernels", last);
	nc->lanes = last + 1;
	for (i = 0; i < nc->lanes; i++)
		nc->lane[i].tail = &nc->lane[i].head;
	for (i = 0; i < nc->desc->kernels; i++)
		if (!nc->desc->kernel[i].in)
			nc->lane[nc->desc->kernel[i].id].k = &nc->desc->kernel[i];
	return 0;
}

/*
 * Choose the first invocation number. The clock gives a restarted host a number that it has not
 * used.
 */
static int first_number(struct ncrt *nc, uint32_t first)
{
	const char *env = getenv("NCL_FIRST");
	struct timespec ts;
	char *end;

	if (!first && env && *env) {
		first = (uint32_t)strtoull(env, &end, 0);
		if (*end)
			return rt_fail(-EINVAL, "NCL_FIRST is '%s', which is no number", env);
	}
	if (!first) {
		clock_gettime(CLOCK_REALTIME, &ts);
		first = (uint32_t)(((uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec) >> 12);
	}
	nc->first = first;
	nc->next = first;
	return 0;
}

static int open_all(struct ncrt *nc, const struct ncrt_opts *o)
{
	int err;

	if (o->flags & ~(uint32_t)NCRT_INTR)
		return rt_fail(-EINVAL, "flags 0x%x of a struct ncrt_opts", o->flags);
	nc->flags = o->flags;
	nc->queue = o->queue ? o->queue : QUEUE;
	nc->remote_ms = o->ctrl_timeout_ms ? o->ctrl_timeout_ms : CTRL_MS;
	err = first_number(nc, o->first);
	if (!err)
		err = read_program(nc, o);
	if (!err)
		err = open_lanes(nc);
	if (!err)
		err = net_open(nc, o);
	return err ? err : check_nodes(nc);
}

int session_opts(struct ncrt_opts *to, const struct ncrt_opts *from)
{
	int err = from ? opts_copy(to, sizeof(*to), from, from->size) : 0;

	if (!from)
		memset(to, 0, sizeof(*to));
	to->size = sizeof(*to);
	return err ? rt_fail(err, "struct ncrt_opts: " OPTS_TEXT, from->size, sizeof(*to)) : 0;
}

static int open_session(struct ncrt **out, const struct ncrt_opts *opts)
{
	struct ncrt_opts o;
	struct ncrt *nc;
	int err;

	err = session_opts(&o, opts);
	if (err)
		return err;
	nc = calloc(1, sizeof(*nc));
	if (!nc)
		return rt_fail(-ENOMEM, "no memory for a session");
	nc->poll = -1;
	nc->wake[SENDER] = -1;
	nc->wake[RECEIVER] = -1;
	pthread_mutex_init(&nc->lock, NULL);
	pthread_mutex_init(&nc->remote, NULL);
	nc->remote_sock = -1;
	err = open_all(nc, &o);
	if (err)
		ncrt_close(nc);
	else
		*out = nc;
	return err;
}

int ncrt_open(struct ncrt **nc, const struct ncrt_opts *opts, char *err, size_t errlen)
{
	int saved = errno, ret = open_session(nc, opts);

	if (ret && err)
		snprintf(err, errlen, "%s", ncrt_last_error());
	errno = saved;
	return ret;
}

void ncrt_close(struct ncrt *nc)
{
	if (!nc)
		return;
	recv_free(nc);
	remote_close(nc);
	net_close(nc);
	free(nc->lane);
	desc_free(nc->desc);
	pthread_mutex_destroy(&nc->remote);
	pthread_mutex_destroy(&nc->lock);
	free(nc);
}

/* ---- properties ---- */

int ncrt_node(struct ncrt *nc, const char *label)
{
	const struct and_node *n;

	if (!label)
		return nc->self;
	n = and_find(nc->net, label);
	return n ? (int)n->id : rt_fail(-ENOENT, "the AND file has no node %s", label);
}

const char *ncrt_label(struct ncrt *nc, unsigned int node)
{
	const struct and_node *n = and_node(nc->net, node);

	return n ? n->label : NULL;
}

int ncrt_fd(struct ncrt *nc)
{
	return nc->poll;
}

void ncrt_stats(struct ncrt *nc, struct ncrt_stats *s, size_t size)
{
	size_t known = size < sizeof(*s) ? size : sizeof(*s);

	pthread_mutex_lock(&nc->lock);
	memset(s, 0, size);
	memcpy(s, &nc->stats, known);
	pthread_mutex_unlock(&nc->lock);
}

void *ncrt_arg_at(struct ncrt *nc, struct ncrt_window *w, unsigned int arg)
{
	const struct desc_kernel *k = kernel_out(nc, w->kernel);

	return k && arg < k->args ? (uint8_t *)w->data + k->arg[arg].offset : NULL;
}

void *ncrt_field_at(struct ncrt *nc, struct ncrt_window *w, const char *name)
{
	unsigned int i;

	for (i = 0; i < nc->desc->fields; i++)
		if (!strcmp(nc->desc->field[i].name, name))
			return (uint8_t *)w->data + nc->desc->field[i].offset;
	return NULL;
}
