/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* peer_cards.h - helpers for tests of links between two cards. */
#ifndef PEER_CARDS_H
#define PEER_CARDS_H

#include <nfpchan/nfp_chan_peer.h>
#include "link_fds.h"

#define FAULT	0x5c0	/* register in configuration space: selftests/kmod/FAULTS.rst */

/* Open the node of card @n. */
static inline int card_nth(unsigned int n)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/dev/nfp_chan%u", n);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		die(path);
	return fd;
}

static inline struct nfp_chan_query query(int dev, const char *name)
{
	struct nfp_chan_query q = { .size = sizeof(q) };

	snprintf(q.name, sizeof(q.name), "%s", name);
	if (ioctl(dev, NFP_CHAN_IOC_QUERY, &q))
		die(name);
	return q;
}

static inline int peer_fds(int from, int to, unsigned int flags)
{
	struct nfp_chan_link l = { .size = sizeof(l), .flags = flags, .to_fd = to, .fd = -1 };

	return ioctl(from, NFP_CHAN_IOC_PEER, &l) ? -1 : l.fd;
}

static inline const char *via_name(unsigned int flags)
{
	return flags & NFP_CHAN_PEER_STAGE ? "staging" : "push";
}

static inline void drive(const char *how, const char *pci)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/bus/pci/drivers/nfp/%s", how);
	file_put(path, pci);
}

/* A detach may take so much longer: one command of 1 s, on a busy machine. */
#define MORE_MS	slowly(5000)

static inline long unbind_ms(const char *pci)
{
	uint64_t start = now_ns();

	drive("unbind", pci);
	return (long)((now_ns() - start) / 1000000);
}

/* Open the configuration space of a card, to which faults are written. */
static inline int fault_open(int dev)
{
	char path[96];
	int cfg;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/config", card_info(dev).pci);
	cfg = open(path, O_RDWR | O_CLOEXEC);
	if (cfg < 0)
		die(path);
	return cfg;
}

/* Write a fault's text to the register, four characters at a time, with a NUL at the end. */
static inline void fault(int cfg, const char *text)
{
	char four[4];

	for (size_t i = 0; i <= strlen(text); i += 4) {
		memset(four, 0, sizeof(four));
		memcpy(four, text + i, strnlen(text + i, 4));
		if (pwrite(cfg, four, 4, FAULT) != 4)
			die(text);
	}
}

#endif /* PEER_CARDS_H */
