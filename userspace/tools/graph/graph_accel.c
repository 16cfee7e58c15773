// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* graph_accel.c - the accelerators of a policy graph: nfpchan sets them up, a card drives them. */
#include <stdlib.h>
#include "accel_glue.h"
#include "loaded.h"
#include "tool.h"

#define SLOTS	16	/* jobs that an accelerator has at a time */

/**
 * struct loaded_accel - an accelerator that a card drives
 * @user: the accelerator
 * @glue: its connection to the card
 */
struct loaded_accel {
	struct accel_user user;
	struct accel_glue glue;
};

/* Print which device or node failed. The reason was printed before. */
static int wrong(const char *file, unsigned int line, const char *what, const char *name)
{
	return tool_fail("%s:%u: %s %s: not set up", file, line, what, name);
}

static void keys(struct accel_user *user, const struct graph *g, unsigned int device)
{
	for (unsigned int i = 0; i < g->keys; i++)
		if (g->key[i].device == device)
			accel_key(user, g->key[i].stream, g->key[i].key);
}

static int glue_open(struct loaded_accel *a, const struct graph *g, const struct graph_node *n,
		     struct nfpchan *in, const char *file)
{
	const struct accel_glue_opts o = { .slots = SLOTS, .skip = n->skip, .stream = n->stream };

	keys(&a->user, g, n->device);
	return accel_glue_open(&a->glue, &a->user, in, &o) ? wrong(file, n->line, "node", n->name) :
								0;
}

int loaded_accel_open(struct loaded_accel **out, const struct graph *g,
		      const struct graph_node *n, struct nfpchan *in, const char *file)
{
	const struct graph_device *d = &g->device[n->device];
	struct loaded_accel *a = calloc(1, sizeof(*a));

	if (!a)
		return tool_fail("no memory");
	if (accel_open(&a->user, d->kind == GRAPH_AES_GCM ? ACCEL_DEVICE_AES_GCM :
							    ACCEL_DEVICE_CLASSIFY, d->index)) {
		free(a);
		return wrong(file, d->line, "device", d->name);
	}
	if (glue_open(a, g, n, in, file)) {
		accel_close(&a->user);
		free(a);
		return EXIT_FAILURE;
	}
	*out = a;
	return 0;
}

void loaded_accel_close(struct loaded_accel *a)
{
	accel_glue_close(&a->glue);
	accel_close(&a->user);
	free(a);
}

struct loaded_jobs loaded_accel_jobs(const struct loaded_accel *a)
{
	return (struct loaded_jobs){
		.good = accel_read(&a->user, ACCEL_GOOD),
		.failed = accel_read(&a->user, ACCEL_FAILED),
		.doorbells = accel_read(&a->user, ACCEL_DOORBELLS),
		.notified = accel_read(&a->user, ACCEL_NOTIFIED),
		.interrupts = accel_read(&a->user, ACCEL_INTERRUPTS),
	};
}
