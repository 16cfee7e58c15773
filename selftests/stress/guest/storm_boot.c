// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * storm_boot.c - check that channels work on a card that the kernel before has used. While they
 * are in use, the machine resets, or starts another kernel by kexec. Or it stays up, and the rest
 * of the traffic is checked.
 *
 *
 * usage: storm_boot BOOT restart
 *        storm_boot BOOT kexec KERNEL INITRD
 *        storm_boot BOOT stay
 */
#define _GNU_SOURCE
#include <linux/reboot.h>
#include "lib/storm.h"

#define IN_USE	10	/* messages of each kind: more are under way when the machine resets */

/* Load a kernel with this boot's command line. */
static void kexec_load(const char *kernel, const char *initrd)
{
	int kernel_fd = open(kernel, O_RDONLY | O_CLOEXEC);
	int initrd_fd = open(initrd, O_RDONLY | O_CLOEXEC);
	char line[2048];

	if (kernel_fd < 0 || initrd_fd < 0)
		die(kernel_fd < 0 ? kernel : initrd);
	if (!proc_read("/proc/cmdline", line, sizeof(line)))
		die("/proc/cmdline");
	line[strlen(line) - 1] = 0;	/* the newline that /proc adds */
	if (syscall(SYS_kexec_file_load, kernel_fd, initrd_fd, strlen(line) + 1, line, 0L))
		die("kexec_file_load");
	close(kernel_fd);
	close(initrd_fd);
}

int main(int argc, char **argv)
{
	bool kexec = argc == 5 && !strcmp(argv[2], "kexec");
	bool stay = argc == 3 && !strcmp(argv[2], "stay");

	if (!kexec && !stay && (argc != 3 || strcmp(argv[2], "restart"))) {
		fprintf(stderr, "usage: storm_boot BOOT restart | kexec KERNEL INITRD | stay\n");
		return 2;
	}
	/* Number the tests on: each boot before had one test. */
	tap_count = atoi(argv[1]) - 1;
	storm_init();
	if (kexec)
		kexec_load(argv[3], argv[4]);
	alarm(LOOP_S);
	traffic_start();
	if (!ok(traffic_goes(GOES), "boot %s: channels work", argv[1]) || stay) {
		ok(traffic_stop(), "boot %s: all that was received is what was sent", argv[1]);
		return tap_done();
	}
	/* More traffic, so that the test's line is printed before the reset. */
	if (!traffic_goes(IN_USE))
		die("channels in use");
	alarm(0);
	syscall(SYS_reboot, LINUX_REBOOT_MAGIC1, LINUX_REBOOT_MAGIC2,
		kexec ? LINUX_REBOOT_CMD_KEXEC : LINUX_REBOOT_CMD_RESTART, NULL);
	die(argv[2]);
}
