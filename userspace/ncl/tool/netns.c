// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* netns.c - enter network namespaces. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "ncl_state.h"
#include "netns.h"

#define INIT_NETNS	"/proc/1/ns/net"

/*
 * Returns a descriptor of the network namespace that ncl was started in. The first call must come
 * before ncl enters another namespace.
 */
static int home_fd(void)
{
	static int fd = -1;

	if (fd < 0)
		fd = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int enter_fd(int fd)
{
	return setns(fd, CLONE_NEWNET) ? -errno : 0;
}

static int enter_path(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = enter_fd(fd);
	close(fd);
	return ret;
}

int netns_enter(const char *name)
{
	char path[PATH_MAX];
	int home = home_fd();

	if (home < 0 || !name)
		return home < 0 ? home : enter_fd(home);
	if (strchr(name, '/') || *name == '.')
		return -EINVAL;
	snprintf(path, sizeof(path), NETNS_DIR "/%s", name);
	return enter_path(path);
}

static bool is_inode(int dir, const char *path, uint64_t inode)
{
	struct stat st;

	return !fstatat(dir, path, &st, 0) && st.st_ino == inode;
}

int netns_enter_inode(uint64_t inode)
{
	DIR *dir = NULL;
	struct dirent *e;
	struct stat st;
	int home = home_fd(), ret = -ESRCH;

	if (home < 0)
		return home;
	if (!fstat(home, &st) && st.st_ino == inode)
		return enter_fd(home);
	/* The network namespace of the init process has no name in NETNS_DIR. */
	if (is_inode(AT_FDCWD, INIT_NETNS, inode))
		return enter_path(INIT_NETNS);
	dir = opendir(NETNS_DIR);
	while (dir && ret == -ESRCH && (e = readdir(dir)))
		if (*e->d_name != '.' && is_inode(dirfd(dir), e->d_name, inode))
			ret = netns_enter(e->d_name);
	if (dir)
		closedir(dir);
	return ret;
}
