// SPDX-License-Identifier: BSD-2-Clause
/*
 * vfio_user_irq.c - interrupts: GET_IRQ_INFO, SET_IRQS, delivery by eventfd.
 *
 * The device raises MSI-X vectors only. INTx exists because the configuration space has an
 * interrupt pin, and the client binds and unbinds it when it turns MSI-X off and on.
 *
 * QEMU keeps the MSI-X table to itself. It usually does not report mask bits, but binds and
 * unbinds single vectors at any time. A vector that is unbound or masked here is "not armed" for
 * the device. The device keeps its pending bit, and raises the vector when it is armed again.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <syslog.h>
#include <unistd.h>

#include "vfio_user_priv.h"

/* Number of eventfd signals whose AIO completions are not reaped yet. */
#define AIO_EVENTS	64

#define ACTION_MASK	VFIO_IRQ_SET_ACTION_MASK
#define ACTION_UNMASK	VFIO_IRQ_SET_ACTION_UNMASK
#define ACTION_TRIGGER	VFIO_IRQ_SET_ACTION_TRIGGER

static const struct {
	unsigned int count;
	uint32_t flags;
} indexes[VFIO_PCI_NUM_IRQS] = {
	[VFIO_PCI_INTX_IRQ_INDEX] = {
		1, VFIO_IRQ_INFO_EVENTFD | VFIO_IRQ_INFO_MASKABLE |
		   VFIO_IRQ_INFO_AUTOMASKED,
	},
	/* Not NORESIZE, because vectors may be bound one at a time, in any order. */
	[VFIO_PCI_MSIX_IRQ_INDEX] = {
		0,	/* the device's number: see irq_count() */
		VFIO_IRQ_INFO_EVENTFD | VFIO_IRQ_INFO_MASKABLE,
	},
	/*
	 * Uncorrectable errors. QEMU binds this for any PCIe device, and warns if it does not
	 * exist.
	 */
	[VFIO_PCI_ERR_IRQ_INDEX] = { 1, VFIO_IRQ_INFO_EVENTFD },
};

static unsigned int irq_count(const struct vfio_user *v, uint32_t index)
{
	return index == VFIO_PCI_MSIX_IRQ_INDEX ? v->ops->vectors : indexes[index].count;
}

static struct vu_irq *irq_of(struct vfio_user *v, uint32_t index, unsigned int i)
{
	if (index == VFIO_PCI_MSIX_IRQ_INDEX)
		return &v->msix[i];
	return index == VFIO_PCI_INTX_IRQ_INDEX ? &v->intx : &v->err;
}

/*
 * Signal an eventfd without ever blocking. A write to an eventfd blocks while its counter is
 * full, and the client controls O_NONBLOCK. A Linux AIO request (here a read from /dev/null) can
 * name an eventfd that the kernel signals at completion; this does not block, whatever the
 * counter's value is.
 */
static int aio_signal(struct vu_aio *a, int fd)
{
	struct iocb cb = {
		.aio_lio_opcode = IOCB_CMD_PREAD, .aio_fildes = a->null,
		.aio_flags = IOCB_FLAG_RESFD, .aio_resfd = fd,
	};
	struct io_event done[AIO_EVENTS];
	struct iocb *list[] = { &cb };
	struct timespec at_once = { 0 };

	if (a->pending == AIO_EVENTS) {
		syscall(SYS_io_getevents, a->ctx, 0, AIO_EVENTS, done, &at_once);
		a->pending = 0;
	}
	if (syscall(SYS_io_submit, a->ctx, 1, list) != 1)
		return -errno;
	a->pending++;
	return 0;
}

static void aio_open(struct vfio_user *v)
{
	struct vu_aio *a = &v->aio;
	aio_context_t ctx = 0;

	a->tried = true;
	a->null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (a->null >= 0 && !syscall(SYS_io_setup, AIO_EVENTS, &ctx))
		a->ctx = ctx;
	else
		vu_log(v->ops, LOG_WARNING, "vfio-user: no AIO (%s): a client can block its device",
			  strerror(errno));
}

static void aio_close(struct vu_aio *a)
{
	if (a->ctx)
		syscall(SYS_io_destroy, a->ctx);
	if (a->tried && a->null >= 0)
		close(a->null);
}

static void eventfd_raise(struct vfio_user *v, int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	uint64_t one = 1;
	int err;

	if (!v->aio.tried)
		aio_open(v);
	if (v->aio.ctx) {
		err = aio_signal(&v->aio, fd);
		if (err)
			vu_log(v->ops, LOG_WARNING, "vfio-user: eventfd: %s", strerror(-err));
		return;
	}
	/*
	 * A full counter already signals the event. If the counter fills up after poll(), write()
	 * blocks. Only a client that writes to its own eventfd can bring that about.
	 */
	if (poll(&p, 1, 0) == 1 && p.revents & POLLOUT &&
	    write(fd, &one, sizeof(one)) != sizeof(one))
		vu_log(v->ops, LOG_WARNING, "vfio-user: eventfd write: %s", strerror(errno));
}

