/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compat.h - what changed in the kernel's interfaces since 6.8, the floor set
 * by anon_inode_create_getfile(). The code is written for the newest form.
 */
#ifndef NFPC_COMPAT_H
#define NFPC_COMPAT_H

#include <linux/netdevice.h>
#include <linux/version.h>

#if KERNEL_VERSION(6, 8, 0) > LINUX_VERSION_CODE
#error "nfp_chan needs Linux 6.8 or later: files with an inode that security modules label"
#endif

#if KERNEL_VERSION(6, 9, 0) > LINUX_VERSION_CODE
/* A bit-field until then, which READ_ONCE() does not take. */
#define nfpc_reg_state(netdev)	((netdev)->reg_state)
#else
#define nfpc_reg_state(netdev)	READ_ONCE((netdev)->reg_state)
#endif

#endif /* NFPC_COMPAT_H */
