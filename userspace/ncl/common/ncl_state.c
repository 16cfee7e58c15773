// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ncl_state.c - the state files of `ncl deploy`. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "ncl_state.h"
#include "tokens.h"

#define STATE_VERSION	1

const char * const state_modes[] = { "offload", "native", "generic", NULL };

char *state_path(char *to, const char *program, const char *place)
{
	snprintf(to, STATE_PATH, STATE_DIR "/%s.%s", program, place);
	return to;
}

char *state_desc_path(char *to, const char *program)
{
	snprintf(to, STATE_PATH, STATE_DIR "/%s", program);
	return to;
}

static int read_u32(struct tokens *t, unsigned int i, const char *what, unsigned int *to)
{
	uint64_t val;
	int ret = tokens_number(t, i, what, UINT32_MAX, &val);

	*to = ret ? 0 : (unsigned int)val;
	return ret;
}

static int read_program(struct tokens *t, struct state *s)
{
	char *end;

	s->hash = (uint16_t)strtoul(t->token[2], &end, 16);
	if (*end)
		return tokens_error(t, EINVAL, "'%s' is no hexadecimal number", t->token[2]);
	return tokens_name(t, 1, "program", s->program, sizeof(s->program));
}

static int read_place(struct tokens *t, struct state *s)
{
	int ret = tokens_name(t, 1, "place", s->place, sizeof(s->place));

	return ret ? ret : read_u32(t, 2, "node", &s->node);
}

/* The kernel allows almost any interface name without white space. */
static int read_interface(struct tokens *t, struct state *s)
{
	int ret = read_u32(t, 1, "interface", &s->ifindex);

	if (!ret && strlen(t->token[2]) >= sizeof(s->ifname))
		ret = tokens_error(t, EINVAL, "interface '%s' is longer than %zu characters", t->token[2],
				   sizeof(s->ifname) - 1);
	if (ret)
		return ret;
	strcpy(s->ifname, t->token[2]);
	return tokens_number(t, 3, "namespace", UINT64_MAX, &s->netns);
}

static int read_mode(struct tokens *t, struct state *s)
{
	int i;

	for (i = 0; state_modes[i]; i++)
		if (!strcmp(t->token[1], state_modes[i])) {
			s->mode = (enum state_mode)i;
			return 0;
		}
	return tokens_error(t, EINVAL, "mode '%s' is unknown: it is offload, native or generic", t->token[1]);
}

static int read_prog(struct tokens *t, struct state *s)
{
	return read_u32(t, 1, "program", &s->prog);
}

static int read_map(struct tokens *t, struct state *s)
{
	struct state_map *m = &s->map[s->maps];
	int ret;

	if (s->maps == STATE_MAPS)
		return tokens_error(t, EINVAL, "more than %u maps", STATE_MAPS);
	ret = tokens_name(t, 1, "map", m->name, sizeof(m->name));
	if (!ret)
		ret = read_u32(t, 2, "map", &m->id);
	if (!ret)
		s->maps++;
	return ret;
}

static const struct record {
	const char *name;
	unsigned int tokens;
	int (*read)(struct tokens *t, struct state *s);
} records[] = {
	{ "program", 3, read_program },
	{ "place", 3, read_place },
	{ "interface", 4, read_interface },
	{ "mode", 2, read_mode },
	{ "prog", 2, read_prog },
	{ "map", 3, read_map },
};

static int read_record(struct tokens *t, struct state *s)
{
	const struct record *r;

	for (r = records; r < records + sizeof(records) / sizeof(records[0]); r++)
		if (!strcmp(t->token[0], r->name) && t->n == r->tokens)
			return r->read(t, s);
	return tokens_error(t, EINVAL, "unknown record '%s' of %u words", t->token[0], t->n);
}

int state_read_file(const char *path, struct state *s, char *err, size_t errlen)
{
	struct tokens t;
	uint64_t version;
	int ret = tokens_open(&t, path, NULL, err, errlen);

	if (ret)
		return ret;
	memset(s, 0, sizeof(*s));
	ret = tokens_next(&t);
	if (ret >= 0 && (!ret || t.n != 2 || strcmp(t.token[0], "ncl")))
		ret = tokens_error(&t, EINVAL, "not a state file of ncl deploy, which begins with 'ncl %u'", STATE_VERSION);
	if (ret > 0)
		ret = tokens_number(&t, 1, "version", STATE_VERSION, &version);
	while (!ret && (ret = tokens_next(&t)) > 0)
		ret = read_record(&t, s);
	t.line = 0;
	if (!ret && (!*s->program || !*s->place || !s->ifindex || !s->prog))
		ret = tokens_error(&t, EINVAL, "record program, place, interface or prog is missing");
	tokens_close(&t);
	return ret;
}

int state_read(const char *program, const char *place, struct state *s, char *err, size_t errlen)
{
	char path[STATE_PATH];

	return state_read_file(state_path(path, program, place), s, err, errlen);
}

static void write_records(const struct state *s, FILE *f)
{
	const struct state_map *m;

	fprintf(f, "ncl %u\nprogram %s %04x\nplace %s %u\ninterface %u %s %" PRIu64 "\nmode %s\n"
		"prog %u\n", STATE_VERSION, s->program, s->hash, s->place, s->node, s->ifindex,
		s->ifname, s->netns, state_modes[s->mode], s->prog);
	for (m = s->map; m < s->map + s->maps; m++)
		fprintf(f, "map %s %u\n", m->name, m->id);
}

int state_write(const struct state *s, char *err, size_t errlen)
{
	char path[STATE_PATH], temp[STATE_PATH + 8];
	struct tokens t = { .file = path, .err = err, .errlen = errlen };
	bool bad;
	FILE *f;
	int ret;

	state_path(path, s->program, s->place);
	snprintf(temp, sizeof(temp), "%s~", path);
	if (mkdir(STATE_DIR, 0755) && errno != EEXIST)
		return tokens_error(&t, errno, "%s", strerror(errno));
	f = fopen(temp, "we");
	if (!f)
		return tokens_error(&t, errno, "%s", strerror(errno));
	write_records(s, f);
	bad = ferror(f);
	ret = fclose(f) || bad || rename(temp, path) ? tokens_error(&t, errno, "%s", strerror(errno)) : 0;
	if (ret)
		unlink(temp);
	return ret;
}

unsigned int state_map(const struct state *s, const char *name)
{
	unsigned int i;

	for (i = 0; i < s->maps; i++)
		if (!strcmp(s->map[i].name, name))
			return s->map[i].id;
	return 0;
}

uint64_t state_netns(void)
{
	struct stat st;

	return stat("/proc/thread-self/ns/net", &st) ? 0 : st.st_ino;
}