static bool irq_armed(const struct vu_irq *irq)
{
	return irq->fd >= 0 && !irq->masked;
}

int vfio_user_msix(struct vfio_user *v, unsigned int vector)
{
	if (vector >= v->ops->vectors || !irq_armed(&v->msix[vector]))
		return -ENOENT;
	eventfd_raise(v, v->msix[vector].fd);
	return 0;
}

static void intx_raise(struct vfio_user *v, struct vu_irq *irq)
{
	if (irq->fd < 0)
		return;
	if (irq->masked) {
		irq->pending = true;
		return;
	}
	irq->masked = true;	/* VFIO_IRQ_INFO_AUTOMASKED was announced */
	eventfd_raise(v, irq->fd);
}

static void intx_mask(struct vfio_user *v, struct vu_irq *irq, bool masked)
{
	bool raise = !masked && irq->pending;

	irq->masked = masked;
	if (!masked)
		irq->pending = false;
	if (raise)
		intx_raise(v, irq);
}

/*
 * Bind eventfd @fd to an interrupt; -1 unbinds. Tell the device, because an interrupt may be
 * pending.
 */
static void irq_bind(struct vfio_user *v, uint32_t index, unsigned int i, int fd)
{
	struct vu_irq *irq = irq_of(v, index, i);
	int old = irq->fd;

	irq->fd = fd;
	if (old >= 0)
		close(old);
	if (index != VFIO_PCI_MSIX_IRQ_INDEX) {
		irq->masked = false;
		irq->pending = false;
		return;
	}
	/* Unbinding clears the mask, so that the next owner of the vector starts unmasked. */
	if (fd < 0)
		irq->masked = false;
	if (irq_armed(irq))
		v->ops->msix_armed(v->dev, i, true);
	else if (old >= 0)
		v->ops->msix_armed(v->dev, i, false);
}

static void msix_mask(struct vfio_user *v, unsigned int i, bool masked)
{
	struct vu_irq *irq = &v->msix[i];

	if (irq->masked == masked)
		return;
	irq->masked = masked;
	if (irq->fd >= 0)
		v->ops->msix_armed(v->dev, i, !masked);
}

/*
 * Perform an action of the client. A trigger is a loopback test. An interrupt without eventfd is
 * skipped.
 */
static void irq_act(struct vfio_user *v, uint32_t index, unsigned int i,
		    uint32_t action)
{
	struct vu_irq *irq = irq_of(v, index, i);

	switch (index) {
	case VFIO_PCI_INTX_IRQ_INDEX:
		if (action == ACTION_TRIGGER)
			intx_raise(v, irq);
		else
			intx_mask(v, irq, action == ACTION_MASK);
		break;
	case VFIO_PCI_MSIX_IRQ_INDEX:
		if (action == ACTION_TRIGGER)
			vfio_user_msix(v, i);
		else
			msix_mask(v, i, action == ACTION_MASK);
		break;
	default:
		if (irq->fd >= 0)
			eventfd_raise(v, irq->fd);
	}
}

/* Return true if exactly one bit of @mask is set in @flags. */
static bool one_of(uint32_t flags, uint32_t mask)
{
	return __builtin_popcount(flags & mask) == 1;
}

static int set_check(struct vu_ctx *c, const struct vu_irq_set *s)
{
	uint32_t known = VFIO_IRQ_SET_DATA_TYPE_MASK | VFIO_IRQ_SET_ACTION_TYPE_MASK;
	struct vfio_user *v = c->v;
	size_t want = sizeof(*s);
	unsigned int irqs;

	if (s->argsz != c->len)
		return vu_bad(v, "SET_IRQS argsz %u in a message with %zu bytes of data",
			      s->argsz, c->len);
	if (s->flags & ~known)
		return vu_bad(v, "SET_IRQS flags %#x, known are %#x", s->flags, known);
	if (!one_of(s->flags, VFIO_IRQ_SET_DATA_TYPE_MASK) ||
	    !one_of(s->flags, VFIO_IRQ_SET_ACTION_TYPE_MASK))
		return vu_bad(v, "SET_IRQS flags %#x, must have one data type and one action",
			      s->flags);
	if (s->index >= VFIO_PCI_NUM_IRQS)
		return vu_bad(v, "SET_IRQS index %u, limit %u", s->index,
			      VFIO_PCI_NUM_IRQS);
	irqs = irq_count(v, s->index);
	if (s->start > irqs || s->count > irqs - s->start)
		return vu_bad(v, "SET_IRQS index %u start %u count %u, it has %u interrupts",
			      s->index, s->start, s->count, irqs);
	if (!s->count && (s->start || !(s->flags & VFIO_IRQ_SET_DATA_NONE) ||
			  !(s->flags & ACTION_TRIGGER)))
		return vu_bad(v, "SET_IRQS count 0 with start %u flags %#x, must be 0 and %#x",
			      s->start, s->flags,
			      VFIO_IRQ_SET_DATA_NONE | ACTION_TRIGGER);
	if (s->flags & VFIO_IRQ_SET_DATA_BOOL)
		want += s->count;
	if (c->len != want)
		return vu_bad(v, "SET_IRQS of %zu bytes, must be %zu for flags %#x count %u",
			      c->len, want, s->flags, s->count);
	if (c->nfds && !(s->flags & VFIO_IRQ_SET_DATA_EVENTFD))
		return vu_bad(v, "SET_IRQS with %u descriptors, must be 0 for flags %#x",
			      c->nfds, s->flags);
	if (c->nfds && c->nfds != s->count)
		return vu_bad(v, "SET_IRQS with %u descriptors for count %u, must be 0 or as many",
			      c->nfds, s->count);
	return 0;
}

