// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * initrd-init.c - first process of the test VM: all of its file systems, then vm-init.
 *
 * In C, and static: by a shell it were thirty processes, which on the debug kernel take
 * half a second each, in every VM.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#define P9	"trans=virtio,version=9p2000.L,msize=262144"

struct fs {
	const char *source, *target, *type, *options;
	unsigned long flags;
};

static const struct fs first[] = {
	{ "dev", "/dev", "devtmpfs" },
	{ "proc", "/proc", "proc" },
};

/* The shared root, and what lies over it */
static const struct fs layers[] = {
	{ "root", "/lower", "9p", P9 ",cache=loose", MS_RDONLY },
	{ "rw", "/rw", "tmpfs", "mode=755" },
};

/* The tree may lie below /tmp. */
static const struct fs root[] = {
	{ "overlay", "/new", "overlay", "lowerdir=/lower,upperdir=/rw/upper,workdir=/rw/work" },
	{ "run", "/new/run", "tmpfs", "mode=755" },
	{ "tmp", "/new/tmp", "tmpfs", "mode=1777" },
	{ "run", "/new/run/vm", "9p", P9 ",cache=none" },
};

static const struct fs modules = {
	/* Of another kernel than the root's */
	"modules", "/new/lib/modules", "9p", P9 ",cache=loose", MS_RDONLY,
};

static const struct fs rest[] = {
	{ "/dev", "/new/dev", NULL, NULL, MS_MOVE },
	{ "/proc", "/new/proc", NULL, NULL, MS_MOVE },
	{ "sys", "/new/sys", "sysfs" },
	{ "devpts", "/new/dev/pts", "devpts", "gid=5,mode=620,ptmxmode=666" },
	{ "shm", "/new/dev/shm", "tmpfs", "mode=1777" },
	{ "debugfs", "/new/sys/kernel/debug", "debugfs" },
	{ "tracefs", "/new/sys/kernel/tracing", "tracefs" },
	{ "bpf", "/new/sys/fs/bpf", "bpf" },
	{ "cgroup", "/new/sys/fs/cgroup", "cgroup2" },
};

static const char * const links[][2] = {
	{ "/proc/self/fd", "/dev/fd" },
	{ "/proc/self/fd/0", "/dev/stdin" },
	{ "/proc/self/fd/1", "/dev/stdout" },
	{ "/proc/self/fd/2", "/dev/stderr" },
};

static void __attribute__((noreturn, format(printf, 1, 2))) fail(const char *fmt, ...)
{
	int err = errno, fd = open("/dev/kmsg", O_WRONLY);
	va_list ap;

	va_start(ap, fmt);
	dprintf(fd, "initrd: ");
	vdprintf(fd, fmt, ap);
	dprintf(fd, ": %s\n", strerror(err));
	reboot(RB_POWER_OFF);
	_exit(1);
}

static void mount_fs(const struct fs *fs)
{
	char *slash;
	char path[PATH_MAX];

	/* With what leads there */
	snprintf(path, sizeof(path), "%s/", fs->target);
	for (slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(path, 0755);
		*slash = '/';
	}
	if (mount(fs->source, fs->target, fs->type, fs->flags, fs->options))
		fail("cannot mount %s at %s", fs->source, fs->target);
}

#define MOUNT_ALL(tab) do { \
	for (size_t i_ = 0; i_ < sizeof(tab) / sizeof((tab)[0]); i_++) \
		mount_fs(&(tab)[i_]); \
} while (0)

/* What stands between the VM and its root, in this order. */
static void load_modules(void)
{
	FILE *f = fopen("/lib/order", "r");
	char name[NAME_MAX + 1], path[PATH_MAX];
	int fd;

	if (!f)
		fail("/lib/order");
	while (fscanf(f, "%255s", name) == 1) {
		snprintf(path, sizeof(path), "/lib/%s", name);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
			fail("cannot load %s", name);
		close(fd);
	}
	fclose(f);
}

/* A file of one line at most. */
static void read_line(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	if (n < 0)
		fail("%s", path);
	text[n] = 0;
	close(fd);
}

static void copy(const char *from, const char *to)
{
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out = open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0755);
	ssize_t n;

	while ((n = sendfile(out, in, NULL, 1 << 20)) > 0)
		;
	if (n < 0)
		fail("cannot copy %s", from);
	close(in);
	close(out);
}

/* nfpchan.probe: only whether the accelerator runs a kernel is asked. */
static void answer_probe(void)
{
	char cmdline[4096];
	int fd;

	read_line("/proc/cmdline", cmdline, sizeof(cmdline));
	if (!strstr(cmdline, "nfpchan.probe"))
		return;
	fd = open("/dev/ttyS0", O_WRONLY | O_NOCTTY);
	dprintf(fd, "nfpchan-probe-ok\n");
	fsync(fd);
	reboot(RB_POWER_OFF);
}

int main(void)
{
	char line[PATH_MAX], target[PATH_MAX + 8], script[PATH_MAX + 32];
	struct fs tree = { "tree", target, "9p", P9 ",cache=mmap" };
	struct utsname name;

	MOUNT_ALL(first);
	load_modules();
	answer_probe();
	MOUNT_ALL(layers);
	mkdir("/rw/upper", 0755);
	mkdir("/rw/work", 0755);
	MOUNT_ALL(root);
	mkdir("/new/run/initrd", 0755);
	copy("/bin/busybox", "/new/run/initrd/busybox");
	uname(&name);
	snprintf(target, sizeof(target), "/new/lib/modules/%s", name.release);
	if (access(target, F_OK))
		mount_fs(&modules);
	read_line("/new/run/vm/tree", line, sizeof(line));
	snprintf(target, sizeof(target), "/new%s", line);
	mount_fs(&tree);
	MOUNT_ALL(rest);
	if (chdir("/new") || mount(".", "/", NULL, MS_MOVE, NULL) || chroot("."))
		fail("cannot enter the root");
	for (size_t i = 0; i < sizeof(links) / sizeof(links[0]); i++) {
		unlink(links[i][1]);
		if (symlink(links[i][0], links[i][1]))
			fail("%s", links[i][1]);
	}
	snprintf(script, sizeof(script), "%s/scripts/vm-init", line);
	execl("/bin/bash", "/bin/bash", script, NULL);
	fail("cannot execute /bin/bash");
}
