/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* node.h - wait for the card's node after nfp was bound again. */
#ifndef NODE_H
#define NODE_H

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

/* Wait until udev has made the node with the group of this process. */
static inline void node_wait(void)
{
	struct stat st;

	while (stat("/dev/nfp_chan0", &st) || st.st_gid != getgid())
		poll(NULL, 0, 10);
}

#endif /* NODE_H */
