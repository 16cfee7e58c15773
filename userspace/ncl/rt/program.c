// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* program.c - the table in the hosts' object that nclc made: kernels and variables by address. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "rt.h"

static ncl_call *call_of(const struct ncrt *nc, const char *kernel)
{
	unsigned int i;

	for (i = 0; nc->prog && i < nc->prog->nr_kernels; i++)
		if (!strcmp(nc->prog->kernels[i].name, kernel))
			return nc->prog->kernels[i].call;
	return NULL;
}

static unsigned int count_ext(const struct desc_kernel *k)
{
	unsigned int i, n = 0;

	for (i = 0; i < k->args; i++)
		n += k->arg[i].ext;
	return n;
}

int ncrt_in(struct ncrt *nc, const char *kernel, void *const *ext, unsigned int next,
	    int64_t timeout)
{
	const struct desc_kernel *k = kernel ? desc_kernel(nc->desc, kernel) : NULL;
	void *args[DESC_ARGS];
	struct ncrt_window w;
	ncl_call *call;
	unsigned int i;
	int err;

	if (!k)
		return rt_fail(-ENOENT, "%s is no kernel of %s", kernel ? kernel : "NULL", nc->desc->name);
	call = k->in ? call_of(nc, kernel) : NULL;
	if (!call)
		return rt_fail(-EOPNOTSUPP, k->in ? "%s: only the description is there, not the object that nclc made" :
			    "%s is no incoming kernel", kernel);
	if (count_ext(k) != next)
		return rt_fail(-EINVAL, "%s: %u pointers for %u _ext_ arguments", kernel, next, count_ext(k));
	err = recv_window(nc, k, &w, timeout);
	if (err)
		return err;
	for (i = 0; i < k->args; i++)
		args[i] = k->arg[i].ext ? *ext++ : (uint8_t *)w.data + k->arg[i].offset;
	call(&w, args);
	return 0;
}

const char *ncrt_kernel_at(struct ncrt *nc, const void *address)
{
	unsigned int i;

	for (i = 0; nc->prog && i < nc->prog->nr_kernels; i++)
		if (nc->prog->kernels[i].address == address)
			return nc->prog->kernels[i].name;
	return NULL;
}

const char *ncrt_variable_at(struct ncrt *nc, const void *address, size_t *offset)
{
	const struct ncl_variable *v;
	unsigned int i;

	for (i = 0; nc->prog && i < nc->prog->nr_variables; i++) {
		v = &nc->prog->variables[i];
		if ((uintptr_t)address - (uintptr_t)v->address < v->size) {
			*offset = (uintptr_t)address - (uintptr_t)v->address;
			return v->name;
		}
	}
	return NULL;
}

/* ---- the default session, of programs that do not call ncrt_open() ---- */

static pthread_mutex_t opening = PTHREAD_MUTEX_INITIALIZER;
static struct ncrt *session;

static void close_default(void)
{
	ncrt_close(session);
	session = NULL;
}

static int open_default(const struct ncl_program *prog, const struct ncrt_opts *opts)
{
	struct ncrt_opts o;
	int err = session_opts(&o, opts);

	if (err)
		return err;
	o.program = prog;
	err = ncrt_open(&session, &o, NULL, 0);
	if (!err)
		atexit(close_default);
	return err;
}

int ncrt_default_open(const struct ncl_program *prog, const struct ncrt_opts *opts)
{
	int err;

	pthread_mutex_lock(&opening);
	err = session ? rt_fail(-EALREADY, "the session is open") : open_default(prog, opts);
	pthread_mutex_unlock(&opening);
	return err;
}

struct ncrt *ncrt_default(const struct ncl_program *prog, int *err)
{
	struct ncrt *nc;

	pthread_mutex_lock(&opening);
	*err = session ? 0 : open_default(prog, NULL);
	nc = session;
	pthread_mutex_unlock(&opening);
	return nc;
}
