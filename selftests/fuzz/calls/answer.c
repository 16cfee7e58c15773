// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * answer.c - check errnos: a call on the node or on a channel may return those that nfp_chan.h
 * names, and those that the kernel returns before it calls the module.
 *
 * The kind of an fd's file is looked up after the call. If another thread may have put another
 * file at that number meanwhile, nothing is checked.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

#define ERR_LAST	EHWPOISON	/* larger errnos are internal to the kernel */
#define SAY		20		/* wrong errnos that are printed, at most */

enum file { NODE = 1, CHANNEL = 2 };

/**
 * struct rule - errnos that a call may return
 * @what: number of the ioctl, or ON_*
 * @on: kind of file
 * @err: errnos, besides those of all ioctls; 0 ends the list
 */
struct rule {
	unsigned long what;
	enum file on;
	uint8_t err[20];
};

/* Errnos that nfp_chan.h names for all ioctls, without those that say which ioctls there are */
static const uint8_t of_ioctls[] = { EFAULT, EINVAL, E2BIG, ENODEV, EIO, ETIMEDOUT, 0 };

static const struct rule rules[] = {
	{ NFP_CHAN_IOC_INFO, NODE, { 0 } },
	{ NFP_CHAN_IOC_QUERY, NODE, { ENOENT } },
	{ NFP_CHAN_IOC_OPEN, NODE, { EACCES, EBADF, EBUSY, EDQUOT, EMFILE, ENFILE, EMSGSIZE, ENOENT,
				     ENOMEM, ENOSPC, EOPNOTSUPP, EPIPE, EPROTOTYPE, ESTALE, EXDEV } },
	{ NFP_CHAN_IOC_PORT, NODE, { EACCES, EOPNOTSUPP, ENOSPC, EDQUOT, ENOMEM, EMFILE,
				     ENFILE } },
	{ NFP_CHAN_IOC_SIGNAL, NODE, { EOPNOTSUPP, EACCES, ENOENT, EBUSY } },
	{ NFP_CHAN_IOC_SIGNAL, CHANNEL, { EOPNOTSUPP } },
	{ NFP_CHAN_IOC_LAYOUT, CHANNEL, { 0 } },
	{ NFP_CHAN_IOC_EVENTFD, CHANNEL, { EBADF } },
	{ NFP_CHAN_IOC_ARM, CHANNEL, { 0 } },
	{ NFP_CHAN_IOC_KICK, CHANNEL, { EBUSY } },
	{ NFP_CHAN_IOC_CANCEL, CHANNEL, { EALREADY, EBUSY, ENOMSG, EOPNOTSUPP } },
	{ NFP_CHAN_IOC_XDP_BIND, CHANNEL, { EBADF, EOPNOTSUPP, ENXIO, EXDEV, ENOENT, EBUSY,
					    ENOSPC, ENOMEM } },
	{ NFP_CHAN_IOC_XDP_UNBIND, CHANNEL, { EBADF, ENOENT } },
	{ NFP_CHAN_IOC_LINK, CHANNEL, { EBADF, EBUSY, EISCONN, EMSGSIZE, EOPNOTSUPP, EPIPE,
					EPROTOTYPE, EXDEV, EMFILE, ENFILE, ENOMEM } },
	{ NFP_CHAN_IOC_PEER, CHANNEL, { EBADF, EBUSY, EHOSTUNREACH, EINTR, EISCONN, EMSGSIZE,
					EOPNOTSUPP, EPERM, EPIPE, EPROTOTYPE, ERANGE, EXDEV,
					EMFILE, ENFILE, ENOMEM } },
	{ NFP_CHAN_IOC_DEVICE, CHANNEL, { EADDRNOTAVAIL, EBUSY, ENOENT, ENOMEM, ENXIO, EOPNOTSUPP,
					  EPERM, EHOSTUNREACH, ERANGE } },
	/*
	 * EINVAL, EOPNOTSUPP, ESPIPE: wrong length, flags or position. ETIMEDOUT: a message of a
	 * rendezvous is cancelled, and the firmware does not answer.
	 */
	{ ON_READ, CHANNEL, { EBADF, EBUSY, EMSGSIZE, EAGAIN, EPIPE, EIO, EINTR, EFAULT, ENOMEM,
			      ENODEV, EINVAL, EOPNOTSUPP, ESPIPE, EISCONN } },
	{ ON_WRITE, CHANNEL, { EBADF, EBUSY, EMSGSIZE, EAGAIN, EPIPE, EIO, ECANCELED, EINTR,
			       EFAULT, ENOMEM, ENODEV, EINVAL, EOPNOTSUPP, ESPIPE,
			       ETIMEDOUT, EISCONN } },
	/* EPERM: memory that may not be executable, or may not be locked */
	{ ON_MMAP, CHANNEL, { EINVAL, EACCES, ENODEV, ENOMEM, EAGAIN, EPERM } },
	/* The node has no read and no write. EBADF: the fd was not opened for it */
	{ ON_READ, NODE, { EBADF, EFAULT, EINVAL, EOPNOTSUPP, ESPIPE } },
	{ ON_WRITE, NODE, { EBADF, EFAULT, EINVAL, EOPNOTSUPP, ESPIPE } },
	{ ON_MMAP, NODE, { ENODEV, EACCES, ENOMEM, EAGAIN, EPERM } },
};

