/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fw_graft.h - put code of our own into a vendor's firmware file.
 *
 * The file gives up workers, which are microengines that process packets, and gets our code, local
 * memory and objects in EMEM in their place. What was known when this was written comes from the
 * files themselves and from public sources. **No card has loaded such a file yet.**
 *
 * An object is an ELF file of machine 0x6000 with these sections, each described by its sh_info as
 * in a firmware file:
 *	code		one for each microengine, at address 0. Each global function symbol (STT_FUNC) is
 *			where a context begins: contexts 0, 1, ... in the order of the symbols.
 *			Without any, all eight begin at address 0
 *	local memory	of these microengines, each at its address
 *	MU, address 0	a place in EMEM is found for it, with the alignment of the section
 * Its relocations (SHT_RELA) are those of fw_code.h. A symbol is one of the object's EMEM sections,
 * of another object, or a run-time symbol of the image. Global symbols of EMEM sections become
 * run-time symbols, and `ethtool -w` reads them (fw_dump.h).
 */
#ifndef FW_GRAFT_H
#define FW_GRAFT_H

#include <stdbool.h>

#include "fw_edit.h"

#define FW_GRAFT_SUFFIX	"+c"	/* what the version gets */

/* A microengine whose worker is given up for code that does nothing */
struct fw_graft_idle {
	uint8_t island;
	uint8_t me;
};

/**
 * struct fw_graft - what is grafted
 * @object: objects, opened with fw_object_open(). Only read
 * @path: of each object, for messages
 * @idle: microengines that get code that does nothing
 */
struct fw_graft {
	const struct fw_image *object;
	const char *const *path;
	unsigned int objects;
	const struct fw_graft_idle *idle;
	unsigned int idles;
};

/*
 * Get the microengines of a file that have grafted code: @i counts from 0. A note of the file names
 * them. Return: false behind the last one.
 */
bool fw_grafted(const struct fw_image *img, unsigned int i, unsigned int *island, unsigned int *me);

/**
 * fw_graft() - change an open firmware file
 *
 * Return: 0, -ENOMEM, or -EINVAL with the reason in @err: the file or an object has a layout that is
 * unknown, the microengine cannot be given up, a symbol is missing or exists twice, there is no
 * room. After a failure, close the image.
 */
int fw_graft(struct fw_image *img, const struct fw_graft *g, char *err, size_t errlen);

#endif /* FW_GRAFT_H */
