/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* card.h - the card handle, as the library's own files see it. */
#ifndef NFPCHAN_CARD_H
#define NFPCHAN_CARD_H

#include <pthread.h>
#include <sys/types.h>
#include "nfpchan.h"

/**
 * struct nfpchan_card - an open card
 * @fd: /dev/nfp_chanN
 * @path: its name
 * @dev: its device number
 * @lock: guards @text
 * @text: the last failure
 */
struct nfpchan_card {
	int fd;
	char path[64];
	dev_t dev;
	pthread_mutex_t lock;
	char text[256];
};

/* Keep the text of a failure; returns @code. */
int card_fail(struct nfpchan_card *card, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Copy the name of a channel into a request, if it fits. */
int card_name(struct nfpchan_card *card, char to[NFP_CHAN_NAME_LEN], const char *name);

/* ioctl() that returns -errno. */
int card_ioctl(int fd, unsigned long nr, void *arg);

#endif /* NFPCHAN_CARD_H */
