// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * ioctl_32.c - the ioctls made by the kernel's 32-bit entry (int 0x80): result, errno and struct
 * must be those of the 64-bit call.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include "calls.h"

#define PAGE		4096
#define WAIT_MS		slowly(20000)	/* milliseconds after which a wait fails */
#define NR_GETPID	20	/* 32-bit system call numbers */
#define NR_IOCTL	54

static int card, rx, tx;
static char *low[2];		/* structs of the 64-bit and the 32-bit call, both below 4 GiB */

static long call32(long nr, long a, long b, long c)
{
	long ret;

	asm volatile("int $0x80" : "=a"(ret) : "a"(nr), "b"(a), "c"(b), "d"(c)
		     : "memory", "cc", "r8", "r9", "r10", "r11");
	return (int)ret;
}

static int ioctl32(int fd, unsigned long cmd, void *arg)
{
	long ret = call32(NR_IOCTL, fd, (long)cmd, (long)arg);

	if (ret >= 0)
		return (int)ret;
	errno = (int)-ret;
	return -1;
}

static sigjmp_buf back;

static void on_fault(int sig)
{
	siglongjmp(back, sig);
}

/* Say whether the kernel has the 32-bit entry. A kernel without it sends SIGSEGV. */
static bool has_32(void)
{
	struct sigaction old, sa = { .sa_handler = on_fault };
	volatile bool has = false;

	sigaction(SIGSEGV, &sa, &old);
	if (!sigsetjmp(back, 1))
		has = call32(NR_GETPID, 0, 0, 0) == getpid();
	sigaction(SIGSEGV, &old, NULL);
	return has;
}

/* Check that OPEN or PORT returned an fd, and close it, so that the next call gets its number. */
static bool opens(unsigned long cmd, void *arg)
{
	int fd = cmd == NFP_CHAN_IOC_OPEN ? ((struct nfp_chan_open *)arg)->fd :
					    ((struct nfp_chan_port *)arg)->fd;

	return !ioctl(fd, NFP_CHAN_IOC_LAYOUT, ARG(layout)) && !close(fd);
}

/* Make the call both ways: each must return @want (0 or an errno), with the same struct. */
static void same(int fd, unsigned long cmd, const void *arg, size_t size, int want,
		 const char *what)
{
	int ret[2], err[2], i;
	bool good = true;

	for (i = 0; i < 2; i++) {
		memset(low[i], 0xa5, PAGE);
		memcpy(low[i], arg, size);
		ret[i] = i ? ioctl32(fd, cmd, low[i]) : ioctl(fd, cmd, low[i]);
		err[i] = ret[i] ? errno : 0;
		if (!ret[i] && (cmd == NFP_CHAN_IOC_OPEN || cmd == NFP_CHAN_IOC_PORT))
			good = opens(cmd, low[i]) && good;
	}
	if (ok(good && ret[0] == ret[1] && err[0] == err[1] && err[1] == want &&
	       !memcmp(low[0], low[1], PAGE), "%s: %s", what, want ? strerror(want) : "the same"))
		return;
	printf("# 64 bits: %d, errno %d; 32 bits: %d, errno %d; structs %s\n", ret[0], err[0],
	       ret[1], err[1], memcmp(low[0], low[1], PAGE) ? "differ" : "are the same");
}

