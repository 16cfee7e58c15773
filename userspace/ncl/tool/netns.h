/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* netns.h - network namespaces that have a name in NETNS_DIR, as ip-netns(8) gives it. */
#ifndef NCL_NETNS_H
#define NCL_NETNS_H

#include <stdint.h>

#define NETNS_DIR	"/run/netns"

/*
 * Enter a namespace, by its name (NULL: the one that the program was started in) or by its
 * inode. -errno; by inode, -ESRCH: none of this name.
 */
int netns_enter(const char *name);
int netns_enter_inode(uint64_t inode);

#endif /* NCL_NETNS_H */
