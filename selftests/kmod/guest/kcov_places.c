// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * kcov_places.c - print the number of code places that KCOV reports for an unknown ioctl. In the
 * debug kernel only nfp_chan.ko is compiled for KCOV, so all these places are in nfp_chan.ko.
 */
#include <fcntl.h>
#include <linux/kcov.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#define WORDS 4096

static void die(const char *what)
{
	perror(what);
	exit(1);
}

int main(void)
{
	int kcov = open("/sys/kernel/debug/kcov", O_RDWR), card = open("/dev/nfp_chan0", O_RDWR);
	unsigned long *seen;

	if (kcov < 0 || card < 0)
		die("open");
	if (ioctl(kcov, KCOV_INIT_TRACE, WORDS))
		die("KCOV_INIT_TRACE");
	seen = mmap(NULL, WORDS * sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED, kcov, 0);
	if (seen == MAP_FAILED)
		die("mmap");
	if (ioctl(kcov, KCOV_ENABLE, KCOV_TRACE_PC))
		die("KCOV_ENABLE");
	ioctl(card, 0x4e7f, 0);
	if (ioctl(kcov, KCOV_DISABLE, 0))
		die("KCOV_DISABLE");
	printf("%lu\n", __atomic_load_n(&seen[0], __ATOMIC_RELAXED));
	return 0;
}
