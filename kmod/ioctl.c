// SPDX-License-Identifier: GPL-2.0-only
/*
 * ioctl.c - from an ioctl's number and user struct to its function and back.
 */
#include <linux/file.h>
#include <linux/nospec.h>
#include <linux/uaccess.h>
#include "card.h"

static const struct nfpc_ioctl *ioctl_find(const struct nfpc_ioctl *tab,
					   unsigned int count, unsigned int cmd)
{
	unsigned int i;

	for (i = 0; i < count; i++)
		if (tab[i].cmd == cmd)
			return &tab[array_index_nospec(i, count)];
	return NULL;
}

/* True: this kernel has the ioctl, but for another kind of file. */
static bool ioctl_known(unsigned int cmd)
{
	switch (cmd) {
	case NFP_CHAN_IOC_INFO ... NFP_CHAN_IOC_KICK:
	case NFP_CHAN_IOC_PEER ... NFP_CHAN_IOC_DEVICE:
		return true;
	}
	return false;
}

/*
 * Every struct starts with its size. copy_struct_from_user() sets the fields that the
 * caller's struct lacks to 0, and answers E2BIG when a field that this module does not
 * know is not 0.
 */
long nfpc_ioctl(const struct nfpc_ioctl *tab, unsigned int count,
		struct file *file, unsigned int cmd, unsigned long arg)
{
	void __user *uarg = (void __user *)arg;
	const struct nfpc_ioctl *op;
	u64 buf[NFPC_ARG_MAX / sizeof(u64)];
	u32 size;
	int err;

	op = ioctl_find(tab, count, cmd);
	if (!op)
		return ioctl_known(cmd) ? -EOPNOTSUPP : -ENOTTY;
	if (get_user(size, (u32 __user *)uarg))
		return -EFAULT;
	if (size < op->min)
		return -EINVAL;
	/* No header makes a struct that large: do not search megabytes for a byte that is not 0. */
	if (size > PAGE_SIZE)
		return -E2BIG;
	err = copy_struct_from_user(buf, op->size, uarg, size);
	if (err)
		return err;
	/* Another thread may have changed the size in user memory since. */
	*(u32 *)buf = min(size, op->size);
	err = op->fn(file, buf, uarg);
	if (err || !op->out)
		return err;
	return copy_to_user(uarg, buf, min(size, op->size)) ? -EFAULT : 0;
}

/**
 * nfpc_fd_install() - give a file to the process
 * @fd: an unused fd, which is put if the function fails
 * @file: the file, or an error, which is returned
 * @ufd: where user space finds the fd
 *
 * Return: 0, the error, or -EFAULT. The file is put then. Its release runs later, but before this
 * thread is back in user space.
 */
int nfpc_fd_install(int fd, struct file *file, __s32 __user *ufd)
{
	int err = PTR_ERR_OR_ZERO(file);

	if (!err && put_user(fd, ufd)) {
		fput(file);
		err = -EFAULT;
	}
	/* Once installed the fd belongs to the process, so nothing may fail. */
	if (err)
		put_unused_fd(fd);
	else
		fd_install(fd, file);
	return err;
}
