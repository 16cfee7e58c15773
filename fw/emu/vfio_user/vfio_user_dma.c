// SPDX-License-Identifier: BSD-2-Clause
/* vfio_user_dma.c - the client's memory: DMA_MAP and DMA_UNMAP. DMA_WRITE to other addresses. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <syslog.h>

#include "vfio_user_priv.h"

_Static_assert(VU_DMA_F_READ == DMA_MAP_READ && VU_DMA_F_WRITE == DMA_MAP_WRITE,
	       "flags are passed on as they are");

static int map_check(struct vu_ctx *c, const struct vu_dma_map *r)
{
	struct vfio_user *v = c->v;

	if (r->argsz != sizeof(*r))
		return vu_bad(v, "DMA_MAP argsz %u, must be %zu", r->argsz, sizeof(*r));
	if (r->flags & ~(VU_DMA_F_READ | VU_DMA_F_WRITE))
		return vu_bad(v, "DMA_MAP flags %#x, known are %#x", r->flags,
			      VU_DMA_F_READ | VU_DMA_F_WRITE);
	if (!r->size || r->size % VU_PGSIZE)
		return vu_bad(v, "DMA_MAP size %#" PRIx64 ", must be a multiple of %#x",
			      r->size, VU_PGSIZE);
	if (r->addr % VU_PGSIZE)
		return vu_bad(v, "DMA_MAP address %#" PRIx64 ", must be a multiple of %#x",
			      r->addr, VU_PGSIZE);
	if (r->addr + (r->size - 1) < r->addr)
		return vu_bad(v, "DMA_MAP address %#" PRIx64 " size %#" PRIx64
			      ", must end below 2^64", r->addr, r->size);
	if (c->nfds > 1)
		return vu_bad(v, "DMA_MAP with %u descriptors, at most 1", c->nfds);
	if (r->offset % VU_PGSIZE)
		return vu_bad(v, "DMA_MAP offset %#" PRIx64 ", must be a multiple of %#x",
			      r->offset, VU_PGSIZE);
	if (!c->nfds && r->offset)
		return vu_bad(v, "DMA_MAP offset %#" PRIx64 " without a descriptor, must be 0",
			      r->offset);
	return 0;
}

/* An access beyond a file's end raises SIGBUS, so compare the range with the file's size. */
static int map_file_check(struct vu_ctx *c, const struct vu_dma_map *r)
{
	struct stat st;
	uint64_t end;

	if (fstat(c->fds[0], &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return vu_bad(c->v, "DMA_MAP descriptor has file type %#o, must be regular (%#o)",
			      st.st_mode & S_IFMT, S_IFREG);
	if (__builtin_add_overflow(r->offset, r->size, &end) ||
	    end > (uint64_t)st.st_size)
		return vu_bad(c->v, "DMA_MAP offset %#" PRIx64 " size %#" PRIx64
			      ", the file has %#llx bytes", r->offset, r->size,
			      (unsigned long long)st.st_size);
	return 0;
}

int vu_dma_map(struct vu_ctx *c)
{
	struct vfio_user *v = c->v;
	struct vu_dma_map r;
	void *mem = NULL;
	int prot = PROT_NONE, ret;

	if (c->len != sizeof(r))
		return vu_bad(v, "DMA_MAP of %zu bytes, must be %zu", c->len, sizeof(r));
	memcpy(&r, c->data, sizeof(r));
	ret = map_check(c, &r);
	if (!ret && c->nfds)
		ret = map_file_check(c, &r);
	if (ret)
		return ret;
	if (v->dma.count >= VU_MAX_DMA_MAPS)
		return -ENOSPC;

	/*
	 * A range without a descriptor (ROMs, memory of other devices) has no accessible memory.
	 * It is recorded, but DMA to it fails, as a peer-to-peer access may.
	 */
	if (c->nfds) {
		prot |= r.flags & VU_DMA_F_READ ? PROT_READ : 0;
		/* PROT_READ as well, because some machines have no write-only pages */
		prot |= r.flags & VU_DMA_F_WRITE ? PROT_READ | PROT_WRITE : 0;
		mem = mmap(NULL, r.size, prot, MAP_SHARED | MAP_NORESERVE,
			   c->fds[0], r.offset);
		if (mem == MAP_FAILED)
			return -errno;
	}
	ret = dma_map_add(&v->dma, r.addr, r.size, mem, r.flags);
	if (ret && mem)
		munmap(mem, r.size);
	return ret;
}

static void region_unmap(struct dma_region *r)
{
	if (r->mem)
		munmap(r->mem, r->last - r->addr + 1);
}

static void unmap_all(struct vfio_user *v)
{
	for (size_t i = 0; i < v->dma.count; i++)
		region_unmap(&v->dma.regions[i]);
	dma_map_free(&v->dma);
}

int vu_dma_unmap(struct vu_ctx *c)
{
	struct vfio_user *v = c->v;
	struct vu_dma_unmap r;

	if (c->len < sizeof(r))
		return vu_bad(v, "DMA_UNMAP of %zu bytes, least is %zu", c->len, sizeof(r));
	memcpy(&r, c->data, sizeof(r));
	if (r.argsz < sizeof(r))
		return vu_bad(v, "DMA_UNMAP argsz %u, least is %zu", r.argsz, sizeof(r));
	/* The dirty bitmap of an older protocol has a larger request. It is not supported. */
	if (r.flags & VU_UNMAP_F_DIRTY)
		return -ENOTSUP;
	if (c->len != sizeof(r))
		return vu_bad(v, "DMA_UNMAP of %zu bytes, must be %zu", c->len, sizeof(r));
	if (r.flags & ~VU_UNMAP_F_ALL)
		return vu_bad(v, "DMA_UNMAP flags %#x, known are %#x", r.flags,
			      VU_UNMAP_F_ALL | VU_UNMAP_F_DIRTY);
	if (r.flags & VU_UNMAP_F_ALL) {
		if (r.addr || r.size)
			return vu_bad(v, "DMA_UNMAP of all with address %#" PRIx64
				      " size %#" PRIx64 ", must be 0", r.addr, r.size);
		unmap_all(v);
	} else {
		if (!r.size || r.addr + (r.size - 1) < r.addr)
			return vu_bad(v, "DMA_UNMAP address %#" PRIx64 " size %#" PRIx64
				      ", must be 1 byte or more below 2^64",
				      r.addr, r.size);
		/*
		 * QEMU's IOMMU unmaps several mappings with one request. A part of a mapping
		 * cannot be unmapped.
		 */
		if (dma_map_del_range(&v->dma, r.addr, r.addr + (r.size - 1), region_unmap) < 1)
			return -ENOENT;
	}
	memcpy(c->reply, &r, sizeof(r));
	c->reply_len = sizeof(r);
	return 0;
}

/* Send one DMA_WRITE. The client's limit counts the data without the message header. */
static int peer_write_one(struct vfio_user *v, uint64_t addr, const uint8_t *buf, uint32_t len)
{
	struct vu_hdr h = {
		.cmd = VU_DMA_WRITE, .flags = VU_F_NO_REPLY,
		.size = sizeof(h) + sizeof(struct vu_dma_write) + len,
	};
	struct vu_dma_write w = { .addr = addr, .count = len };
	uint8_t msg[sizeof(h) + sizeof(w) + VU_PEER_MAX] = { 0 };

	memcpy(msg, &h, sizeof(h));
	memcpy(msg + sizeof(h), &w, sizeof(w));
	memcpy(msg + sizeof(h) + sizeof(w), buf, len);
	if (v->send(v->send_ctx, msg, h.size))
		return -EFAULT;
	v->posted++;
	return 0;
}

int vfio_user_peer_write(struct vfio_user *v, uint64_t addr, const void *buf, size_t len)
{
	const uint8_t *p = buf;
	int ret = 0;

	if (!v->send || !len || addr + (len - 1) < addr)
		return -EFAULT;
	while (len && !ret) {
		size_t n = len < VU_PEER_MAX ? len : VU_PEER_MAX;

		if (n > v->max_xfer)
			n = v->max_xfer;
		ret = peer_write_one(v, addr, p, n);
		addr += n;
		p += n;
		len -= n;
	}
	return ret;
}

/* QEMU sends an error reply for a write that fails, although VU_F_NO_REPLY is set. */
int vu_dma_write_failed(struct vu_ctx *c, uint32_t error)
{
	struct vfio_user *v = c->v;

	if (c->len)
		return vu_bad(v, "DMA_WRITE failed, with %zu bytes of data, must be 0", c->len);
	if (!v->posted)
		return vu_bad(v, "DMA_WRITE failed, and none is under way");
	v->posted--;
	vu_log(v->ops, LOG_NOTICE, "vfio-user: DMA_WRITE failed: %s", strerror(error));
	if (v->ops->write_failed)
		v->ops->write_failed(v->dev);
	return 0;
}

void vu_dma_release(struct vfio_user *v)
{
	unmap_all(v);
}
