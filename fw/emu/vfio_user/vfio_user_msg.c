// SPDX-License-Identifier: BSD-2-Clause
/* vfio_user_msg.c - messages of a vfio-user connection, without the socket. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include "vfio_user_priv.h"

static const char * const cmd_names[VU_CMD_MAX] = {
	[VU_VERSION] = "VERSION",
	[VU_DMA_MAP] = "DMA_MAP",
	[VU_DMA_UNMAP] = "DMA_UNMAP",
	[VU_GET_INFO] = "DEVICE_GET_INFO",
	[VU_GET_REGION_INFO] = "GET_REGION_INFO",
	[VU_GET_REGION_IO_FDS] = "GET_REGION_IO_FDS",
	[VU_GET_IRQ_INFO] = "GET_IRQ_INFO",
	[VU_SET_IRQS] = "SET_IRQS",
	[VU_REGION_READ] = "REGION_READ",
	[VU_REGION_WRITE] = "REGION_WRITE",
	[VU_DMA_READ] = "DMA_READ",
	[VU_DMA_WRITE] = "DMA_WRITE",
	[VU_RESET] = "DEVICE_RESET",
	[VU_DIRTY_PAGES] = "DIRTY_PAGES",
	[VU_REGION_WRITE_MULTI] = "REGION_WRITE_MULTI",
	[VU_FEATURE] = "DEVICE_FEATURE",
	[VU_MIG_DATA_READ] = "MIG_DATA_READ",
	[VU_MIG_DATA_WRITE] = "MIG_DATA_WRITE",
};

int vu_bad(struct vfio_user *v, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(v->reason, sizeof(v->reason), fmt, ap);
	va_end(ap);
	return -EPROTO;
}

int vu_query(struct vu_ctx *c, const char *what, void *r, size_t size)
{
	uint32_t argsz;

	if (c->len != size)
		return vu_bad(c->v, "%s of %zu bytes, must be %zu", what, c->len, size);
	memcpy(r, c->data, size);
	memcpy(&argsz, r, sizeof(argsz));
	if (argsz < size)
		return vu_bad(c->v, "%s argsz %u, least is %zu", what, argsz, size);
	return 0;
}

const char *vfio_user_reason(const struct vfio_user *v)
{
	return v->reason;
}

void vu_log(const struct vfio_user_dev *ops, int level, const char *fmt, ...)
{
	char text[VU_REASON_LEN + 64];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	ops->log(level, text);
}

/* ---- the device's requests to its host ---- */

int vfio_user_dma_read(struct vfio_user *v, uint64_t addr, void *buf, size_t len)
{
	return dma_map_read(&v->dma, addr, buf, len);
}

int vfio_user_dma_write(struct vfio_user *v, uint64_t addr, const void *buf, size_t len)
{
	return dma_map_write(&v->dma, addr, buf, len);
}

/* ---- handlers ---- */

static int version(struct vu_ctx *c)
{
	struct vfio_user *v = c->v;
	struct vu_version ver;
	struct vu_caps caps;
	int n;

	if (v->negotiated)
		return vu_bad(v, "VERSION a second time");
	if (c->len < sizeof(ver))
		return vu_bad(v, "VERSION of %zu bytes, least is %zu", c->len,
			      sizeof(ver));
	memcpy(&ver, c->data, sizeof(ver));
	if (ver.major != VU_MAJOR)
		return vu_bad(v, "VERSION major %u, must be %u", ver.major, VU_MAJOR);
	if (vu_caps_parse((const char *)c->data + sizeof(ver), c->len - sizeof(ver),
			  &caps, v->reason, sizeof(v->reason)))
		return -EPROTO;
	if (!(caps.pgsizes & VU_PGSIZE))
		return vu_bad(v, "VERSION pgsizes %#" PRIx64 ", must contain %#x",
			      caps.pgsizes, VU_PGSIZE);

	v->max_xfer = caps.max_data_xfer_size < VFIO_USER_XFER_MAX ?
		      caps.max_data_xfer_size : VFIO_USER_XFER_MAX;
	v->write_multiple = caps.write_multiple;
	ver.minor = ver.minor < VU_MINOR ? ver.minor : VU_MINOR;
	memcpy(c->reply, &ver, sizeof(ver));
	n = snprintf((char *)c->reply + sizeof(ver), VFIO_USER_DATA_MAX - sizeof(ver),
		     "{\"capabilities\":{\"max_msg_fds\":%u,\"max_data_xfer_size\":%u,"
		     "\"max_dma_maps\":%u,\"pgsizes\":%u%s}}",
		     VFIO_USER_FDS_MAX, VFIO_USER_XFER_MAX, VU_MAX_DMA_MAPS, VU_PGSIZE,
		     v->write_multiple ? ",\"write_multiple\":true" : "");
	c->reply_len = sizeof(ver) + n + 1;

	/* From here on the client is the device's host, which was just switched on. */
	v->negotiated = true;
	v->ops->attach(v->dev, v);
	return 0;
}

