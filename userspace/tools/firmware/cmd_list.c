// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* cmd_list.c - nfpchan firmware list: the memory that the sections of a firmware file take. */
#include <fw_space.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "../tool.h"

#define UNUSED	"unused"

static const char *memory_name(uint8_t mem)
{
	static const char *const names[] = {
		[FW_MEM_CODE] = "code", [FW_MEM_LOCAL] = "local", [FW_MEM_CLS] = "cls", [FW_MEM_MU] = "mu",
		[FW_MEM_EMU_CACHE] = "emu cache",
	};

	return mem < sizeof(names) / sizeof(*names) && names[mem] ? names[mem] : "other";
}

static void row(struct json *j, const struct fw_section *s)
{
	char place[16];

	if (!tool.json) {
		snprintf(place, sizeof(place), s->mem == FW_MEM_CODE || s->mem == FW_MEM_LOCAL ?
			 "i%u.me%u" : "i%u", s->island, s->me);
		printf("%-10s%-10s%#12" PRIx64 "%#12" PRIx64 "%12" PRIu64 "  %s\n", memory_name(s->mem), place,
		       s->addr, s->addr + s->size - 1, s->size, s->name);
		return;
	}
	json_object(j, NULL);
	json_str(j, "memory", memory_name(s->mem));
	json_u64(j, "island", s->island);
	if (s->mem == FW_MEM_CODE || s->mem == FW_MEM_LOCAL)
		json_u64(j, "me", s->me);
	json_u64(j, "address", s->addr);
	json_u64(j, "size", s->size);
	json_str(j, "section", s->name);
	json_bool(j, "contents", s->data != NULL);
	json_close(j);
}

static void used(struct json *j, const struct fw_image *img)
{
	unsigned int i;

	for (i = 0; i < img->sections; i++)
		if (img->section[i].mem != FW_MEM_NONE && img->section[i].size)
			row(j, &img->section[i]);
}

static void unused(struct json *j, const struct fw_image *img)
{
	uint64_t at = FW_EMEM_BASE;
	struct fw_space s;

	while (fw_space_next(img, FW_EMEM_ISLAND, &at, FW_EMEM_END, &s)) {
		const struct fw_section part = {
			.name = UNUSED, .mem = FW_MEM_MU, .island = FW_EMEM_ISLAND, .addr = s.from,
			.size = s.to - s.from,
		};

		row(j, &part);
	}
}

int cmd_firmware_list(const struct command *cmd, int argc, char **argv)
{
	bool only_unused = false;
	const struct tool_opt opts[] = {
		{ "unused", 'u', .flag = &only_unused },
		{ .name = NULL },
	};
	struct fw_image img;
	char why[256];
	struct json j;
	int ret = tool_options(cmd, argc, argv, opts, "FILE", 1);

	if (ret >= 0)
		return ret;
	if (fw_object_open(&img, argv[optind], why, sizeof(why)))
		return tool_fail("%s: %s", argv[optind], why);
	tool_json_rows(&j);
	if (tool.json)
		json_rows(&j, NULL);
	else
		printf("%-10s%-10s%12s%12s%12s  %s\n", "memory", "place", "from", "to", "bytes", "section");
	if (only_unused)
		unused(&j, &img);
	else
		used(&j, &img);
	if (tool.json) {
		json_rows_end(&j);
		json_end(&j);
	}
	fw_image_close(&img);
	return tool_flush();
}
