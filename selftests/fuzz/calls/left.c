// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * left.c - check that programs have left nothing: pipes, vectors, lines of /proc/interrupts, own
 * files, locked memory of the user are as before, and the card still works.
 */
#define _GNU_SOURCE
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <nfp_chan_fw.h>

#include "calls.h"
#include "dir.h"
#include "fuzz.h"
#include "left.h"

#define WAIT_S	slowly(20)	/* files of ended processes may be closed a little later */
#define PIPE	20480	/* bytes of locked memory of a pipe with a ring of 4096 */

/**
 * struct left - resources in use
 * @pipes: pipes open on the card
 * @vectors: MSI-X vectors of the card's function
 * @lines: lines of the module in /proc/interrupts
 * @files: files of this process
 */
struct left {
	unsigned int pipes;
	unsigned int vectors;
	unsigned int lines;
	unsigned int files;
};

static struct left before;
static char pci[32];

static bool look(struct left *l)
{
	struct nfp_chan_info info = { .size = sizeof(info) };
	int fd = open("/dev/nfp_chan0", O_RDWR | O_CLOEXEC);
	char path[64];

	memset(l, 0, sizeof(*l));
	if (fd < 0 || ioctl(fd, NFP_CHAN_IOC_INFO, &info))
		return false;
	close(fd);
	l->pipes = info.pipe_used;
	memcpy(pci, info.pci, sizeof(pci));
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/msi_irqs", pci);
	l->vectors = dir_entries(path);
	l->files = dir_entries("/proc/self/fd");
	l->lines = lines_with("/proc/interrupts", "nfp_chan");
	return true;
}

/* With a limit of one pipe's memory, one pipe must open and no second. */
static int try_exact(int card)
{
	struct rlimit r = { PIPE, PIPE };

	if (setrlimit(RLIMIT_MEMLOCK, &r) || setresuid(setup.tester, setup.tester, setup.tester))
		return 1;
	if (chan_open(card, "load", 0, 4096) < 0)
		return 2;
	return chan_open(card, "load", 0, 4096) < 0 && errno == ENOMEM ? 0 : 3;
}

/* Check that no memory is charged to the user; return 0, or the step that failed. */
static int charged(void)
{
	int card = card_open(O_RDWR), status;
	pid_t pid = fork();

	if (!pid)
		_exit(try_exact(card));
	close(card);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

void left_init(void)
{
	if (!look(&before) || before.pipes) {
		printf("Bail out! the card: %s, %u pipes open\n", strerror(errno), before.pipes);
		exit(1);
	}
}

const char *left_pci(void)
{
	return pci;
}

/*
 * Wait until nothing is left. io_uring and sockets close their files a little later, and a close
 * frees the memory last.
 */
bool left_nothing(void)
{
	time_t end = time(NULL) + WAIT_S;
	bool same, good;
	struct left now;
	int step;

	do {
		same = look(&now) && !memcmp(&now, &before, sizeof(now));
		step = same ? charged() : 0;
		good = same && !step;
		if (!good)
			poll(NULL, 0, 10);
	} while (!good && time(NULL) < end);
	if (step)
		printf("# locked memory of user %u: not what it was (step %d)\n", setup.tester, step);
	if (!same)
		printf("# pipes %u, %u before; vectors %u, %u; interrupts %u, %u; files %u, %u\n",
		       now.pipes, before.pipes, now.vectors, before.vectors, now.lines,
		       before.lines, now.files, before.files);
	return good;
}

/* Check that a message comes back from echo, after all that is left there, and all pipes open. */
bool left_working(void)
{
	static const char token[] = "still there, after all these programs";
	int card = card_open(O_RDWR), rx, tx, fds[NFP_CHAN_FW_PIPE_MAX], n = 0;
	int pipes = card_info(card).pipe_count;
	bool found = false;
	char buf[2048];
	ssize_t len;

	rx = chan_open(card, "echo-out", 0, 0);
	tx = chan_open(card, "echo-in", 0, 0);
	if (write(tx, token, sizeof(token)) != sizeof(token))
		printf("# echo-in: %s\n", strerror(errno));
	while (!found && events_of(rx, POLLIN, WAIT_S * 1000)) {
		len = read(rx, buf, sizeof(buf));
		if (len < 0)
			break;
		found = len == sizeof(token) && !memcmp(buf, token, len);
	}
	if (!found)
		printf("# echo-out: the message does not come\n");
	close(rx);
	close(tx);
	while (n < NFP_CHAN_FW_PIPE_MAX && (fds[n] = chan_open(card, "load", 0, 4096)) >= 0)
		n++;
	if (n != pipes)
		printf("# %d of %d pipes can be opened: %s\n", n, pipes, strerror(errno));
	found &= n == pipes;
	while (n)
		close(fds[--n]);
	close(card);
	return found;
}