static int get_info(struct vu_ctx *c)
{
	struct vu_device_info r;

	if (vu_query(c, "DEVICE_GET_INFO", &r, sizeof(r)))
		return -EPROTO;
	if (r.flags || r.num_regions || r.num_irqs)
		return vu_bad(c->v, "DEVICE_GET_INFO flags %#x regions %u irqs %u, must be 0",
			      r.flags, r.num_regions, r.num_irqs);
	r.argsz = sizeof(r);
	r.flags = VFIO_DEVICE_FLAGS_RESET | VFIO_DEVICE_FLAGS_PCI;
	r.num_regions = VFIO_PCI_NUM_REGIONS;
	r.num_irqs = VFIO_PCI_NUM_IRQS;
	memcpy(c->reply, &r, sizeof(r));
	c->reply_len = sizeof(r);
	return 0;
}

static uint64_t region_size(struct vfio_user *v, uint32_t region)
{
	if (region <= VFIO_PCI_BAR5_REGION_INDEX)
		return v->ops->bar_size(v->dev, region);
	return region == VFIO_PCI_CONFIG_REGION_INDEX ? VFIO_USER_CFG_SIZE : 0;
}

static int get_region_info(struct vu_ctx *c)
{
	struct vfio_region_info r;

	if (vu_query(c, "GET_REGION_INFO", &r, sizeof(r)))
		return -EPROTO;
	if (r.flags || r.cap_offset || r.size || r.offset)
		return vu_bad(c->v, "GET_REGION_INFO flags %#x cap_offset %u"
			      " size %#llx offset %#llx, must be 0",
			      r.flags, r.cap_offset, (unsigned long long)r.size,
			      (unsigned long long)r.offset);
	if (r.index >= VFIO_PCI_NUM_REGIONS)
		return -EINVAL;
	/*
	 * Regions cannot be mapped (no MMAP, so no capabilities), because the device must see and
	 * count each access.
	 */
	r.argsz = sizeof(r);
	r.size = region_size(c->v, r.index);
	if (r.size)
		r.flags = VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE;
	memcpy(c->reply, &r, sizeof(r));
	c->reply_len = sizeof(r);
	return 0;
}

static int get_region_io_fds(struct vu_ctx *c)
{
	struct vu_io_fds r;

	if (vu_query(c, "GET_REGION_IO_FDS", &r, sizeof(r)))
		return -EPROTO;
	if (r.flags || r.count)
		return vu_bad(c->v, "GET_REGION_IO_FDS flags %#x count %u, must be 0",
			      r.flags, r.count);
	/*
	 * Not supported: an eventfd would signal a doorbell write, but would not carry its value.
	 */
	return r.index < VFIO_PCI_NUM_REGIONS ? -ENOTSUP : -EINVAL;
}

/* @what is the message's name in the log. */
static int access_check(struct vu_ctx *c, const char *what, uint64_t off,
			uint32_t region, uint32_t count, uint32_t max)
{
	uint64_t size;

	if (region >= VFIO_PCI_NUM_REGIONS)
		return vu_bad(c->v, "%s region %u, limit %u", what, region,
			      VFIO_PCI_NUM_REGIONS);
	if (!count || count > max)
		return vu_bad(c->v, "%s count %u, must be 1 to %u", what, count, max);
	size = region_size(c->v, region);
	if (off > size || count > size - off)
		return vu_bad(c->v, "%s region %u offset %#" PRIx64
			      " count %u, region has %#" PRIx64,
			      what, region, off, count, size);
	return 0;
}

static void region_write(struct vfio_user *v, uint32_t region, uint64_t off,
			 const void *data, size_t n)
{
	if (region == VFIO_PCI_CONFIG_REGION_INDEX)
		v->ops->cfg_write(v->dev, off, data, n);
	else
		v->ops->bar_write(v->dev, region, off, data, n);
}

static int read_region(struct vu_ctx *c)
{
	struct vfio_user *v = c->v;
	struct vu_access r;
	int ret;

	if (c->len != sizeof(r))
		return vu_bad(v, "REGION_READ of %zu bytes, must be %zu", c->len,
			      sizeof(r));
	memcpy(&r, c->data, sizeof(r));
	ret = access_check(c, "REGION_READ", r.offset, r.region, r.count,
			   v->max_xfer);
	if (ret)
		return ret;
	memcpy(c->reply, &r, sizeof(r));
	if (r.region == VFIO_PCI_CONFIG_REGION_INDEX)
		v->ops->cfg_read(v->dev, r.offset, c->reply + sizeof(r), r.count);
	else
		v->ops->bar_read(v->dev, r.region, r.offset, c->reply + sizeof(r), r.count);
	c->reply_len = sizeof(r) + r.count;
	return 0;
}

