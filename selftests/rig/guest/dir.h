/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* dir.h - count the entries of a folder: descriptors of a process, vectors of a card. */
#ifndef DIR_H
#define DIR_H

#include <dirent.h>
#include <stdlib.h>

/* Return the entries of a folder, with "." and ".."; -1 with errno. */
static inline int dir_entries(const char *path)
{
	struct dirent **list;
	int n = scandir(path, &list, NULL, NULL), i;

	for (i = 0; i < n; i++)
		free(list[i]);
	if (n >= 0)
		free(list);
	return n;
}

#endif /* DIR_H */
