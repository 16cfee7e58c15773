// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_verify.c - nfpchan firmware verify: check a firmware file, and compare it with another one. */
#include <fw_check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../tool.h"

static bool same(const struct fw_section *a, const struct fw_section *b)
{
	return a->type == b->type && a->flags == b->flags && a->addr == b->addr && a->size == b->size &&
	       a->info == b->info && !a->data == !b->data &&
	       (!a->data || !memcmp(a->data, b->data, a->size));
}

/* Print the sections of a file that the other one does not have, or has with other contents. */
static void differ(struct json *j, const struct fw_image *img, const struct fw_image *base)
{
	unsigned int i, n = 0;

	if (tool.json)
		json_array(j, "differ");
	for (i = 0; i < img->sections; i++) {
		const struct fw_section *s = &img->section[i], *b = fw_image_section(base, s->name);

		if (b && same(s, b))
			continue;
		n++;
		if (tool.json)
			json_str(j, NULL, s->name);
		else
			printf("%s%s%s", n > 1 ? ", " : "differ       ", s->name, b ? "" : " (new)");
	}
	if (tool.json)
		json_close(j);
	else
		printf("%s\n", n ? "" : "differ       no section");
}

static void plain(const struct fw_image *img, const struct fw_checked *c)
{
	printf("firmware     %s\n", img->mip.name);
	printf("layout       %u sections, %zu bytes; written again, the file is the same\n", img->sections,
	       img->len);
	printf("code         %lu instructions of %u microengines, each with the right ECC\n", c->words, c->mes);
	printf("memory       %u sections that are loaded, and do not overlap\n", c->loaded);
	printf("symbols      %u run-time symbols, where the MIP says\n", img->syms);
	if (c->workers)
		printf("workers      2 lists of %u, all with code for four contexts\n", c->workers);
	else
		printf("workers      no lists: nothing can be grafted onto this file\n");
}

static void members(struct json *j, const struct fw_image *img, const struct fw_checked *c)
{
	json_str(j, "firmware", img->mip.name);
	json_u64(j, "sections", img->sections);
	json_u64(j, "size", img->len);
	json_u64(j, "instructions", c->words);
	json_u64(j, "microengines", c->mes);
	json_u64(j, "loaded", c->loaded);
	json_u64(j, "symbols", img->syms);
	json_u64(j, "workers", c->workers);
}

static int verify(const char *path, const char *base_path)
{
	struct fw_image img, base = { .sections = 0 };
	struct fw_checked c;
	char why[512];
	struct json j;
	int ret;

	if (fw_image_open(&img, path, why, sizeof(why)))
		return tool_fail("%s: %s", path, why);
	ret = fw_check(&img, &c, why, sizeof(why)) ? tool_fail("%s: %s", path, why) : 0;
	if (!ret && base_path && fw_image_open(&base, base_path, why, sizeof(why)))
		ret = tool_fail("%s: %s", base_path, why);
	if (!ret && tool.json) {
		json_init(&j, stdout);
		json_object(&j, NULL);
		json_str(&j, "file", path);
		members(&j, &img, &c);
		if (base_path)
			differ(&j, &img, &base);
		json_close(&j);
		json_end(&j);
	} else if (!ret) {
		printf("file         %s\n", path);
		plain(&img, &c);
		if (base_path)
			differ(NULL, &img, &base);
	}
	fw_image_close(&base);
	fw_image_close(&img);
	return ret ? ret : tool_flush();
}

int cmd_firmware_verify(const struct command *cmd, int argc, char **argv)
{
	const char *base = NULL;
	const struct tool_opt opts[] = {
		{ "base", 'b', .text = &base },
		{ .name = NULL },
	};
	int ret = tool_options(cmd, argc, argv, opts, "FILE", 1);

	return ret >= 0 ? ret : verify(argv[optind], base);
}
