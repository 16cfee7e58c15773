/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* link_fds.h - helpers for tests that link channels of a card by ioctl. */
#ifndef LINK_FDS_H
#define LINK_FDS_H

#include "chan_test.h"

int link_fds(int from, int to, unsigned int flags);
int link_must(int from, int to);
struct nfp_chan_link_stat link_stat(int fd);
void order(int ctl, uint32_t count, uint32_t target);

/* Read messages from @fd. Return whether their numbers run from @seq + 1 to @last without a gap. */
bool rest_comes(int fd, uint64_t seq, uint64_t last);

/* Open a channel to the host for a link. The process cannot receive from it. */
int from_open(int dev, const char *name);

/* Open echo-out with a ring of 4096 bytes. Further messages have to wait on the card. */
int out_open(int dev);

#endif /* LINK_FDS_H */