static unsigned int *wrong;	/* wrong errnos; shared by all processes */

void answer_init(void)
{
	wrong = mmap(NULL, sizeof(*wrong), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		     -1, 0);
	if (wrong == MAP_FAILED)
		die("mmap");
}

unsigned int answer_wrong(void)
{
	return __atomic_load_n(wrong, __ATOMIC_RELAXED);
}

static bool is_ioctl(unsigned long what)
{
	return _IOC_TYPE(what) == NFP_CHAN_IOC_TYPE;
}

static bool listed(const uint8_t *err, int e)
{
	while (*err && *err != e)
		err++;
	return *err;
}

static const struct rule *rule_of(unsigned long what, enum file on)
{
	unsigned int i;

	for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].on == on && rules[i].what == what)
			return &rules[i];
	return NULL;
}

/* An ioctl that is not for this kind of file returns EOPNOTSUPP, and an unknown one ENOTTY. */
static bool may_be(unsigned long what, enum file on, int e)
{
	const struct rule *r = rule_of(what, on);

	if (!r && (rule_of(what, NODE) || rule_of(what, CHANNEL) || what == NFP_CHAN_IOC_LINK_STAT))
		return e == EOPNOTSUPP;
	if (!r)
		return e == ENOTTY;
	return listed(r->err, e) || (is_ioctl(what) && listed(of_ioctls, e));
}

/* Find out a file's kind: of an ioctl that it knows, EFAULT. Reading /proc/self/fd is slower. */
static enum file file_of(int fd)
{
	if (ioctl(fd, NFP_CHAN_IOC_LAYOUT, NULL) && errno == EFAULT)
		return CHANNEL;
	return ioctl(fd, NFP_CHAN_IOC_INFO, NULL) && errno == EFAULT ? NODE : 0;
}

static void say(const struct call *c, int e, unsigned long what, int fd)
{
	const char *known = strerrorname_np(e);
	char number[16], path[32], name[96] = "";

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (readlink(path, name, sizeof(name) - 1) < 0)
		name[0] = 0;
	if (__atomic_fetch_add(wrong, 1, __ATOMIC_RELAXED) >= SAY)
		return;
	snprintf(number, sizeof(number), "%d", e);
	dprintf(STDOUT_FILENO, "# %s of %#lx on %s: %s %u %u %x %x %x\n", known ?: number, what,
		name, ops[c->op % op_count].name, c->a, c->b, c->x, c->y, c->z);
}

/*
 * Check the errno of a call, which has failed if @ret is negative. @what: the ioctl's number, or
 * ON_*. Return what result() returns.
 */
long answer(const struct call *c, int fd, unsigned long what, long ret)
{
	int e = errno;
	enum file on;

	if (ret >= 0 || (what > ON_MMAP && !is_ioctl(what)))
		return result(ret);
	if (fd < 0 || (may_be(what, NODE, e) && may_be(what, CHANNEL, e)))
		return -e;
	on = file_of(fd);
	if (on && !may_be(what, on, e) && files_calm())
		say(c, e, what, fd);
	return -e;
}

/* Check the result of any operation: it must not be an errno internal to the kernel. */
void answer_any(const struct call *c, long ret)
{
	if (ret < -ERR_LAST)
		say(c, -ret, 0, -1);
}
