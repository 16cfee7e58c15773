// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* near.c - find the name that a user has mistyped. */
#include <stdio.h>
#include <string.h>
#include "near.h"

#define EDITS	2	/* a name with more is no mistake */

static unsigned int least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Count the edits that turn one word into the other. Both have at most NEAR_NAME characters. */
static unsigned int distance(const char *a, const char *b)
{
	unsigned int d[NEAR_NAME + 1][NEAR_NAME + 1], i, j;

	for (j = 0; !j || b[j - 1]; j++)
		d[0][j] = j;
	for (i = 1; a[i - 1]; i++) {
		d[i][0] = i;
		for (j = 1; b[j - 1]; j++) {
			d[i][j] = least(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
					least(d[i - 1][j], d[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[strlen(a)][strlen(b)];
}

void near_begin(struct near *n, const char *word)
{
	*n = (struct near){ .word = word, .edits = least(EDITS, (unsigned int)strlen(word) / 3) + 1 };
}

void near_try(struct near *n, const char *name)
{
	unsigned int edits;

	if (strlen(name) > NEAR_NAME || strlen(n->word) > NEAR_NAME)
		return;
	edits = distance(n->word, name);
	if (edits >= n->edits)
		return;
	n->edits = edits;
	snprintf(n->name, sizeof(n->name), "%s", name);
}