/*
 * Accept only eventfds: a write to another kind of descriptor could block or do damage. Without
 * /proc the kind is unknown, so accept the descriptor; AIO or write() fails on most others.
 */
static int eventfd_check(struct vu_ctx *c, unsigned int i)
{
	char path[32], name[64];
	ssize_t n;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", c->fds[i]);
	n = readlink(path, name, sizeof(name) - 1);
	if (n < 0)
		return 0;
	name[n] = '\0';
	if (strcmp(name, "anon_inode:[eventfd]"))
		return vu_bad(c->v, "SET_IRQS descriptor %u is %s, must be an eventfd",
			      i, name);
	return 0;
}

static int set_eventfds(struct vu_ctx *c, const struct vu_irq_set *s)
{
	/* These eventfds would report masking by the device, which never masks. */
	if (!(s->flags & ACTION_TRIGGER))
		return -ENOTTY;
	for (unsigned int i = 0; i < c->nfds; i++) {
		int ret = eventfd_check(c, i);

		if (ret)
			return ret;
	}
	for (unsigned int i = 0; i < s->count; i++) {
		int fd = -1;

		if (c->nfds) {
			fd = c->fds[i];
			c->fds[i] = -1;
		}
		irq_bind(c->v, s->index, s->start + i, fd);
	}
	return 0;
}

int vu_set_irqs(struct vu_ctx *c)
{
	struct vu_irq_set s;
	int ret;

	if (c->len < sizeof(s))
		return vu_bad(c->v, "SET_IRQS of %zu bytes, least is %zu", c->len,
			      sizeof(s));
	memcpy(&s, c->data, sizeof(s));
	ret = set_check(c, &s);
	if (ret)
		return ret;
	if (!(indexes[s.index].flags & VFIO_IRQ_INFO_MASKABLE) &&
	    !(s.flags & ACTION_TRIGGER))
		return -ENOTTY;
	if (s.flags & VFIO_IRQ_SET_DATA_EVENTFD)
		return set_eventfds(c, &s);
	if (!s.count) {
		for (unsigned int i = 0; i < irq_count(c->v, s.index); i++)
			irq_bind(c->v, s.index, i, -1);
		return 0;
	}
	for (unsigned int i = 0; i < s.count; i++) {
		if ((s.flags & VFIO_IRQ_SET_DATA_BOOL) && !c->data[sizeof(s) + i])
			continue;
		irq_act(c->v, s.index, s.start + i,
			s.flags & VFIO_IRQ_SET_ACTION_TYPE_MASK);
	}
	return 0;
}

int vu_get_irq_info(struct vu_ctx *c)
{
	struct vfio_irq_info r;

	if (vu_query(c, "GET_IRQ_INFO", &r, sizeof(r)))
		return -EPROTO;
	if (r.flags || r.count)
		return vu_bad(c->v, "GET_IRQ_INFO flags %#x count %u, must be 0",
			      r.flags, r.count);
	if (r.index >= VFIO_PCI_NUM_IRQS)
		return -EINVAL;
	r.argsz = sizeof(r);
	r.flags = indexes[r.index].flags;
	r.count = irq_count(c->v, r.index);
	memcpy(c->reply, &r, sizeof(r));
	c->reply_len = sizeof(r);
	return 0;
}

void vu_irq_init(struct vfio_user *v)
{
	v->intx.fd = -1;
	v->err.fd = -1;
	for (unsigned int i = 0; i < v->ops->vectors; i++)
		v->msix[i].fd = -1;
}

void vu_irq_release(struct vfio_user *v)
{
	irq_bind(v, VFIO_PCI_INTX_IRQ_INDEX, 0, -1);
	irq_bind(v, VFIO_PCI_ERR_IRQ_INDEX, 0, -1);
	for (unsigned int i = 0; i < v->ops->vectors; i++)
		irq_bind(v, VFIO_PCI_MSIX_IRQ_INDEX, i, -1);
	aio_close(&v->aio);
}
