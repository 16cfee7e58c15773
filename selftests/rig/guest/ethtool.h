/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* ethtool.h - the statistics of a network interface. */
#ifndef ETHTOOL_H
#define ETHTOOL_H

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include "tap.h"

void ethtool(const char *dev, void *cmd);

/* Return one of ethtool's statistics. All calls must be for the same interface. */
uint64_t counter(const char *dev, const char *name);

#endif /* ETHTOOL_H */
