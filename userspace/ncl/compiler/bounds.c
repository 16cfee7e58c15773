// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Bounds of array arguments. In C, the argument 'float data[16]' is a pointer, so neither the module
 * nor the debug information has the 16. Have clang print the declaration, and parse the text.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "front.h"
#include "annotate.h"
#include "bounds.h"

static char *printed(const char *name)
{
	char *path = temp_path("bounds.txt"), *s = NULL;
	size_t len = 0;
	FILE *f;
	int status, pid = clang_print(options.file, name, path);

	if (waitpid(pid, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status))
		internal("clang cannot print the declaration of %s", name);
	f = fopen(path, "r");
	if (!f || getdelim(&s, &len, 0, f) < 0)
		s = text("%s", "");
	if (f)
		fclose(f);
	free(path);
	return s;
}

/* The text after "void NAME("; NULL: no such declaration */
static const char *declaration(const char *s, const char *name)
{
	char *head = text("void %s(", name);
	const char *at = strstr(s, head);

	at = at ? at + strlen(head) : NULL;
	free(head);
	return at;
}

/* The bound of the argument at *@s, 0 if it has none. Advance *@s to the next argument. */
static unsigned int bound(const char **s)
{
	unsigned int depth = 0, n = 0;
	const char *c;

	for (c = *s; *c && (depth || (*c != ',' && *c != ')')); c++) {
		if (*c == '[' && !depth && isdigit((unsigned char)c[1]))
			n = strtoul(c + 1, NULL, 10);
		depth += !!strchr("([{<", *c);
		depth -= !!strchr(")]}>", *c);
	}
	*s = *c == ',' ? c + 1 : c;
	return n;
}

void read_bounds(struct kernel *k)
{
	unsigned int win[ARGS_MAX] = { 0 }, n = 0, i;
	bool known = true;
	char *s = NULL;
	const char *at = NULL;

	for (i = 0; i < k->args; i++)
		if (k->arg[i].array && !k->arg[i].count)
			s = s ?: printed(k->name);
	at = s ? declaration(s, k->name) : NULL;
	for (i = 0; i < k->args; i++) {
		struct param *a = &k->arg[i];
		unsigned int b = at ? bound(&at) : 0;

		if (!a->array)
			continue;
		win[n] = a->count ?: b ? window_trial(b) : 0;
		known &= win[n++] > 0;
	}
	free(s);
	if (!known)
		return;
	k->wins = n;
	memcpy(k->win, win, sizeof(win));
}
