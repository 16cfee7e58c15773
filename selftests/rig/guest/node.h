/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* node.h - the card's node, when nfp was bound again. */
#ifndef NODE_H
#define NODE_H

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

/* It is of this process' group once udev has seen it. */
static inline void node_wait(void)
{
	struct stat st;

	while (stat("/dev/nfp_chan0", &st) || st.st_gid != getgid())
		poll(NULL, 0, 10);
}

#endif /* NODE_H */
