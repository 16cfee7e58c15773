/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compat.h - what changed in the kernel's interfaces since 6.2, the floor set
 * by pci_msix_alloc_irq_at(). The code is written for the newest form.
 */
#ifndef NFPC_COMPAT_H
#define NFPC_COMPAT_H

#include <linux/eventfd.h>
#include <linux/mm.h>
#include <linux/netdevice.h>
#include <linux/version.h>

#if KERNEL_VERSION(6, 2, 0) > LINUX_VERSION_CODE
#error "nfp_chan needs Linux 6.2 or later: MSI-X vectors allocated one by one"
#endif

#if KERNEL_VERSION(6, 3, 0) > LINUX_VERSION_CODE
/* vm_flags could be written by anybody until then. */
static inline void vm_flags_mod(struct vm_area_struct *vma, vm_flags_t set,
				vm_flags_t clear)
{
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
}
#endif

#if KERNEL_VERSION(6, 3, 0) > LINUX_VERSION_CODE
/* Programs that are only bound to a device came then, with another name. */
#define bpf_prog_is_offloaded(aux)	((aux)->offload_requested)
#endif

/* The count, which was 1 for all callers, went. */
#if KERNEL_VERSION(6, 8, 0) > LINUX_VERSION_CODE
#define nfpc_eventfd_signal(ctx)	eventfd_signal(ctx, 1)
#else
#define nfpc_eventfd_signal(ctx)	eventfd_signal(ctx)
#endif

#if KERNEL_VERSION(6, 9, 0) > LINUX_VERSION_CODE
/* A bit-field until then, which READ_ONCE() does not take. */
#define nfpc_reg_state(netdev)	((netdev)->reg_state)
#else
#define nfpc_reg_state(netdev)	READ_ONCE((netdev)->reg_state)
#endif

#endif /* NFPC_COMPAT_H */
