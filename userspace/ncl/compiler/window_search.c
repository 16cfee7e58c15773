// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * Search for the largest window with which a program fits a card. Each step compiles the program
 * with another window in a child process, which prints nothing. A larger window can have fewer
 * words than a smaller one, so a plain binary search would not find the largest.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ncp.h"
#include "program.h"
#include "place.h"
#include "desc_out.h"
#include "window_search.h"

/**
 * struct search - what the search has found out
 * @p: the program
 * @of: its largest window, to which window sizes refer
 * @good: the largest window that is known to fit; 0: none
 * @window, @words: of the windows tried, the one with the fewest words per element; 0: none
 * @most: words that a card has
 * @tried: result of each window tried
 */
struct search {
	const struct program *p;
	unsigned int of, good, window, words, most;
	enum { NOT_TRIED, FITS, TOO_LONG, REFUSED } tried[NCP_DATA_MAX + 1];
};

/*
 * In the child: compile the program with all window sizes multiplied by @window / of. Write the
 * last place, which does not fit if the status is 1. If the program is refused, write nothing.
 */
static void trial(const struct search *s, unsigned int window, int to)
{
	struct program again = { .module = s->p->module, .net = s->p->net };
	unsigned int words = 0, i;
	bool good;

	dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
	options.quiet = options.card = true;
	options.window = window;
	options.of = s->of;
	program_read(&again);
	program_hash(&again);
	good = compile_places(&again);
	for (i = 0; i < again.places; i++)
		if (again.place[i].words > words)
			words = again.place[i].words;
	if (write(to, (unsigned int []){ words, again.place[0].words_most }, 2 * sizeof(words)) < 0)
		_exit(EXIT_REFUSED);
	_exit(!good);
}

/* Does the program fit a card with windows of @window elements? */
static bool fits(struct search *s, unsigned int window)
{
	unsigned int got[2] = { 0 };
	int status, pipes[2];
	pid_t pid;

	if (s->tried[window])
		return s->tried[window] == FITS;
	s->tried[window] = REFUSED;
	fflush(NULL);
	if (pipe(pipes))
		return false;
	pid = fork();
	if (!pid)
		trial(s, window, pipes[1]);
	close(pipes[1]);
	if (pid > 0 && read(pipes[0], got, sizeof(got)) == sizeof(got) && waitpid(pid, &status, 0) == pid)
		s->tried[window] = WIFEXITED(status) && !WEXITSTATUS(status) ? FITS : TOO_LONG;
	else if (pid > 0)
		waitpid(pid, NULL, 0);
	close(pipes[0]);
	if (got[0] && (!s->words || (uint64_t)got[0] * s->window < (uint64_t)s->words * window)) {
		s->window = window;
		s->words = got[0];
		s->most = got[1];
	}
	if (s->tried[window] == FITS && window > s->good)
		s->good = window;
	return s->tried[window] == FITS;
}

/*
 * The window sizes that are tried first: 1, 2, 3, and 4, 5, 6 and 7 times each power of two. A
 * variable's layout has several elements in a unit, of which a window must be a multiple
 * (layout.c). These sizes are multiples of large units, so they have few words per element. Other
 * sizes may have twice as many words as a larger one of these.
 */
static unsigned int round_size(unsigned int i)
{
	return i < 3 ? i + 1 : (4 + (i - 3) % 4) << (i - 3) / 4;
}

#define ROUND_SIZES	40	/* the last one is larger than NCP_DATA_MAX */

/* Find the largest round size that fits, and try the sizes up to twice as large. */
static void search_round(struct search *s, unsigned int *next)
{
	unsigned int low = 0, high = ROUND_SIZES, middle, i;

	while (low < high) {
		middle = (low + high) / 2;
		if (round_size(middle) <= NCP_DATA_MAX &&
		    (round_size(middle) <= s->good || fits(s, round_size(middle))))
			low = middle + 1;
		else
			high = middle;
	}
	*next = round_size(low);
	for (i = low; i < low + 4 && round_size(i) <= NCP_DATA_MAX; i++)
		fits(s, round_size(i));
}

unsigned int largest_window(const struct program *p, unsigned int *of, bool fits_now)
{
	static struct search s;
	unsigned int i, j, next, top;

	s.p = p;
	for (i = 0; i < p->kernels; i++)
		for (j = 0; j < p->kernel[i].wins; j++)
			if (p->kernel[i].win[j] > s.of)
				s.of = p->kernel[i].win[j];
	*of = s.of;
	if (!s.of)
		return 0;
	s.good = fits_now ? s.of : 0;
	search_round(&s, &next);
	/*
	 * A larger window fits only if its words per element are no more than the card's words allow.
	 * No size is expected to have fewer than the best one that was tried.
	 */
	top = next <= NCP_DATA_MAX && s.tried[next] == TOO_LONG ?
	      (uint64_t)s.most * s.window / s.words : next - 1;
	for (top = top < NCP_DATA_MAX ? top : NCP_DATA_MAX; top > s.good && !fits(&s, top); top--)
		;
	return s.good;
}
