// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * storm_boot.c - the machine goes down under traffic: by a reset, or with another
 * kernel loaded that starts at once.
 *
 * usage: storm_boot restart
 *        storm_boot kexec KERNEL INITRD
 */
#define _GNU_SOURCE
#include <linux/reboot.h>
#include "storm.h"

/* With this boot's own command line. */
static void kexec_load(const char *kernel, const char *initrd)
{
	int kernel_fd = open(kernel, O_RDONLY | O_CLOEXEC);
	int initrd_fd = open(initrd, O_RDONLY | O_CLOEXEC);
	char line[2048];

	if (kernel_fd < 0 || initrd_fd < 0)
		die(kernel_fd < 0 ? kernel : initrd);
	if (!proc_read("/proc/cmdline", line, sizeof(line)))
		die("/proc/cmdline");
	line[strcspn(line, "\n")] = 0;
	if (syscall(SYS_kexec_file_load, kernel_fd, initrd_fd, strlen(line) + 1, line, 0L))
		die("kexec_file_load");
	close(kernel_fd);
	close(initrd_fd);
}

int main(int argc, char **argv)
{
	bool kexec = argc == 4 && !strcmp(argv[1], "kexec");

	if (!kexec && (argc != 2 || strcmp(argv[1], "restart"))) {
		fprintf(stderr, "usage: storm_boot restart | kexec KERNEL INITRD\n");
		return 2;
	}
	storm_init();
	if (kexec)
		kexec_load(argv[2], argv[3]);
	signal(SIGALRM, storm_alarm);
	alarm(LOOP_S);
	traffic_start();
	if (!ok(traffic_goes(100), "%s: channels are in use", argv[1]))
		return tap_done();
	alarm(0);
	syscall(SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2,
		kexec ? LINUX_REBOOT_CMD_KEXEC : LINUX_REBOOT_CMD_RESTART, NULL);
	die(argv[1]);
}
