// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* show.c - ncl show: deployed programs, their counters and variables. */
#define _GNU_SOURCE
#include <bpf/bpf.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "cmd.h"
#include "json.h"
#include "ncl_abi.h"
#include "place.h"
#include "serve.h"
#include "states.h"
#include "value.h"

static const char * const count_names[NCL_COUNTS] = {
	[NCL_WINDOWS] = "windows", [NCL_PASSED] = "passed", [NCL_REFLECTED] = "reflected",
	[NCL_BROADCAST] = "broadcast", [NCL_DROPPED] = "dropped", [NCL_BUSY] = "busy",
	[NCL_MALFORMED] = "malformed", [NCL_NOWHERE] = "nowhere",
};

/**
 * struct view - what is shown of a place
 * @s: state of the place
 * @attached: the interface still has the program
 * @counts: counters of the program
 * @err: -errno if @counts could not be read, or 0
 * @served: ncl serve serves the place
 * @requests: its counters
 * @desc: description of the program if variables are shown, or NULL
 */
struct view {
	const struct state *s;
	bool attached;
	uint64_t counts[NCL_COUNTS];
	int err;
	bool served;
	struct serve_counts requests;
	struct desc *desc;
};

static int read_counts(struct view *v)
{
	int fd = bpf_map_get_fd_by_id(state_map(v->s, NCL_MAP_COUNTS));
	uint32_t i;
	int err = fd < 0 ? fd : 0;

	for (i = 0; i < NCL_COUNTS && !err; i++)
		err = bpf_map_lookup_elem(fd, &i, &v->counts[i]);
	if (fd >= 0)
		close(fd);
	return err;
}

static int view(struct view *v, const struct state *s, bool values)
{
	char path[STATE_PATH], text[512];

	*v = (struct view){ .s = s, .attached = state_attached(s) == s->prog };
	v->err = read_counts(v);
	v->served = counts_read(s->program, s->place, &v->requests);
	if (!values)
		return 0;
	if (desc_read(state_desc_path(path, s->program), &v->desc, text, sizeof(text)))
		return tool_fail("%s", text);
	if (v->desc->hash == s->hash)
		return 0;
	tool_fail("%s: %04x is deployed at %s, %s describes %04x: deploy again with --replace",
		  s->program, s->hash, s->place, path, v->desc->hash);
	desc_free(v->desc);
	return EXIT_FAILURE;
}

/* Returns a descriptor of the variable's map, or -errno. */
static int open_var(const struct view *v, const struct desc_var *var)
{
	return bpf_map_get_fd_by_id(state_map(v->s, var->map));
}

static void print_vars(const struct view *v)
{
	const struct desc_var *var;
	int fd, err;

	for (var = v->desc->var; var < v->desc->var + v->desc->vars; var++) {
		if (strcmp(var->place, v->s->place))
			continue;
		fd = open_var(v, var);
		err = fd < 0 ? fd : value_print(var, fd);
		if (err)
			printf("  %s: %s\n", var->name, strerror(-err));
		if (fd >= 0)
			close(fd);
	}
}

static void print(const struct view *v)
{
	const struct state *s = v->s;
	unsigned int i;

	printf("%s %s: program %u on %s, %s%s\n", s->program, s->place, s->prog, s->ifname,
	       state_modes[s->mode], v->attached ? "" : ", which is gone");
	fputs("  maps", stdout);
	for (i = 0; i < s->maps; i++)
		printf(" %s %u%s", s->map[i].name, s->map[i].id, i + 1 < s->maps ? "," : "");
	if (v->err)
		printf("\n  counters: %s\n", strerror(-v->err));
	for (i = 0; i < NCL_COUNTS && !v->err; i++)
		printf("%s%s %" PRIu64, i ? ", " : "\n  ", count_names[i], v->counts[i]);
	if (!v->err)
		putchar('\n');
	if (v->served)
		printf("  served: done %" PRIu64 ", failed %" PRIu64 ", again %" PRIu64 ", refused %" PRIu64
		       ", malformed %" PRIu64 "\n", v->requests.done, v->requests.failed, v->requests.again,
		       v->requests.refused, v->requests.malformed);
	if (v->desc)
		print_vars(v);
}

