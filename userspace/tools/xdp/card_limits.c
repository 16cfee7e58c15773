// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * card_limits.c - the limits of the card that a program is for, by the options and the interface.
 *
 * Without --dev and --firmware it is a card with the vendor's public firmware. The driver does not
 * tell which helpers and maps the firmware of an interface offers. So take the profile whose name
 * ethtool -i shows, or else the file that the driver loads. The card's registers have the rest.
 */
#include <stdio.h>
#include <string.h>
#include "card_limits.h"
#include "firmware.h"

/* Take the limits of the firmware --firmware, and warn if the card of @d runs other firmware. */
static int told_firmware(struct limits *l, const char *name, const struct device *d)
{
	char err[512];
	size_t len;

	if (limits_firmware(l, name, err, sizeof(err))) {
		tool_fail("--firmware %s: %s", name, err);
		return EXIT_USAGE;
	}
	if (d && *d->net.firmware && !firmware_runs(d->net.firmware, l->firmware)) {
		const char *running = firmware_running(d->net.firmware, &len);

		fprintf(stderr, "nfpchan: %s runs firmware \"%.*s\", and --firmware is \"%s\"\n",
			d->net.name, (int)len, running, l->firmware);
	}
	return 0;
}

/* Find the file that the driver loads. Return false if that is not the firmware that runs. */
static bool file_firmware(const struct netdev *dev, char *path, size_t len)
{
	struct limits l;
	char err[512];
	size_t n;
	const char *running = firmware_running(dev->firmware, &n);

	if (firmware_find(dev, path, len, err, sizeof(err)))
		return false;
	if (limits_firmware(&l, path, err, sizeof(err))) {
		fprintf(stderr, "nfpchan: not used: %s: %s\n", path, err);
		return false;
	}
	if (firmware_runs(dev->firmware, l.firmware))
		return true;
	fprintf(stderr, "nfpchan: not used: %s has firmware \"%s\", and %s runs \"%.*s\"\n", path,
		l.firmware, dev->name, (int)n, running);
	return false;
}

const char *card_firmware(const struct netdev *dev, char *path, size_t len)
{
	if (firmware_runs(dev->firmware, fw_public.mip.name))
		return fw_public.name;
	if (firmware_runs(dev->firmware, fw_full.mip.name))
		return fw_full.name;
	return file_firmware(dev, path, len) ? path : NULL;
}

static int device_firmware(struct limits *l, const struct netdev *dev, char *err, size_t len)
{
	char path[300];
	const char *firmware = card_firmware(dev, path, sizeof(path));

	if (firmware)
		return limits_firmware(l, firmware, err, len);
	limits_unknown(l);
	return 0;
}

static void use_registers(struct limits *l, const struct limits *regs)
{
	if (!regs->known)
		return;
	l->words = regs->words;
	l->stack = regs->stack;
	l->inline_mtu = regs->inline_mtu;
	l->known = true;
}

static int read_device(struct limits *l, struct device *d, const char *dev, const char *firmware)
{
	struct limits regs = { .known = false };
	char err[256];
	int ret = 0;

	if (device_read(d, dev, &regs, err, sizeof(err))) {
		tool_fail("%s: %s", dev, err);
		return EXIT_USAGE;
	}
	if (firmware)
		ret = told_firmware(l, firmware, d);
	else if (device_firmware(l, &d->net, err, sizeof(err)))
		ret = tool_fail("%s: %s", dev, err);
	use_registers(l, &regs);
	return ret;
}

int card_limits(struct limits *l, const struct linking *told, const char *helpers,
		struct device *d, const char *dev)
{
	const char *firmware = told->firmware;
	char err[256];
	int ret = dev ? read_device(l, d, dev, firmware) :
			told_firmware(l, firmware ? firmware : fw_public.name, NULL);

	if (ret)
		return ret;
	if (helpers && limits_helpers(l, helpers, err, sizeof(err))) {
		tool_fail("--helpers %s: %s", helpers, err);
		return EXIT_USAGE;
	}
	l->words_told = told->words;
	if (told->words)
		l->words = (uint32_t)told->words;
	return 0;
}
