/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * netns.h - enter network namespaces. `ip netns` keeps their names in NETNS_DIR, see ip-netns(8).
 */
#ifndef NCL_NETNS_H
#define NCL_NETNS_H

#include <stdint.h>

#define NETNS_DIR	"/run/netns"

/*
 * Enter a network namespace by its name or by its inode. A NULL name is the namespace that ncl
 * was started in. Return 0 or -errno; -ESRCH: no namespace that has a name has this inode.
 */
int netns_enter(const char *name);
int netns_enter_inode(uint64_t inode);

#endif /* NCL_NETNS_H */
