// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* limits.c - limits of a card: those of a firmware, and those that the user gives. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "explain.h"

/* ---- the firmware ---- */

static const struct {
	uint32_t id;
	enum helper helper;
} funcs[] = {
	{ BPF_FUNC_map_lookup_elem, HELPER_LOOKUP },
	{ BPF_FUNC_map_update_elem, HELPER_UPDATE },
	{ BPF_FUNC_map_delete_elem, HELPER_DELETE },
	{ BPF_FUNC_perf_event_output, HELPER_EVENT },
};

static uint32_t helpers_of(const struct fw_caps *c)
{
	uint32_t helpers = (uint32_t)c->has_head << HELPER_HEAD | (uint32_t)c->tail << HELPER_TAIL |
			   (uint32_t)c->random << HELPER_RANDOM | (uint32_t)c->queue << HELPER_QUEUE;
	unsigned int i, j;

	for (i = 0; i < c->funcs; i++)
		for (j = 0; j < sizeof(funcs) / sizeof(*funcs); j++)
			if (c->func[i].id == funcs[j].id)
				helpers |= 1u << funcs[j].helper;
	return helpers;
}

static int limits_profile(struct limits *l, const struct fw_profile *p)
{
	struct fw_caps c;

	if (p->app != FW_APP_BPF || fw_caps_parse(p->caps, p->caps_len, &c))
		return -EOPNOTSUPP;
	*l = (struct limits){
		.words = p->bpf.max_len, .stack = p->bpf.stack * 64u,
		.inline_mtu = p->bpf.inl_mtu * 64u - 32, .assumed = p->no_bar,
		.map_types = c.maps.types, .max_maps = c.maps.maps, .max_entries = c.maps.elems,
		.max_key = c.maps.key, .max_value = c.maps.value, .max_elem = c.maps.elem,
		.helpers = helpers_of(&c),
		.adjust_head = { .sub = (int)c.head.sub, .add = (int)c.head.add },
	};
	snprintf(l->firmware, sizeof(l->firmware), "%s", p->mip.name);
	return 0;
}

int limits_firmware(struct limits *l, const char *name, char *err, size_t len)
{
	struct fw_profile p;
	int ret = fw_profile_get(&p, name ? name : fw_public.name, err, len);

	if (ret)
		return ret;
	ret = limits_profile(l, &p);
	if (ret)
		snprintf(err, len, "%s runs no BPF programs: it is firmware of another application",
			 p.mip.name);
	return ret;
}

void limits_unknown(struct limits *l)
{
	limits_profile(l, &fw_full);
	l->firmware[0] = 0;
}

const char *limits_who(const struct limits *l)
{
	return l->helpers_told ? "firmware with the helpers of --helpers" :
	       *l->firmware ? l->firmware : "the card's firmware";
}

/* ---- the user's limits ---- */

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
