/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* pci_find.h - find PCI functions by vendor and device. */
#ifndef PCI_FIND_H
#define PCI_FIND_H

#include "chan_test.h"

#define PCI_DEVICES	"/sys/bus/pci/devices/"

/* Find function @nth, from 0 on, of a vendor and device such as "1234:11E8". */
static inline void pci_find(const char *ids, unsigned int nth, char slot[32])
{
	char path[320], text[32];
	struct dirent **list;
	int n = scandir(PCI_DEVICES, &list, NULL, alphasort);
	bool found = false;

	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof(path), PCI_DEVICES "%s/uevent", list[i]->d_name);
		snprintf(text, sizeof(text), "PCI_ID=%s", ids);
		if (!found && lines_with(path, text) && !nth--) {
			snprintf(slot, 32, "%.31s", list[i]->d_name);
			found = true;
		}
		free(list[i]);
	}
	if (!found)
		give_up(ids, "there is no such PCI function");
}

/* Write to a file of a function's folder. */
static inline void pci_put(const char *slot, const char *name, const char *text)
{
	char path[96];

	snprintf(path, sizeof(path), PCI_DEVICES "%s/%s", slot, name);
	file_put(path, text);
}

/* The address of BAR 0. */
static inline unsigned long long bar_start(const char *slot)
{
	unsigned long long start = 0;
	char path[96];
	FILE *f;

	snprintf(path, sizeof(path), PCI_DEVICES "%s/resource", slot);
	f = fopen(path, "r");
	if (!f || fscanf(f, "%llx", &start) != 1)
		die(path);
	fclose(f);
	return start;
}

/* Write @len bytes to a function's configuration space. */
static inline void config_put(const char *slot, off_t at, const void *bytes, size_t len)
{
	char path[96];
	int fd;

	snprintf(path, sizeof(path), PCI_DEVICES "%s/config", slot);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || pwrite(fd, bytes, len, at) != (ssize_t)len)
		die(path);
	close(fd);
}

#endif /* PCI_FIND_H */
