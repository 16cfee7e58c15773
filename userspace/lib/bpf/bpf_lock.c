// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * bpf_lock.c - allow one opener of each map, and keep what the next opener must know.
 *
 * The kernel lets a second process put its perf events into a map's slots, and reports that to
 * nobody. Therefore each map that is open as a channel has a file, which its opener locks.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "bpf.h"

#define DIR_PATH	"/run/nfpchan"
#define FILE_PREFIX	"map-"

static void lock_path(uint32_t map_id, char buf[64])
{
	snprintf(buf, 64, DIR_PATH "/" FILE_PREFIX "%u", map_id);
}

/* Remove the files of maps that are gone. The kernel does not use a map's id again. */
static void sweep(void)
{
	struct dirent *de;
	char path[64];
	uint32_t id;
	DIR *dir;
	int fd;

	dir = opendir(DIR_PATH);
	if (!dir)
		return;
	while ((de = readdir(dir))) {
		if (strncmp(de->d_name, FILE_PREFIX, strlen(FILE_PREFIX)))
			continue;
		id = (uint32_t)strtoul(de->d_name + strlen(FILE_PREFIX), NULL, 10);
		fd = bpf_map_fd(id);
		if (fd == -ENOENT) {
			lock_path(id, path);
			unlink(path);
		} else if (fd >= 0) {
			close(fd);
		}
	}
	closedir(dir);
}

int bpf_lock(uint32_t map_id, struct bpf_share **share, uint32_t *pid)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct bpf_share s;
	char path[64];
	int fd, err;

	*pid = 0;
	if (mkdir(DIR_PATH, 0755) && errno != EEXIST)
		return -errno;
	sweep();
	lock_path(map_id, path);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (fd < 0)
		return -errno;
	if (fcntl(fd, F_OFD_SETLK, &whole)) {
		err = errno == EAGAIN || errno == EACCES ? -EBUSY : -errno;
		if (pread(fd, &s, sizeof(s), 0) == sizeof(s))
			*pid = s.pid;
		goto fail;
	}
	err = ftruncate(fd, sizeof(s)) ? -errno : 0;
	if (err)
		goto fail;
	*share = mmap(NULL, sizeof(s), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (*share != MAP_FAILED) {
		(*share)->pid = (uint32_t)getpid();
		return fd;
	}
	err = -errno;
fail:
	close(fd);
	return err;
}

void bpf_unlock(int fd, struct bpf_share *share)
{
	if (fd < 0)
		return;
	munmap(share, sizeof(*share));
	close(fd);
}

bool bpf_shared(uint32_t map_id, struct bpf_share *share)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	bool locked = false;
	char path[64];
	int fd;

	lock_path(map_id, path);
	memset(share, 0, sizeof(*share));
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return false;
	if (pread(fd, share, sizeof(*share), 0) != sizeof(*share))
		memset(share, 0, sizeof(*share));
	else
		locked = !fcntl(fd, F_OFD_GETLK, &whole) && whole.l_type != F_UNLCK;
	close(fd);
	return locked;
}

int bpf_lock_fail(struct nfpchan_card *card, const char *name, int err, uint32_t map_id,
		  uint32_t pid)
{
	if (err == -EBUSY)
		return card_fail(card, err, "%s: map %u is open as a channel already, by process %u",
				 name, map_id, pid);
	return card_fail(card, err, "%s: no lock for map %u in " DIR_PATH ": %s", name, map_id,
			 strerrordesc_np(-err));
}