static void json_var(const struct view *v, const struct desc_var *var, struct json *j)
{
	int fd = open_var(v, var);
	unsigned int i;

	json_object(j, var->name);
	json_str(j, "type", var->type);
	json_u64(j, "map_id", state_map(v->s, var->map));
	json_array(j, "dims");
	for (i = 0; i < var->dims; i++)
		json_u64(j, NULL, var->dim[i]);
	json_close(j);
	if (fd < 0)
		json_null(j, "values");
	else if (value_json(var, fd, j))
		json_bool(j, "incomplete", true);
	json_close(j);
	if (fd >= 0)
		close(fd);
}

static void json_requests(const struct serve_counts *c, struct json *j)
{
	json_object(j, "served");
	json_u64(j, "done", c->done);
	json_u64(j, "failed", c->failed);
	json_u64(j, "again", c->again);
	json_u64(j, "refused", c->refused);
	json_u64(j, "malformed", c->malformed);
	json_close(j);
}

static void add(const struct view *v, struct json *j)
{
	const struct desc_var *var;
	const struct state *s = v->s;
	unsigned int i;

	json_object(j, NULL);
	json_str(j, "program", s->program);
	json_u64(j, "hash", s->hash);
	json_str(j, "place", s->place);
	json_u64(j, "node", s->node);
	json_str(j, "interface", s->ifname);
	json_u64(j, "ifindex", s->ifindex);
	json_u64(j, "netns", s->netns);
	json_str(j, "mode", state_modes[s->mode]);
	json_u64(j, "prog_id", s->prog);
	json_bool(j, "attached", v->attached);
	json_object(j, "map_ids");
	for (i = 0; i < s->maps; i++)
		json_u64(j, s->map[i].name, s->map[i].id);
	json_close(j);
	json_object(j, "counters");
	for (i = 0; i < NCL_COUNTS && !v->err; i++)
		json_u64(j, count_names[i], v->counts[i]);
	json_close(j);
	if (v->served)
		json_requests(&v->requests, j);
	if (v->desc) {
		json_object(j, "variables");
		for (var = v->desc->var; var < v->desc->var + v->desc->vars; var++)
			if (!strcmp(var->place, s->place))
				json_var(v, var, j);
		json_close(j);
	}
	json_close(j);
}

static int show(const struct states *all, bool json, bool values)
{
	struct json j;
	struct view v;
	unsigned int i;
	int ret = 0;

	json_init(&j, stdout);
	if (json)
		json_array(&j, NULL);
	for (i = 0; i < all->n && !ret; i++) {
		ret = view(&v, &all->state[i], values);
		if (ret)
			break;
		if (json)
			add(&v, &j);
		else
			print(&v);
		desc_free(v.desc);
	}
	if (json) {
		json_close(&j);
		json_end(&j);
	}
	return ret ? ret : tool_flush();
}

int cmd_show(const struct command *cmd, int argc, char **argv)
{
	bool json = false, values = false;
	const struct tool_opt opts[] = {
		{ "values", 'v', .flag = &values },
		{ "json", 'j', .flag = &json },
		{ .name = NULL },
	};
	struct states all;
	int ret = tool_options(cmd, argc, argv, opts, NULL, 1);

	if (ret >= 0)
		return ret;
	ret = states_read(&all, argv[optind]);
	if (ret)
		return ret;
	if (!all.n && argv[optind])
		ret = tool_fail("%s is not deployed on this machine: no file " STATE_DIR "/%s.*",
				argv[optind], argv[optind]);
	else
		ret = show(&all, json, values);
	states_free(&all);
	return ret;
}
