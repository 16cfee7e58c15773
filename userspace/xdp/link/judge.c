// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* judge.c - nfpchan_xdp_link(): link objects, and check the result against a card's limits. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "alloc.h"
#include "object.h"
#include "opts.h"

/* ---- does the card accept it? ---- */

/* List the microengine instructions of each program, the longest program first. */
static void table_add(const struct link *l, const struct xprog *p, struct text *t)
{
	unsigned int *words = xzalloc(l->progs * sizeof(*words)), sum = 0;
	int i, best;

	for (i = 0; i < p->insns && i < l->insns; i++)
		if (l->from[i]->prog >= 0)
			words[l->from[i]->prog] += p->insn_words[i];
	for (;;) {
		for (i = 0, best = 0; i < l->progs; i++)
			best = words[i] > words[best] ? i : best;
		if (!words[best])
			break;
		text_add(t, "\n  %5u  program %s", words[best], l->prog[best].p->name);
		sum += words[best];
		words[best] = 0;
	}
	text_add(t, "\n  %5u  the code around the programs", p->words - sum);
	free(words);
}

static int too_long(struct link *l, const struct xobject *o)
{
	const struct xprog *p = &o->prog[0];
	struct text t = { l->err, sizeof(l->err) };

	text_add(&t, "the linked program has %u microengine instructions, %s has room for %u "
		 "(--words). Programs that need not be on the card can run on the host: "
		 "nfpchan xdp run --split. Of the instructions are", p->words, limits_who(&o->limits),
		 o->limits.words);
	table_add(l, p, &t);
	return -E2BIG;
}

static int judge(struct link *l, struct xobject *o)
{
	struct xprog *p = &o->prog[0];
	const struct issue *is;
	unsigned int i, m;

	maps_check(o, NULL);
	prog_check(o, p);
	if (p->words > o->limits.words)
		return too_long(l, o);
	for (m = 0; m < o->maps; m++)
		for (i = 0; i < o->map[m].issues.count; i++)
			if (reasons[o->map[m].issues.issue[i].why].severity == SEVERITY_ERROR)
				return link_fail(l, -EOPNOTSUPP, "map %s: %s", o->map[m].name,
						 o->map[m].issues.issue[i].text);
	for (i = 0; i < p->issues.count; i++) {
		is = &p->issues.issue[i];
		if (reasons[is->why].severity != SEVERITY_ERROR)
			continue;
		if (is->insn < 0 || is->insn >= l->insns)
			return link_fail(l, -EOPNOTSUPP, "the linked program: %s", is->text);
		return link_fail_at(l, -EOPNOTSUPP, l->from[is->insn]->prog, l->from[is->insn]->at,
				    "%s", is->text);
	}
	return 0;
}

/* Count the microengine instructions of the result. With @card, fail if the card refuses it. */
static int judge_image(struct link *l, struct nfpchan_xdp_image *image, bool card,
		       const struct limits *limits)
{
	char path[PATH_LEN], why[256];
	struct xobject o;
	int fd, ret;

	fd = memory_path(image->elf, image->len, path);
	if (fd < 0)
		return link_fail(l, fd, "memory: %s", strerror(-fd));
	ret = object_open(&o, path, why, sizeof(why));
	close(fd);
	if (ret)
		return link_fail(l, ret, "the linked object cannot be read: %s", why);
	o.limits = *limits;
	ret = judge(l, &o);
	image->words = o.prog[0].words;
	object_close(&o);
	return card ? ret : 0;
}

/* ---- the call ---- */

static unsigned int progs_in(const struct link *l)
{
	unsigned int n = 0;
	int i;

	for (i = 0; i < l->progs; i++)
		n += l->prog[i].reached;
	return n;
}

static int link_object(struct xobject *o, const struct nfpchan_xdp_link_opts *opts,
		       const char *name, struct nfpchan_xdp_image *image, char *err, size_t errlen)
{
	const struct link_in in = {
		.o = o, .name = name, .slots = opts->slots, .slot_count = opts->slot_count,
		.entry = opts->entry, .loop = opts->flags & NFPCHAN_XDP_LOOP,
	};
	struct link *l = xzalloc(sizeof(*l));
	int ret;

	ret = link_run(l, &in);
	if (!ret)
		ret = link_write(l, &image->elf, &image->len);
	if (!ret) {
		image->insns = l->insns;
		image->progs = progs_in(l);
		ret = judge_image(l, image, !(opts->flags & NFPCHAN_XDP_HOST), &o->limits);
	}
	if (ret && errlen)
		snprintf(err, errlen, "%s", l->err);
	link_free(l);
	free(l);
	return ret;
}

static int opts_get(struct nfpchan_xdp_link_opts *opts, const struct nfpchan_xdp_link_opts *from,
		    char *err, size_t len)
{
	const unsigned int flags = NFPCHAN_XDP_LOOP | NFPCHAN_XDP_HOST;
	int ret = opts_copy(opts, sizeof(*opts), from, from->size);

	if (ret)
		snprintf(err, len, OPTS_TEXT, (size_t)from->size, sizeof(*opts));
	else if (opts->flags & ~flags)
		snprintf(err, len, "flags 0x%x: 0x%x are known", opts->flags, flags);
	else if (!opts->object_count)
		snprintf(err, len, "no object to link");
	else
		return 0;
	return ret ? ret : -EINVAL;
}

static int limits_get(struct limits *l, const struct nfpchan_xdp_link_opts *opts, char *err,
		      size_t len)
{
	char why[256];
	int ret = limits_firmware(l, opts->firmware, why, sizeof(why));

	if (ret)
		snprintf(err, len, "firmware %s: %s", opts->firmware, why);
	else if (opts->words)
		l->words = opts->words;
	return ret;
}

int nfpchan_xdp_link(const struct nfpchan_xdp_link_opts *opts, struct nfpchan_xdp_image *image,
		     char *err, size_t errlen)
{
	struct nfpchan_xdp_link_opts known;
	char path[PATH_LEN], none[1];
	struct limits limits;
	struct xobject o;
	int fd = -1, ret;

	memset(image, 0, sizeof(*image));
	if (!err) {
		err = none;
		errlen = 0;
	}
	ret = opts_get(&known, opts, err, errlen);
	opts = &known;
	if (!ret)
		ret = limits_get(&limits, opts, err, errlen);
	if (ret)
		return ret;
	if (opts->object_count > 1) {
		fd = objects_join(opts->objects, opts->object_count, path, err, errlen);
		if (fd < 0)
			return fd;
	}
	ret = object_open(&o, fd < 0 ? opts->objects[0] : path, err, errlen);
	if (!ret) {
		o.limits = limits;
		ret = link_object(&o, opts, fd < 0 ? NULL : "the objects", image, err, errlen);
		object_close(&o);
	}
	if (fd >= 0)
		close(fd);
	if (ret)
		nfpchan_xdp_image_free(image);
	return ret;
}

void nfpchan_xdp_image_free(struct nfpchan_xdp_image *image)
{
	free(image->elf);
	memset(image, 0, sizeof(*image));
}
