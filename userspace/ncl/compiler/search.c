// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Search for the largest window with which a program fits a card. Each step compiles the program
 * with another window in a child process, which prints nothing.
 */
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ncp.h"
#include "nclc.h"

/* Does the program fit a card if all window sizes are multiplied by @window / @of? */
static bool fits(const struct program *p, unsigned int window, unsigned int of)
{
	struct program again = { .module = p->module, .net = p->net };
	int status, null;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid < 0)
		return false;
	if (!pid) {
		null = open("/dev/null", O_WRONLY);
		dup2(null, STDERR_FILENO);
		options.quiet = options.card = true;
		options.window = window;
		options.of = of;
		program_read(&again);
		program_hash(&again);
		_exit(!compile_places(&again));
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && !WEXITSTATUS(status);
}

unsigned int largest_window(const struct program *p, unsigned int *of, bool fits_now)
{
	unsigned int good, bad, i, j;

	*of = 0;
	for (i = 0; i < p->kernels; i++)
		for (j = 0; j < p->kernel[i].wins; j++)
			if (p->kernel[i].win[j] > *of)
				*of = p->kernel[i].win[j];
	if (!*of)
		return 0;
	good = fits_now ? *of : 0;
	for (bad = fits_now ? 2 * *of : *of; bad <= NCP_DATA_MAX && fits_now && fits(p, bad, *of); bad *= 2)
		good = bad;
	while (good + 1 < bad) {
		unsigned int middle = (good + bad) / 2;

		if (fits(p, middle, *of))
			good = middle;
		else
			bad = middle;
	}
	return good;
}
