// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * find.c - find the firmware file of an interface's card where the driver looks for it, and what
 * the driver says of the firmware that runs.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <linux/ethtool.h>
#include <linux/pci_regs.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "firmware.h"

#define NAME_LEN	128
#define PORTS_MAX	16
#define CONFIG_SIZE	4096

/**
 * struct card - the card of an interface
 * @dev: the interface
 * @why: why a name of a file is not known, for the message; "" if all are known
 */
struct card {
	const struct netdev *dev;
	char why[200];
};

/* Read a line of a file of an interface in sysfs. Return false if there is none. */
static bool read_line(const char *dev, const char *file, char *line, size_t len)
{
	char path[PATH_MAX];
	FILE *f;
	bool ok;

	snprintf(path, sizeof(path), "/sys/class/net/%s/%s", dev, file);
	f = fopen(path, "re");
	if (!f)
		return false;
	ok = fgets(line, (int)len, f);
	fclose(f);
	line[ok ? strcspn(line, "\n") : 0] = 0;
	return ok;
}

/* ---- the file's names ---- */

static uint32_t config32(const uint8_t *config, unsigned int at)
{
	return config[at] | config[at + 1] << 8 | config[at + 2] << 16 | (uint32_t)config[at + 3] << 24;
}

/* Find the serial number in the extended capabilities. Return its offset, 0 if there is none. */
static unsigned int config_serial(const uint8_t *config, size_t len)
{
	unsigned int at = PCI_CFG_SPACE_SIZE, left;

	for (left = CONFIG_SIZE / 8; left && at >= PCI_CFG_SPACE_SIZE && at + 12 <= len; left--) {
		uint32_t head = config32(config, at);

		if (PCI_EXT_CAP_ID(head) == PCI_EXT_CAP_ID_DSN)
			return at;
		at = PCI_EXT_CAP_NEXT(head);
	}
	return 0;
}

/* serial-XX-XX-XX-XX-XX-XX-IFACE: the two halves of the serial number, of which the last 16 bits
 * are the interface.
 */
static void name_serial(struct card *c, char *name)
{
	uint8_t config[CONFIG_SIZE];
	char path[PATH_MAX];
	uint32_t low, high;
	unsigned int at;
	size_t len = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/config", c->dev->bus);
	f = fopen(path, "re");
	if (f) {
		len = fread(config, 1, sizeof(config), f);
		fclose(f);
	}
	*name = 0;
	at = config_serial(config, len);
	if (!at) {
		if (len < PCI_CFG_SPACE_SIZE)
			snprintf(c->why, sizeof(c->why), "the card's serial number is readable only by root");
		return;
	}
	low = config32(config, at + 4);
	high = config32(config, at + 8);
	snprintf(name, NAME_LEN, "serial-%02x-%02x-%02x-%02x-%02x-%02x-%02x-%02x.nffw",
		 high >> 24, high >> 16 & 0xff, high >> 8 & 0xff, high & 0xff, low >> 24,
		 low >> 16 & 0xff, low >> 8 & 0xff, low & 0xff);
}

/**
 * struct port - a port of a card
 * @name: as the driver names it, such as "p0"
 * @dev: its interface
 * @gbits: its speed, 0 if not known
 */
struct port {
	char name[32];
	char dev[NAME_MAX + 1];
	int gbits;
};

static int by_name(const void *a, const void *b)
{
	return strverscmp(((const struct port *)a)->name, ((const struct port *)b)->name);
}

static bool pci_of(const char *dev, char *pci, size_t len)
{
	char path[PATH_MAX], real[PATH_MAX];

	snprintf(path, sizeof(path), "/sys/class/net/%s/device", dev);
	if (!realpath(path, real))
		return false;
	snprintf(pci, len, "%s", basename(real));
	return true;
}

/* List the ports of a card, in the order of their names. Return their number. */
static unsigned int ports_of(const struct card *c, struct port *port)
{
	DIR *dir = opendir("/sys/class/net");
	char pci[32], speed[16];
	unsigned int n = 0;
	struct dirent *e;

	while (dir && n < PORTS_MAX && (e = readdir(dir))) {
		struct port *p = &port[n];

		if (*e->d_name == '.' || !pci_of(e->d_name, pci, sizeof(pci)) || strcmp(pci, c->dev->bus))
			continue;
		if (!read_line(e->d_name, "phys_port_name", p->name, sizeof(p->name)) ||
		    *p->name != 'p')
			continue;
		snprintf(p->dev, sizeof(p->dev), "%s", e->d_name);
		p->gbits = read_line(p->dev, "speed", speed, sizeof(speed)) ? atoi(speed) / 1000 : 0;
		n++;
	}
	if (dir)
		closedir(dir);
	qsort(port, n, sizeof(*port), by_name);
	return n;
}

