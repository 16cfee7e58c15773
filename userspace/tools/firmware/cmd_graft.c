// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_graft.c - nfpchan firmware graft: put our code into a firmware file of the vendor. */
#include <errno.h>
#include <fw_check.h>
#include <fw_graft.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../tool.h"

#define ISLAND_MAX	63
#define ME_MAX		11

/* Parse a microengine, "i36.me8". */
static bool parse_me(const char *text, struct fw_graft_idle *me)
{
	unsigned int island, n;
	int end = 0;

	if (sscanf(text, "i%2u.me%2u%n", &island, &n, &end) != 2 || text[end] ||
	    island > ISLAND_MAX || n > ME_MAX)
		return false;
	me->island = (uint8_t)island;
	me->me = (uint8_t)n;
	return true;
}

/* Write a file by way of a new one beside it, so that no half of a file has its name. */
static int save(const char *path, const uint8_t *bytes, size_t len)
{
	char tmp[4096];
	int fd, err = 0;
	FILE *f;

	if (snprintf(tmp, sizeof(tmp), "%s.XXXXXX", path) >= (int)sizeof(tmp))
		return tool_fail("%s: the path has more than %zu bytes", path, sizeof(tmp) - 8);
	fd = mkstemp(tmp);
	if (fd < 0)
		return tool_fail("%s: %s", path, strerror(errno));
	if (fchmod(fd, 0644))
		err = errno;
	f = fdopen(fd, "w");
	if (!f) {
		err = errno;
		close(fd);
	} else if (fwrite(bytes, 1, len, f) != len) {
		err = errno;
		fclose(f);
	} else if (fclose(f)) {
		err = errno;
	}
	if (!err && rename(tmp, path))
		err = errno;
	if (!err)
		return 0;
	unlink(tmp);
	return tool_fail("%s: %s", path, strerror(err));
}

/* Write the file, and check what was written as any other file. */
static int write_checked(const struct fw_image *img, const char *out)
{
	struct fw_image made;
	struct fw_checked c;
	uint8_t *bytes;
	char why[512];
	size_t len;
	int ret;

	if (fw_edit_bytes(img, &bytes, &len, why, sizeof(why)))
		return tool_fail("%s: %s", out, why);
	ret = save(out, bytes, len);
	free(bytes);
	if (ret)
		return ret;
	if (fw_image_open(&made, out, why, sizeof(why)))
		return tool_fail("%s was written, and is damaged: %s", out, why);
	ret = fw_check(&made, &c, why, sizeof(why)) ?
	      tool_fail("%s was written, and is damaged: %s", out, why) : 0;
	if (!ret)
		printf("%s: %s, %u workers, %u run-time symbols; never tried on a card\n", out,
		       made.mip.name, c.workers, made.syms);
	fw_image_close(&made);
	return ret ? ret : tool_flush();
}

static int graft(const char *base, struct fw_graft *g, struct fw_image *object, const char *out)
{
	struct fw_image img;
	unsigned int i, opened = 0;
	char why[512];
	int ret = 0;

	if (fw_image_open(&img, base, why, sizeof(why)))
		return tool_fail("%s: %s", base, why);
	for (i = 0; i < g->objects && !ret; i++) {
		ret = fw_object_open(&object[i], g->path[i], why, sizeof(why)) ?
		      tool_fail("%s: %s", g->path[i], why) : 0;
		opened += !ret;
	}
	g->object = object;
	if (!ret && fw_graft(&img, g, why, sizeof(why)))
		ret = tool_fail("%s", why);
	if (!ret)
		ret = write_checked(&img, out);
	while (opened)
		fw_image_close(&object[--opened]);
	fw_image_close(&img);
	return ret;
}

int cmd_firmware_graft(const struct command *cmd, int argc, char **argv)
{
	const char *base = NULL, *out = NULL;
	struct tool_texts idle = { .text = calloc((size_t)argc, sizeof(*idle.text)) };
	struct fw_graft_idle *mes = calloc((size_t)argc, sizeof(*mes));
	struct fw_image *object = calloc((size_t)argc, sizeof(*object));
	const struct tool_opt opts[] = {
		{ "base", 'b', .text = &base },
		{ "idle", 'i', .texts = &idle },
		{ "output", 'o', .text = &out },
		{ .name = NULL },
	};
	struct fw_graft g = { .idle = mes };
	int ret = idle.text && mes && object ? tool_options(cmd, argc, argv, opts, NULL, -1) :
		  tool_fail("no memory");

	if (ret < 0) {
		g.path = (const char *const *)&argv[optind];
		g.objects = (unsigned int)(argc - optind);
		if (!base || !out)
			ret = tool_usage(cmd, "give --base and --output");
		else if (!g.objects && !idle.count)
			ret = tool_usage(cmd, "give an object, or --idle");
	}
	for (; ret < 0 && g.idles < idle.count; g.idles++)
		if (!parse_me(idle.text[g.idles], &mes[g.idles]))
			ret = tool_usage(cmd, "--idle %s: not a microengine such as i36.me8", idle.text[g.idles]);
	if (ret < 0)
		ret = graft(base, &g, object, out);
	free(object);
	free(mes);
	free(idle.text);
	return ret;
}
