// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_dump.c - nfpchan firmware dump: print symbols that `ethtool -w` has read from the card. */
#include <errno.h>
#include <fw_dump.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../tool.h"

#define DUMP_MAX	(256u << 20)

/* Read a whole file. Return: NULL with the reason printed. */
static uint8_t *read_all(const char *path, size_t *len)
{
	uint8_t *buf = NULL, *more;
	size_t room = 0, n = 1;
	FILE *f = fopen(path, "re");

	for (*len = 0; f && n && *len < DUMP_MAX; *len += n) {
		room += 1 << 20;
		more = realloc(buf, room);
		if (!more)
			break;
		buf = more;
		n = fread(buf + *len, 1, room - *len, f);
	}
	if (f && !n && !ferror(f)) {
		fclose(f);
		return buf;
	}
	if (f && *len >= DUMP_MAX)
		tool_fail("%s: more than %u MiB", path, DUMP_MAX >> 20);
	else
		tool_fail("%s: %s", path, strerror(errno ? errno : ENOMEM));
	if (f)
		fclose(f);
	free(buf);
	return NULL;
}

static void print_bytes(const struct fw_dumped *d)
{
	uint32_t i, j;

	for (i = 0; i < d->size; i += 16) {
		printf("%06x ", i);
		for (j = i; j < i + 16; j++)
			j < d->size ? printf("%s%02x", j % 4 ? "" : " ", d->data[j]) :
				      printf("%s  ", j % 4 ? "" : " ");
		printf("  ");
		for (j = i; j < i + 16 && j < d->size; j++)
			putchar(d->data[j] >= ' ' && d->data[j] < 127 ? d->data[j] : '.');
		putchar('\n');
	}
}

static void print_json(struct json *j, const struct fw_dumped *d)
{
	json_object(j, NULL);
	json_str(j, "name", d->name);
	json_u64(j, "size", d->size);
	if (d->error)
		json_str(j, "error", strerror(-d->error));
	else
		json_hex(j, "data", d->data, d->size);
	json_close(j);
}

/* Print one symbol. @only: its contents without anything else, in binary */
static void print(struct json *j, const struct fw_dumped *d, bool only)
{
	if (only) {
		fwrite(d->data, 1, d->size, stdout);
	} else if (tool.json) {
		print_json(j, d);
	} else {
		printf("%s, %u bytes%s%s\n", d->name, d->size, d->error ? ": " : "",
		       d->error ? strerror(-d->error) : "");
		if (!d->error)
			print_bytes(d);
	}
}

static int dump(const char *path, const uint8_t *file, size_t len, const char *name, bool raw)
{
	struct fw_dumped d;
	unsigned int n = 0;
	size_t at = 0;
	struct json j;
	int ret;

	tool_json_rows(&j);
	if (tool.json)
		json_rows(&j, NULL);
	while ((ret = fw_dumped_next(file, len, &at, &d)) > 0) {
		if (name && strcmp(d.name, name))
			continue;
		n++;
		if (raw && d.error)
			return tool_fail("%s: %s: %s", path, d.name, strerror(-d.error));
		print(&j, &d, raw);
	}
	if (tool.json) {
		json_rows_end(&j);
		json_end(&j);
	}
	if (ret)
		return tool_fail("%s: not a file of ethtool -w, or damaged at byte %zu", path, at);
	if (name && !n)
		return tool_fail("%s: no symbol %s", path, name);
	return tool_flush();
}

int cmd_firmware_dump(const struct command *cmd, int argc, char **argv)
{
	bool raw = false;
	const struct tool_opt opts[] = {
		{ "raw", 'r', .flag = &raw },
		{ .name = NULL },
	};
	int ret = tool_options(cmd, argc, argv, opts, "FILE", 2);
	const char *path, *name;
	uint8_t *file;
	size_t len;

	if (ret >= 0)
		return ret;
	path = argv[optind];
	name = argv[optind + 1];
	if (raw && (!name || tool.json))
		return tool_usage(cmd, "--raw needs a symbol, and no --json");
	file = read_all(path, &len);
	if (!file)
		return EXIT_FAILURE;
	ret = dump(path, file, len, name, raw);
	free(file);
	return ret;
}
