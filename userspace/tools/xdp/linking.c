// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* linking.c - the options of commands that link programs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "explain.h"
#include "linking.h"

void linking_begin(struct linking *l, int argc)
{
	memset(l, 0, sizeof(*l));
	l->slots.text = calloc(argc, sizeof(*l->slots.text));
	if (!l->slots.text)
		abort();
}

void linking_end(struct linking *l)
{
	free(l->slots.text);
}

bool linking_given(const struct linking *l)
{
	return l->entry || l->slots.count || l->words || l->firmware || l->loop;
}

static int slot_usage(const char *text)
{
	tool_fail("--slot is \"%s\", not MAP:INDEX=PROG, MAP:INDEX=none or MAP:none", text);
	return EXIT_USAGE;
}

/*
 * Parse MAP:INDEX=PROG. The function overwrites ":" and "=" in @text by NULs. Error messages
 * show the unchanged text, @whole.
 */
static int slot_parse(char *text, const char *whole, struct nfpchan_xdp_slot *s)
{
	char *index = strrchr(text, ':'), *prog, *end;
	unsigned long n;

	if (!index || index == text)
		return slot_usage(whole);
	*index++ = '\0';
	s->map = text;
	if (!strcmp(index, "none")) {
		s->index = NFPCHAN_XDP_ALL_SLOTS;
		return 0;
	}
	prog = strchr(index, '=');
	if (!prog || prog == index || !prog[1])
		return slot_usage(whole);
	*prog++ = '\0';
	errno = 0;
	n = strtoul(index, &end, 10);
	if (*index < '0' || *index > '9' || *end || errno || n > UINT32_MAX)
		return slot_usage(whole);
	s->index = n;
	s->prog = strcmp(prog, "none") ? prog : NULL;
	return 0;
}

int slots_parse(const struct tool_texts *texts, struct slot_list *list)
{
	int ret = 0;

	list->slot = calloc(texts->count + 1, sizeof(*list->slot));
	list->text = calloc(texts->count + 1, sizeof(*list->text));
	if (!list->slot || !list->text)
		abort();
	for (list->count = 0; !ret && list->count < texts->count; list->count++) {
		list->text[list->count] = strdup(texts->text[list->count]);
		if (!list->text[list->count])
			abort();
		ret = slot_parse(list->text[list->count], texts->text[list->count],
				 &list->slot[list->count]);
	}
	return ret;
}

void slots_free(struct slot_list *list)
{
	unsigned int i;

	for (i = 0; list->text && list->text[i]; i++)
		free(list->text[i]);
	free(list->text);
	free(list->slot);
}

int linking_run(const struct linking *l, const char *const *objects, unsigned int count,
		struct nfpchan_xdp_image *image)
{
	struct slot_list slots = { 0 };
	char err[4096];
	int ret;

	ret = slots_parse(&l->slots, &slots);
	if (!ret) {
		const struct nfpchan_xdp_link_opts opts = {
			.objects = objects, .object_count = count,
			.slots = slots.slot, .slot_count = slots.count, .entry = l->entry,
			.words = l->words, .firmware = l->firmware, .flags = (l->loop ? NFPCHAN_XDP_LOOP : 0) |
						    (l->native ? NFPCHAN_XDP_HOST : 0),
		};

		ret = nfpchan_xdp_link(&opts, image, err, sizeof(err));
		if (ret)
			ret = tool_fail("%s", err);
	}
	slots_free(&slots);
	return ret;
}
