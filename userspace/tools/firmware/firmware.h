/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* firmware.h - firmware files of the card: find them, and say what is in them. */
#ifndef NFPCHAN_FIRMWARE_H
#define NFPCHAN_FIRMWARE_H

#include <fw_image.h>
#include <stdbool.h>
#include <stddef.h>
#include "netdev.h"

/**
 * firmware_find() - find the file that the driver loads onto the card of an interface
 * @path: out: the file. A name that ends with .xz or .zst is that of a compressed file
 *
 * Looks for the names that the driver looks for (nfp_main.c, nfp_net_fw_find()), in the kernel's
 * folders of firmware. The card's flash may have firmware that the driver prefers, so compare with
 * firmware_runs().
 *
 * Return: 0, or -errno with the reason in @err: ENOENT if there is no such file.
 */
int firmware_find(const struct netdev *dev, char *path, size_t len, char *err, size_t errlen);

/*
 * Return the firmware's name in what ethtool -i shows, "" if there is none. @len: out: its length,
 * which the limit of 31 characters for all may have cut.
 */
const char *firmware_running(const char *version, size_t *len);
/* Whether the card runs firmware @name, by what ethtool -i shows. */
bool firmware_runs(const char *version, const char *name);

/* Read a fixed version of a PCI device, such as "board.id" (devlink dev info). Return 0 or -errno. */
int devlink_fixed(const char *pci, const char *name, char *value, size_t len);

/* Return what a microengine does, as its symbols tell, or NULL: not known. */
const char *me_role(const struct fw_image *img, unsigned int island, unsigned int me);

#endif /* NFPCHAN_FIRMWARE_H */
