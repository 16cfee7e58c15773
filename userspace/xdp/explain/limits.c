// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* limits.c - limits of a card and its firmware: the defaults, and those that the user gives. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "explain.h"

/* The limits of the emulated card. The vendor's firmware has the same, but may lack helpers. */
const struct limits limits_default = {
	.words = 2560,
	.stack = 512,
	.inline_mtu = 2016,
	.map_types = 1u << BPF_MAP_TYPE_HASH | 1u << BPF_MAP_TYPE_ARRAY,
	.max_maps = 128,
	.max_entries = 2048000,
	.max_key = 56,
	.max_value = 56,
	.max_elem = 64,
	.helpers = (1u << HELPERS) - 1,
	.adjust_head = { .sub = 84, .add = 112 },
};

/* The names that nfpboard's option bpf-helpers has */
const char *const helper_words[HELPERS] = {
	[HELPER_LOOKUP] = "lookup", [HELPER_UPDATE] = "update", [HELPER_DELETE] = "delete",
	[HELPER_EVENT] = "event", [HELPER_HEAD] = "adjust_head", [HELPER_TAIL] = "adjust_tail",
	[HELPER_RANDOM] = "random", [HELPER_QUEUE] = "queue",
};

/* Return the number of the helper whose name has @len characters at @word, or HELPERS. */
static unsigned int find_word(const char *word, size_t len)
{
	unsigned int i;

	for (i = 0; i < HELPERS; i++)
		if (strlen(helper_words[i]) == len && !strncmp(helper_words[i], word, len))
			break;
	return i;
}

static int unknown_word(const char *word, size_t len, char *err, size_t room)
{
	size_t n = snprintf(err, room, "no helper \"%.*s\", there are ", (int)len, word);
	unsigned int i;

	for (i = 0; i < HELPERS && n < room; i++)
		n += snprintf(err + n, room - n, "%s%s", i ? "," : "", helper_words[i]);
	return -EINVAL;
}

int limits_helpers(struct limits *l, const char *list, char *err, size_t len)
{
	const char *word = list;
	uint32_t helpers = 0;
	unsigned int i;
	size_t n;

	do {
		n = strcspn(word, ",");
		i = find_word(word, n);
		if (i < HELPERS)
			helpers |= 1u << i;
		else if (*list)
			return unknown_word(word, n, err, len);
		word += n;
	} while (*word++);
	l->helpers = helpers;
	l->helpers_told = true;
	return 0;
}
