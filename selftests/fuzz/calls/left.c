// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * left.c - pipes, vectors, lines of /proc/interrupts, own files, memory charged
 * to the user: as many after programs as before; and a card that still works.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "dir.h"
#include "fuzz.h"
#include "left.h"

#define WAIT_S	20	/* files of ended processes may be closed a little later */
#define PIPE	20480	/* bytes that a pipe with a ring of 4096 locks */

/**
 * struct left - what is counted
 * @pipes: open on the card
 * @vectors: MSI-X vectors of its function
 * @lines: the module's in /proc/interrupts
 * @files: of this process
 */
struct left {
	unsigned int pipes;
	unsigned int vectors;
	unsigned int lines;
	unsigned int files;
};

static struct left before;
static char pci[32];

static int card_open(void)
{
	return open("/dev/nfp_chan0", O_RDWR | O_CLOEXEC);
}

static bool look(struct left *l)
{
	struct nfp_chan_info info = { .size = sizeof(info) };
	char line[512];
	int fd = card_open();
	FILE *f;

	memset(l, 0, sizeof(*l));
	if (fd < 0 || ioctl(fd, NFP_CHAN_IOC_INFO, &info))
		return false;
	close(fd);
	l->pipes = info.pipe_used;
	memcpy(pci, info.pci, sizeof(pci));
	snprintf(line, sizeof(line), "/sys/bus/pci/devices/%s/msi_irqs", pci);
	l->vectors = dir_entries(line);
	l->files = dir_entries("/proc/self/fd");
	f = fopen("/proc/interrupts", "r");
	while (f && fgets(line, sizeof(line), f))
		l->lines += strstr(line, "nfp_chan") != NULL;
	if (f)
		fclose(f);
	return true;
}

int chan_open(int card, const char *name, uint32_t ring)
{
	struct nfp_chan_open o = { .size = sizeof(o), .ring_size = ring, .fd = -1 };

	strncpy(o.name, name, sizeof(o.name) - 1);
	return ioctl(card, NFP_CHAN_IOC_OPEN, &o) ? -errno : o.fd;
}

/* The user may lock one pipe's memory: has it room for exactly that? */
static int try_exact(int card)
{
	struct rlimit r = { PIPE, PIPE };

	if (setrlimit(RLIMIT_MEMLOCK, &r) || setresuid(setup.tester, setup.tester, setup.tester))
		return 1;
	if (chan_open(card, "load", 4096) < 0)
		return 2;
	return chan_open(card, "load", 4096) == -ENOMEM ? 0 : 3;
}

/* 0, or which step of that went wrong. */
static int charged(void)
{
	int card = card_open(), status;
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
 * Files are closed a little later by io_uring, and those in sockets; of a close the
 * memory is given back last.
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

/* A message to the echo process, and back behind what programs have left there. */
bool left_working(void)
{
	static const char token[] = "still there, after all these programs";
	struct pollfd p = { .events = POLLIN };
	int card = card_open(), tx, fds[NFP_CHAN_FW_PIPE_MAX], n = 0, all;
	struct nfp_chan_info info = { .size = sizeof(info) };
	bool found = false;
	char buf[2048];
	ssize_t len;

	ioctl(card, NFP_CHAN_IOC_INFO, &info);
	p.fd = chan_open(card, "echo-out", 0);
	tx = chan_open(card, "echo-in", 0);
	if (write(tx, token, sizeof(token)) != sizeof(token))
		printf("# echo-in: %s\n", strerror(errno));
	while (!found && poll(&p, 1, WAIT_S * 1000) == 1) {
		len = read(p.fd, buf, sizeof(buf));
		if (len < 0)
			break;
		found = len == sizeof(token) && !memcmp(buf, token, len);
	}
	if (!found)
		printf("# echo-out: the message does not come\n");
	close(p.fd);
	close(tx);
	while ((all = chan_open(card, "load", 4096)) >= 0)
		fds[n++] = all;
	if (all != -ENOSPC || n != (int)info.pipe_count)
		printf("# %d of %u pipes can be opened: %s\n", n, info.pipe_count, strerror(-all));
	found &= n == (int)info.pipe_count;
	while (n)
		close(fds[--n]);
	close(card);
	return found;
}
