// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* linker.c - the order of the steps that link programs, and the objects that they start with. */
#define _GNU_SOURCE
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "alloc.h"
#include "object.h"

/* ---- programs ---- */

int link_find(const struct link *l, const char *name)
{
	int i;

	for (i = 0; i < l->progs; i++)
		if (!strcmp(l->prog[i].p->name, name))
			return i;
	return -1;
}

int link_target(const struct link *l, int prog)
{
	return l->prog[prog].swap >= 0 ? l->prog[prog].swap : prog;
}

int link_first(const struct link *l)
{
	int prog = l->entry;

	while (l->prog[prog].next >= 0 && prog >= (int)l->o->progs)
		prog = l->prog[prog].next;
	return prog;
}

static void progs_make(struct link *l)
{
	const struct link_in *in = l->in;
	unsigned int i;

	l->progs = l->o->progs + in->extras;
	l->prog = xzalloc(l->progs * sizeof(*l->prog));
	l->extra = xzalloc(in->extras * sizeof(*l->extra));
	for (i = 0; i < (unsigned int)l->progs; i++)
		l->prog[i] = (struct lprog){ .p = &l->o->prog[i], .next = -1, .swap = -1 };
	for (i = 0; i < in->extras; i++) {
		struct lprog *p = &l->prog[l->o->progs + i];

		l->extra[i].name = in->extra[i].name;
		l->extra[i].insn = (struct bpf_insn *)in->extra[i].insn;
		l->extra[i].insns = in->extra[i].insns;
		p->p = &l->extra[i];
		p->funcs = 1;
		p->stack = xzalloc(sizeof(*p->stack));
		p->stack->stack = in->extra[i].stack;
	}
}

/* Resolve the names by which extra programs refer to programs of the object. */
static int progs_connect(struct link *l)
{
	const struct link_in *in = l->in;
	unsigned int i;
	int prog;

	for (i = 0; i < in->swaps; i++) {
		prog = link_find(l, in->swap[i].prog);
		if (prog < 0)
			return link_fail(l, -ENOENT, "no XDP program \"%s\" in %s", in->swap[i].prog,
					 l->name);
		l->prog[prog].swap = link_find(l, in->swap[i].extra);
	}
	for (i = 0; i < in->extras; i++) {
		if (!in->extra[i].next)
			continue;
		prog = link_find(l, in->extra[i].next);
		if (prog < 0)
			return link_fail(l, -ENOENT, "no XDP program \"%s\" in %s", in->extra[i].next,
					 l->name);
		l->prog[l->o->progs + i].next = link_target(l, prog);
	}
	l->leave = in->leave ? link_find(l, in->leave) : -1;
	return 0;
}

static bool in_slot(const struct link *l, int prog)
{
	unsigned int i, slot;

	for (i = 0; i < l->o->maps; i++)
		for (slot = 0; slot < l->array[i].slots; slot++)
			if (l->array[i].prog[slot] == prog)
				return true;
	return false;
}

static int entry_find(struct link *l)
{
	char names[512];
	struct text t = { names, sizeof(names) };
	int i, found = -1, count = 0;

	if (l->in->entry) {
		l->entry = link_find(l, l->in->entry);
		return l->entry < 0 ? link_fail(l, -ENOENT, "no XDP program \"%s\" in %s", l->in->entry,
						l->name) : 0;
	}
	for (i = 0; i < (int)l->o->progs; i++) {
		if (l->prog[i].p->type != BPF_PROG_TYPE_XDP || in_slot(l, i))
			continue;
		text_add(&t, "%s%s", count++ ? ", " : "", l->prog[i].p->name);
		found = i;
	}
	l->entry = found;
	if (count == 1)
		return 0;
	if (!count)
		return link_fail(l, -EINVAL, "%s: each XDP program is in a slot of a prog array: say with "
				 "--entry which one comes first", l->name);
	return link_fail(l, -EINVAL, "%s: %d XDP programs are in no slot of a prog array (%s): say with "
			 "--entry which one comes first", l->name, count, names);
}

int link_begin(struct link *l, const struct link_in *in)
{
	int ret;

	memset(l, 0, sizeof(*l));
	l->entry = -1;
	l->in = in;
	l->o = in->o;
	l->name = in->name ? in->name : in->o->path;
	progs_make(l);
	if (!l->o->btf)
		return link_fail(l, -EINVAL, "%s: no BTF (compile it with -g)", l->name);
	ret = progs_connect(l);
	if (!ret)
		ret = link_slots(l);
	return ret ? ret : entry_find(l);
}

int link_run(struct link *l, const struct link_in *in)
{
	int ret = link_begin(l, in);

	if (!ret)
		ret = link_tails(l);
	if (!ret)
		ret = link_graph(l);
	if (!ret)
		ret = link_merge(l);
	if (!ret)
		ret = link_trim(l);
	if (!ret)
		ret = link_emit(l);
	return ret;
}

void link_free(struct link *l)
{
	unsigned int i;
	int n;

	for (i = 0; l->array && i < l->o->maps; i++)
		free(l->array[i].prog);
	for (n = 0; n < l->progs; n++) {
		for (i = 0; i < l->prog[n].tails; i++)
			free(l->prog[n].tail[i].may);
		free(l->prog[n].tail);
		free(l->prog[n].stack);
	}
	for (n = 0; n < l->funcs; n++) {
		free(l->func[n].node);
		free(l->func[n].first);
	}
	free(l->array);
	free(l->prog);
	free(l->func);
	free(l->extra);
	free(l->insn);
	free(l->from);
}

/* ---- objects ---- */

int memory_path(const void *data, size_t len, char path[PATH_LEN])
{
	int fd = memfd_create("object", MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	if (data && write(fd, data, len) != (ssize_t)len) {
		close(fd);
		return -EIO;
	}
	snprintf(path, PATH_LEN, "/proc/self/fd/%d", fd);
	return fd;
}

/* Join objects by libbpf's linker. Like memory_path(), with an error message in @err. */
static int objects_join(const char *const *paths, unsigned int count, char path[PATH_LEN], char *err,
			size_t len)
{
	struct bpf_linker *linker;
	int fd = memory_path(NULL, 0, path), ret = fd;
	unsigned int i;

	linker = fd < 0 ? NULL : bpf_linker__new(path, NULL);
	if (!linker) {
		snprintf(err, len, "memory for the objects: %s", strerror(errno));
		ret = -errno;
	}
	for (i = 0; linker && ret >= 0 && i < count; i++) {
		ret = bpf_linker__add_file(linker, paths[i], NULL);
		if (ret)
			snprintf(err, len, "%s: cannot be linked with the others: %s", paths[i],
				 strerror(-ret));
	}
	if (linker && ret >= 0) {
		ret = bpf_linker__finalize(linker);
		if (ret)
			snprintf(err, len, "the objects together: %s", strerror(-ret));
	}
	bpf_linker__free(linker);
	if (ret >= 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return ret;
}

/* ---- the call ---- */

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
	ret = link_judge(l, &o);
	image->words = o.prog[0].words;
	object_close(&o);
	return card ? ret : 0;
}

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
	if (ret)
		snprintf(err, errlen, "%s", l->err);
	link_free(l);
	free(l);
	return ret;
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
	char path[PATH_LEN];
	struct limits limits;
	struct xobject o;
	int fd = -1, ret;

	memset(image, 0, sizeof(*image));
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