static int write_region(struct vu_ctx *c)
{
	struct vu_access r;
	int ret;

	if (c->len < sizeof(r))
		return vu_bad(c->v, "REGION_WRITE of %zu bytes, least is %zu", c->len,
			      sizeof(r));
	memcpy(&r, c->data, sizeof(r));
	if (r.count != c->len - sizeof(r))
		return vu_bad(c->v, "REGION_WRITE count %u with %zu bytes of data",
			      r.count, c->len - sizeof(r));
	/*
	 * This is the server's limit. The client's max_data_xfer_size does not limit its own
	 * writes.
	 */
	ret = access_check(c, "REGION_WRITE", r.offset, r.region, r.count,
			   VFIO_USER_XFER_MAX);
	if (ret)
		return ret;
	region_write(c->v, r.region, r.offset, c->data + sizeof(r), r.count);
	memcpy(c->reply, &r, sizeof(r));
	c->reply_len = sizeof(r);
	return 0;
}

static int write_multi(struct vu_ctx *c)
{
	struct vu_multi_write w;
	const uint8_t *p = c->data + sizeof(struct vu_multi);
	struct vu_multi m;
	int ret;

	if (!c->v->write_multiple)
		return vu_bad(c->v, "REGION_WRITE_MULTI without write_multiple in VERSION");
	if (c->len < sizeof(m))
		return vu_bad(c->v, "REGION_WRITE_MULTI of %zu bytes, least is %zu",
			      c->len, sizeof(m));
	memcpy(&m, c->data, sizeof(m));
	if ((c->len - sizeof(m)) % sizeof(w) || !m.count ||
	    m.count != (c->len - sizeof(m)) / sizeof(w))
		return vu_bad(c->v, "REGION_WRITE_MULTI count %" PRIu64
			      " in %zu bytes, must be 1 or more of %zu each",
			      m.count, c->len - sizeof(m), sizeof(w));
	/* Check all writes before the first is performed, so that a bad message has no effect. */
	for (uint64_t i = 0; i < m.count; i++) {
		memcpy(&w, p + i * sizeof(w), sizeof(w));
		ret = access_check(c, "REGION_WRITE_MULTI", w.offset, w.region,
				   w.count, VU_MULTI_DATA);
		if (ret)
			return ret;
	}
	for (uint64_t i = 0; i < m.count; i++) {
		memcpy(&w, p + i * sizeof(w), sizeof(w));
		region_write(c->v, w.region, w.offset, w.data, w.count);
	}
	memcpy(c->reply, &m, sizeof(m));
	c->reply_len = sizeof(m);
	return 0;
}

static int device_reset(struct vu_ctx *c)
{
	if (c->len)
		return vu_bad(c->v, "DEVICE_RESET with %zu bytes of data, must be 0",
			      c->len);
	c->v->ops->flr(c->v->dev);
	return 0;
}

/* Dirty page logging and migration are optional, and not supported. */
static int refuse(struct vu_ctx *c)
{
	(void)c;
	return -ENOTSUP;
}

/*
 * Messages that a client may send, and their most descriptors. DMA_READ and DMA_WRITE are sent by
 * the server, so they are missing here. An error reply to DMA_WRITE is handled in
 * vfio_user_msg().
 */
static const struct {
	int (*fn)(struct vu_ctx *c);
	unsigned int max_fds;
} handlers[VU_CMD_MAX] = {
	[VU_VERSION] = { version, 0 },
	[VU_DMA_MAP] = { vu_dma_map, 1 },
	[VU_DMA_UNMAP] = { vu_dma_unmap, 0 },
	[VU_GET_INFO] = { get_info, 0 },
	[VU_GET_REGION_INFO] = { get_region_info, 0 },
	[VU_GET_REGION_IO_FDS] = { get_region_io_fds, 0 },
	[VU_GET_IRQ_INFO] = { vu_get_irq_info, 0 },
	[VU_SET_IRQS] = { vu_set_irqs, VFIO_USER_FDS_MAX },
	[VU_REGION_READ] = { read_region, 0 },
	[VU_REGION_WRITE] = { write_region, 0 },
	[VU_RESET] = { device_reset, 0 },
	[VU_DIRTY_PAGES] = { refuse, 0 },
	[VU_REGION_WRITE_MULTI] = { write_multi, 0 },
	[VU_FEATURE] = { refuse, 0 },
	[VU_MIG_DATA_READ] = { refuse, 0 },
	[VU_MIG_DATA_WRITE] = { refuse, 0 },
};