#define SAME(op, s, fd, want, ...)						\
	same(fd, NFP_CHAN_IOC_##op,						\
	     ARG(s, ##__VA_ARGS__), sizeof(struct nfp_chan_##s), want, #op)

static void of_the_card(void)
{
	SAME(INFO, info, card, 0);
	SAME(INFO, info, card, EINVAL, .flags = 1);
	SAME(QUERY, query, card, 0, .name = "tick");
	SAME(QUERY, query, card, ENOENT, .name = "tock");
	SAME(OPEN, open, card, 0, .name = "tick", .fd = -1, .ring_fd = -1, .port_fd = -1);
	SAME(OPEN, open, card, EINVAL, .name = "tick", .ring_size = 1, .ring_fd = -1,
	     .port_fd = -1);
	SAME(OPEN, open, card, EBADF, .name = "sink64", .flags = NFP_CHAN_OPEN_MAPPED, .ring_fd = 200,
	     .port_fd = -1);
	SAME(PORT, port, card, 0, .fd = -1);
	SAME(SIGNAL, signal, card, EOPNOTSUPP, .name = "echo-in");
	SAME(LAYOUT, layout, card, EOPNOTSUPP);
	same(card, _IO(NFP_CHAN_IOC_TYPE, 0x0e), ARG(info), sizeof(struct nfp_chan_info), ENOTTY,
	     "an unknown number");
}

static void of_a_channel(void)
{
	SAME(LAYOUT, layout, rx, 0);
	SAME(LAYOUT, layout, tx, 0);
	SAME(EVENTFD, eventfd, rx, 0, .fd = -1);
	SAME(EVENTFD, eventfd, rx, EBADF, .fd = 200);
	SAME(CANCEL, cancel, tx, ENOMSG, .seq = 1);
	SAME(SIGNAL, signal, rx, EOPNOTSUPP);
	SAME(ARM, arm, rx, 0);
	SAME(ARM, arm, rx, EINVAL, .flags = NFP_CHAN_ARM_SEQ);
	SAME(KICK, kick, rx, EBUSY, .units = 1);
	SAME(XDP_BIND, xdp_bind, rx, EBADF, .prog_fd = -1, .map_fd = card);
	SAME(XDP_UNBIND, xdp_bind, rx, ENOENT, .prog_fd = -1, .map_fd = card);
	SAME(LINK, link, rx, EINVAL, .to_fd = tx, .hdr = 1);
	SAME(LINK, link, rx, EFAULT, .to_fd = tx, .hdr = 4096, .hdr_len = 8);
	SAME(INFO, info, rx, EOPNOTSUPP);
}

static void addresses(void)
{
	fails(ioctl32(card, NFP_CHAN_IOC_INFO, NULL), EFAULT, "no struct");
	mprotect(low[1], PAGE, PROT_NONE);
	fails(ioctl32(card, NFP_CHAN_IOC_INFO, low[1]), EFAULT, "a struct that cannot be read");
	mprotect(low[1], PAGE, PROT_READ | PROT_WRITE);
}

/* Channels opened by 32-bit ioctls carry messages and signal an eventfd. */
static void use(void)
{
	struct nfp_chan_open *o = (void *)low[0];
	struct nfp_chan_eventfd *e = (void *)low[1];
	int fd[2], efd = eventfd(0, EFD_NONBLOCK), i;
	char buf[16];
	__u64 n = 0;

	close(rx);
	close(tx);
	for (i = 0; i < 2; i++) {
		*o = (struct nfp_chan_open){ .size = sizeof(*o), .fd = -1, .ring_fd = -1,
					     .port_fd = -1 };
		strcpy(o->name, i ? "echo-in" : "echo-out");
		if (ioctl32(card, NFP_CHAN_IOC_OPEN, o))
			die(o->name);
		fd[i] = o->fd;
	}
	ok(write(fd[1], "32 bits", 8) == 8 && read(fd[0], buf, sizeof(buf)) == 8 &&
	   !strcmp(buf, "32 bits"), "channels opened by 32 bits carry a message");
	*e = (struct nfp_chan_eventfd){ .size = sizeof(*e), .fd = efd };
	if (ioctl32(fd[1], NFP_CHAN_IOC_EVENTFD, e))
		die("EVENTFD");
	if (ioctl32(fd[0], NFP_CHAN_IOC_EVENTFD, e))
		die("EVENTFD");
	/* Clear the eventfd's count: an earlier interrupt may have signalled it. */
	if (read(efd, &n, sizeof(n)) < 0 && errno != EAGAIN)
		die("eventfd");
	is(events_of(fd[0], POLLIN, 0), 0, "armed by poll()");
	ok(write(fd[1], "again", 5) == 5 && events_of(efd, POLLIN, WAIT_MS) & POLLIN,
	   "an eventfd bound by 32 bits is signalled");
	close(fd[0]);
	close(fd[1]);
	close(efd);
}

int main(void)
{
	int i;

	if (!has_32()) {
		skip("ioctls by 32 bits", "this kernel has no IA32_EMULATION");
		return tap_done();
	}
	card = card_open(O_RDWR);
	rx = chan_must(card, "echo-out", NFP_CHAN_OPEN_NONBLOCK);
	tx = chan_must(card, "echo-in", NFP_CHAN_OPEN_NONBLOCK);
	for (i = 0; i < 2; i++) {
		low[i] = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
		if (low[i] == MAP_FAILED)
			die("mmap");
	}
	of_the_card();
	of_a_channel();
	addresses();
	use();
	is(card_info(card).pipe_used, 0, "no pipe is left open");
	return tap_done();
}