/*
 * nic_PART_NxS: the part number of the board, and for each group of ports with the same speed their
 * number and speed. The driver prefers the part number nffw.partno, which devlink does not have.
 */
static void name_board(struct card *c, char *name)
{
	struct port port[PORTS_MAX];
	unsigned int ports, i, same;
	char part[64];
	int n, ret;

	*name = 0;
	ret = devlink_fixed(c->dev->bus, "board.id", part, sizeof(part));
	if (ret) {
		snprintf(c->why, sizeof(c->why), "the board's part number is not known (devlink dev info pci/%s: %s)",
			 c->dev->bus, strerror(-ret));
		return;
	}
	ports = ports_of(c, port);
	n = snprintf(name, NAME_LEN, "nic_%s", part);
	for (i = 0; i < ports && n < NAME_LEN; i += same) {
		if (port[i].gbits <= 0) {
			snprintf(c->why, sizeof(c->why), "the speed of port %.60s is not known while it has no link",
				 port[i].dev);
			*name = 0;
			return;
		}
		for (same = 1; i + same < ports && port[i + same].gbits == port[i].gbits; same++)
			;
		n += snprintf(name + n, NAME_LEN - (size_t)n, "_%ux%d", same, port[i].gbits);
	}
	if (n < NAME_LEN)
		snprintf(name + n, NAME_LEN - (size_t)n, ".nffw");
}

/* ---- the folders ---- */

/* Look for a file in the kernel's folders of firmware (firmware_loader/main.c, fw_path[]). */
static bool look(const char *name, const char *suffix, char *path, size_t len)
{
	static const char *const formats[] = {
		"/lib/firmware/updates/%s", "/lib/firmware/updates", "/lib/firmware/%s", "/lib/firmware",
	};
	char own[PATH_MAX] = "", dir[PATH_MAX];
	struct utsname u;
	unsigned int i;
	FILE *f;

	f = fopen("/sys/module/firmware_class/parameters/path", "re");
	if (f && fgets(own, sizeof(own), f))
		own[strcspn(own, "\n")] = 0;
	if (f)
		fclose(f);
	uname(&u);
	for (i = 0; i <= sizeof(formats) / sizeof(*formats); i++) {
		if (i)
			snprintf(dir, sizeof(dir), formats[i - 1], u.release);
		else
			snprintf(dir, sizeof(dir), "%s", own);
		if (*dir && snprintf(path, len, "%s/netronome/%s%s", dir, name, suffix) < (int)len &&
		    !access(path, F_OK))
			return true;
	}
	return false;
}

int firmware_find(const struct netdev *dev, char *path, size_t len, char *err, size_t errlen)
{
	static const char *const suffixes[] = { "", ".zst", ".xz" };
	struct card c = { .dev = dev };
	char name[3][NAME_LEN];
	unsigned int i, j;
	size_t n;

	if (strcmp(dev->driver, "nfp")) {
		snprintf(err, errlen, "its driver is \"%s\", not nfp", dev->driver);
		return -ENODEV;
	}
	name_serial(&c, name[0]);
	snprintf(name[1], sizeof(name[1]), "pci-%s.nffw", dev->bus);
	name_board(&c, name[2]);
	for (i = 0; i < 3; i++)
		for (j = 0; *name[i] && j < 3; j++)
			if (look(name[i], suffixes[j], path, len))
				return 0;
	n = (size_t)snprintf(err, errlen, "no firmware file in /lib/firmware/netronome: looked for");
	for (i = 0; i < 3; i++)
		if (*name[i] && n < errlen)
			n += (size_t)snprintf(err + n, errlen - n, " %s", name[i]);
	if (*c.why && n < errlen)
		snprintf(err + n, errlen - n, "; %s", c.why);
	return -ENOENT;
}

/* ---- the firmware that runs ---- */

/* The driver shows: version of the vNIC, version of the NSP, name of the firmware, application. */
const char *firmware_running(const char *version, size_t *len)
{
	const char *p = strchr(version, ' ');

	p = p ? strchr(p + 1, ' ') : NULL;
	*len = p ? strcspn(p + 1, " ") : 0;
	return p ? p + 1 : "";
}

bool firmware_runs(const char *version, const char *name)
{
	size_t len;
	const char *running = firmware_running(version, &len);
	bool cut = strlen(version) == ETHTOOL_FWVERS_LEN - 1 && !running[len];

	return len && !strncmp(running, name, len) && (cut || !name[len]);
}