static int header_check(struct vfio_user *v, const struct vu_hdr *h)
{
	if (h->size < sizeof(*h) || h->size > VFIO_USER_MSG_MAX)
		return vu_bad(v, "message size %u, must be %zu to %u", h->size,
			      sizeof(*h), VFIO_USER_MSG_MAX);
	if (h->cmd == VU_DMA_WRITE && h->flags == (VU_F_REPLY | VU_F_ERROR) && v->negotiated)
		return 0;
	/*
	 * The server never asks for a reply, so any other message with reply flags is an error.
	 */
	if (h->flags & ~VU_F_NO_REPLY)
		return vu_bad(v, "message flags %#x, a command may have %#x",
			      h->flags, VU_F_NO_REPLY);
	if (h->error)
		return vu_bad(v, "error %u in a command, must be 0", h->error);
	if (h->cmd >= VU_CMD_MAX || !handlers[h->cmd].fn)
		return vu_bad(v, "command %u, a client sends 1 to 10 and 13 to %u",
			      h->cmd, VU_CMD_MAX - 1);
	if (!v->negotiated && h->cmd != VU_VERSION)
		return vu_bad(v, "command %u (%s) before VERSION", h->cmd,
			      cmd_names[h->cmd]);
	if (h->cmd == VU_VERSION && h->flags)
		return vu_bad(v, "VERSION flags %#x, must be 0", h->flags);
	return 0;
}

int vfio_user_msg_size(struct vfio_user *v, const void *hdr)
{
	struct vu_hdr h;
	int ret;

	memcpy(&h, hdr, sizeof(h));
	ret = header_check(v, &h);
	return ret ? ret : (int)h.size;
}

int vfio_user_msg(struct vfio_user *v, const void *msg, size_t len,
		  int *fds, unsigned int nfds, void *reply, size_t *reply_len)
{
	struct vu_ctx c = {
		.v = v, .data = (const uint8_t *)msg + sizeof(struct vu_hdr),
		.len = len - sizeof(struct vu_hdr), .fds = fds, .nfds = nfds,
		.reply = (uint8_t *)reply + sizeof(struct vu_hdr),
	};
	struct vu_hdr h;
	int ret;

	*reply_len = 0;
	if (len < sizeof(h))
		return vu_bad(v, "message of %zu bytes, header has %zu", len, sizeof(h));
	memcpy(&h, msg, sizeof(h));
	ret = header_check(v, &h);
	if (ret)
		return ret;
	if (h.size != len)
		return vu_bad(v, "message size %u, got %zu bytes", h.size, len);
	if (nfds > handlers[h.cmd].max_fds)
		return vu_bad(v, "%s with %u descriptors, limit %u", cmd_names[h.cmd],
			      nfds, handlers[h.cmd].max_fds);
	if (h.cmd == VU_DMA_WRITE)
		return vu_dma_write_failed(&c, h.error);
	ret = handlers[h.cmd].fn(&c);
	if (ret == -EPROTO)
		return ret;
	if (ret)
		vu_log(v->ops, LOG_NOTICE, "vfio-user: %s refused: %s", cmd_names[h.cmd],
			  strerror(-ret));
	if (h.flags & VU_F_NO_REPLY)
		return 0;
	h.flags = VU_F_REPLY | (ret ? VU_F_ERROR : 0);
	h.error = -ret;
	h.size = sizeof(h) + (ret ? 0 : c.reply_len);
	memcpy(reply, &h, sizeof(h));
	*reply_len = h.size;
	return 0;
}

void vfio_user_sender(struct vfio_user *v, int (*send)(void *ctx, const void *msg, size_t len),
		      void *ctx)
{
	v->send = send;
	v->send_ctx = ctx;
}

struct vfio_user *vfio_user_new(const struct vfio_user_dev *ops, void *dev)
{
	struct vfio_user *v = calloc(1, sizeof(*v) + ops->vectors * sizeof(v->msix[0]));

	if (!v)
		return NULL;
	v->ops = ops;
	v->dev = dev;
	dma_map_guard();
	vu_irq_init(v);
	return v;
}

void vfio_user_free(struct vfio_user *v)
{
	/*
	 * Detach first: afterwards the device starts no DMA and no interrupt, and both can be
	 * released.
	 */
	if (v->negotiated)
		v->ops->detach(v->dev);
	vu_irq_release(v);
	vu_dma_release(v);
	free(v);
}
