// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* term.c - a terminal without line editing and echo, that shows another screen. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include "term.h"

/* The alternate screen of xterm, and no cursor; back again */
#define TAKE	"\033[?1049h\033[?25l"
#define RESTORE	"\033[?25h\033[?1049l"

static struct termios was;	/* the settings before */
static bool known;		/* they were read */
static bool taken;

bool term_usable(void)
{
	const char *name = getenv("TERM");

	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && name && *name && strcmp(name, "dumb");
}

int term_take(void)
{
	struct termios raw;

	if (!known && tcgetattr(STDIN_FILENO, &was))
		return -errno;
	known = true;
	raw = was;
	/* ISIG stays: Ctrl-C and Ctrl-Z send signals. */
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	if (tcsetattr(STDIN_FILENO, TCSANOW, &raw))
		return -errno;
	/* After SIGSTOP the settings were lost, and the screen was not. */
	if (!taken)
		fputs(TAKE, stdout);
	taken = true;
	return fflush(stdout) ? -errno : 0;
}

void term_restore(void)
{
	if (!taken)
		return;
	taken = false;
	fputs(RESTORE, stdout);
	fflush(stdout);
	tcsetattr(STDIN_FILENO, TCSADRAIN, &was);
}

int term_stop(void)
{
	sigset_t stop;

	term_restore();
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	raise(SIGTSTP);
	/* The process stops here. */
	sigprocmask(SIG_UNBLOCK, &stop, NULL);
	sigprocmask(SIG_BLOCK, &stop, NULL);
	return term_take();
}

void term_size(unsigned int *rows, unsigned int *cols)
{
	struct winsize size = { .ws_row = 0 };

	ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	*rows = size.ws_row ? size.ws_row : 24;
	*cols = size.ws_col ? size.ws_col : 80;
}
