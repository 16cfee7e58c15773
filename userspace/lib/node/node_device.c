// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* node_device.c - PCI devices that the ME process of a channel drives. */
#include <errno.h>
#include "char_node.h"

static int device_fail(struct nfpchan *ch, int err, const char *text, uint64_t a, uint64_t b,
		       uint64_t c)
{
	chan_lock(ch);
	ring_fail(&ch->ring, err, text, a, b, c);
	chan_unlock(ch);
	return err;
}

/* Check the sizes here: the card would refuse them without saying which one is wrong. */
static int sizes_check(struct nfpchan *ch, const struct nfp_chan_device *d)
{
	uint64_t slot = (uint64_t)NFPCHAN_DEVICE_DESC + d->in_size + d->out_size;

	if (!d->slots || d->slots > NFPCHAN_DEVICE_SLOTS_MAX || d->slots & (d->slots - 1))
		return device_fail(ch, -EINVAL, "a ring of %llu descriptors: the number must be a power of 2, at most %llu",
				   d->slots, NFPCHAN_DEVICE_SLOTS_MAX, 0);
	if (d->mem_size > NFPCHAN_DEVICE_MEM_MAX)
		return device_fail(ch, -EINVAL, "%llu bytes of memory: at most %llu can be shared with a device",
				   d->mem_size, NFPCHAN_DEVICE_MEM_MAX, 0);
	if (d->mem_size < d->slots * slot)
		return device_fail(ch, -EINVAL, "%llu bytes of memory: %llu slots of descriptor, input and output need %llu",
				   d->mem_size, d->slots, d->slots * slot);
	if (d->in_size + d->skip < ch->layout.max_size)
		return device_fail(ch, -EINVAL, "an input of %llu bytes, and %llu bytes skipped: a message has up to %llu",
				   d->in_size, d->skip, ch->layout.max_size);
	return 0;
}

static const char *device_text(int err)
{
	switch (err) {
	case -EINVAL:
		return "fields of descriptor or completion overlap or are not aligned, or a message to the host does not hold completion and output";
	case -EADDRNOTAVAIL:
		return "the memory is not in one piece for the card (without an IOMMU: use a huge page)";
	case -EBADF:
		return "the channel leads to the host";
	case -EPERM:
		return "attaching a device needs CAP_SYS_RAWIO, and a kernel that is not locked down";
	case -ENXIO:
		return "there is no such PCI device, or its memory space is off, or it has no such doorbell, or the BAR shares a page (the kernel's log says which)";
	case -EBUSY:
		return "the channel has a device already";
	case -ENOENT:
		return "the channel has no device";
	case -EHOSTUNREACH:
		return "the card's writes to the device would not pass the IOMMU";
	case -ERANGE:
		return "the device's doorbell is beyond what the card can address";
	case -ENOMEM:
		return "no memory can be pinned for the device (RLIMIT_MEMLOCK)";
	case -EFAULT:
		return "the memory for the device cannot be pinned";
	case -EOPNOTSUPP:
		return "the ME process behind the channel drives no devices";
	case -ENOTTY:
		return "this nfp_chan.ko does not support devices";
	}
	return "attaching the device failed: error %llu";
}

static int device_request(struct nfpchan *ch, struct nfp_chan_device *d)
{
	int err;

	if (ch->ops != &chan_pipe_ops)
		return device_fail(ch, -EOPNOTSUPP, device_text(-EOPNOTSUPP), 0, 0, 0);
	if (ch->layout.dir != NFP_CHAN_TO_NFP)
		return device_fail(ch, -EBADF, device_text(-EBADF), 0, 0, 0);
	d->size = sizeof(*d);
	err = node_ioctl(ch->fd, NFP_CHAN_IOC_DEVICE, d);
	if (err)
		device_fail(ch, err == -ENOTTY ? -EOPNOTSUPP : err, device_text(err),
			    (unsigned int)-err, 0, 0);
	return err == -ENOTTY ? -EOPNOTSUPP : err;
}

int nfpchan_device_open(struct nfpchan *ch, const struct nfp_chan_device *dev)
{
	struct nfp_chan_device d = *dev;
	int err = sizes_check(ch, &d);

	return err ? err : device_request(ch, &d);
}

int nfpchan_device_close(struct nfpchan *ch)
{
	struct nfp_chan_device d = { .mem_size = 0 };

	return device_request(ch, &d);
}
