// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_show.c - nfpchan firmware show: parse and run the command. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../tool.h"
#include "firmware.h"
#include "show.h"

/* Compare the file with what the card runs. A difference is a warning. */
static void compare(const struct shown *s)
{
	size_t len;
	const char *running = firmware_running(s->running, &len);

	if (!firmware_runs(s->running, s->img->mip.name))
		fprintf(stderr, "nfpchan: %s runs firmware \"%.*s\", and %s has \"%s\"\n", s->dev,
			(int)len, running, s->path, s->img->mip.name);
}

static int show(struct shown *s, bool symbols)
{
	struct fw_image img;
	int ret = fw_image_open(&img, s->path, s->why, sizeof(s->why));

	if (ret)
		return tool_fail("%s: %s", s->path, s->why);
	s->img = &img;
	s->known = !fw_profile_image(&s->p, &img, s->path, s->why, sizeof(s->why)) &&
		   !fw_caps_parse(s->p.caps, s->p.caps_len, &s->caps);
	if (s->dev)
		compare(s);
	if (tool.json)
		show_json(s);
	else
		show_plain(s, symbols);
	fw_image_close(&img);
	return tool_flush();
}

int cmd_firmware_show(const struct command *cmd, int argc, char **argv)
{
	struct shown s = { .path = NULL };
	bool symbols = false;
	const struct tool_opt opts[] = {
		{ "dev", 'd', .text = &s.dev },
		{ "symbols", 's', .flag = &symbols },
		{ .name = NULL },
	};
	struct netdev dev;
	char path[300];
	int ret = tool_options(cmd, argc, argv, opts, NULL, 1);

	if (ret >= 0)
		return ret;
	s.path = argv[optind];
	if (!s.path == !s.dev)
		return tool_usage(cmd, "give one of a file and --dev");
	if (s.dev) {
		ret = netdev_find(&dev, s.dev);
		if (ret)
			return tool_fail("%s: %s", s.dev, strerror(-ret));
		if (firmware_find(&dev, path, sizeof(path), s.why, sizeof(s.why)))
			return tool_fail("%s: %s", s.dev, s.why);
		s.path = path;
		memcpy(s.running, dev.firmware, sizeof(s.running));
	}
	return show(&s, symbols);
}
