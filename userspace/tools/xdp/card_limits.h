/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* card_limits.h - the limits of the card that a program is for */
#ifndef NFPCHAN_CARD_LIMITS_H
#define NFPCHAN_CARD_LIMITS_H

#include "explain.h"
#include "netdev.h"
#include "linking.h"

/*
 * Find the limits by --firmware and --words (@told), --helpers and --dev, each of which may be NULL
 * or 0. @d: out: the interface @dev. Returns 0, or the exit status with the reason printed.
 */
int card_limits(struct limits *l, const struct linking *told, const char *helpers,
		struct device *d, const char *dev);

/*
 * Return the firmware of a card: "public", "full", or the path of its file in @path; NULL if it is
 * not known.
 */
const char *card_firmware(const struct netdev *dev, char *path, size_t len);

#endif /* NFPCHAN_CARD_LIMITS_H */
