// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* peer_cards.c - see peer_cards.h. */
#define _GNU_SOURCE
#include "peer_cards.h"

int card_nth(unsigned int n)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/dev/nfp_chan%u", n);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		die(path);
	return fd;
}

struct nfp_chan_query query(int dev, const char *name)
{
	struct nfp_chan_query q = { .size = sizeof(q) };

	snprintf(q.name, sizeof(q.name), "%s", name);
	if (ioctl(dev, NFP_CHAN_IOC_QUERY, &q))
		die(name);
	return q;
}

int peer_fds(int from, int to, unsigned int flags)
{
	struct nfp_chan_link l = { .size = sizeof(l), .flags = flags, .to_fd = to, .fd = -1 };

	return ioctl(from, NFP_CHAN_IOC_PEER, &l) ? -1 : l.fd;
}

void drive(const char *how, const char *pci)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/bus/pci/drivers/nfp/%s", how);
	file_put(path, pci);
}

long unbind_ms(const char *pci)
{
	uint64_t start = now_ns();

	drive("unbind", pci);
	return (long)((now_ns() - start) / 1000000);
}

long sleeps(pid_t pid)
{
	char path[32], line[128];
	long n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		sscanf(line, "voluntary_ctxt_switches: %ld", &n);
	if (f)
		fclose(f);
	return n;
}

int fault_open(int dev)
{
	char path[96];
	int cfg;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/config", card_info(dev).pci);
	cfg = open(path, O_RDWR | O_CLOEXEC);
	if (cfg < 0)
		die(path);
	return cfg;
}

void fault(int cfg, const char *text)
{
	char four[4];

	for (size_t i = 0; i <= strlen(text); i += 4) {
		memset(four, 0, sizeof(four));
		memcpy(four, text + i, strnlen(text + i, 4));
		if (pwrite(cfg, four, 4, FAULT) != 4)
			die(text);
	}
}
