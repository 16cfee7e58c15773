/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* show.h - a firmware file, printed by nfpchan firmware show */
#ifndef NFPCHAN_SHOW_H
#define NFPCHAN_SHOW_H

#include <fw_image.h>
#include <fw_profile.h>
#include <stdbool.h>

/**
 * struct shown - what is printed
 * @path: the file
 * @dev: --dev, or NULL
 * @running: the version that ethtool -i shows of @dev
 * @img: the file's contents
 * @known: @p and @caps are valid
 * @why: why they are not
 */
struct shown {
	const char *path, *dev;
	char running[32];
	const struct fw_image *img;
	struct fw_profile p;
	struct fw_caps caps;
	bool known;
	char why[1024];
};

void show_plain(const struct shown *s, bool symbols);
void show_json(const struct shown *s);

#endif /* NFPCHAN_SHOW_H */
