// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* node_xdp.c - receive the events of offloaded XDP programs in a channel. */
#include <errno.h>
#include <nfpchan/nfp_chan_xdp.h>
#include <nfp_chan_offsets.h>
#include "char_node.h"

#define LAYOUT_SIZE(type, size) \
	_Static_assert(sizeof(struct type) == (size), #type);
#define LAYOUT_OFFSET(type, field, off) \
	_Static_assert(offsetof(struct type, field) == (off), #type "." #field);
NFP_CHAN_XDP_OFFSETS(LAYOUT_SIZE, LAYOUT_OFFSET)

/* Text for an -errno of the ioctls. The %llu are the descriptors of map and program. */
static const char *bind_text(int err)
{
	switch (err) {
	case -EBADF:
		return "map (descriptor %llu): descriptor %llu is not that of an XDP program, or the map's is not open";
	case -EOPNOTSUPP:
		return "map (descriptor %llu): the channel takes no events of XDP programs";
	case -ENXIO:
		return "map (descriptor %llu): the program (descriptor %llu) is not offloaded";
	case -EXDEV:
		return "map (descriptor %llu): the program (descriptor %llu) is offloaded to another card";
	case -ENOENT:
		return "descriptor %llu is not that of a perf event array that the program (descriptor %llu) uses";
	case -EBUSY:
		return "map (descriptor %llu): its events go to a channel already";
	case -ENOSPC:
		return "map (descriptor %llu): all bindings of the card are in use";
	}
	return "map (descriptor %llu) cannot be bound (program's descriptor %llu): error %llu";
}

static int xdp_ioctl(struct nfpchan *ch, unsigned long nr, int prog_fd, int map_fd)
{
	struct nfp_chan_xdp_bind req = { .size = sizeof(req), .prog_fd = prog_fd, .map_fd = map_fd };

	return node_ioctl(ch->fd, nr, &req);
}

static int xdp_fail(struct nfpchan *ch, int err, const char *text, int map_fd, unsigned int value)
{
	lock_take(&ch->lock);
	ring_fail(&ch->ring, err, text, (unsigned int)map_fd, value, (unsigned long long)-err);
	lock_give(&ch->lock);
	return err;
}

int xdp_bind_pipe(struct nfpchan *ch, int prog_fd, int map_fd)
{
	int err = xdp_ioctl(ch, NFP_CHAN_IOC_XDP_BIND, prog_fd, map_fd);

	return err ? xdp_fail(ch, err, bind_text(err), map_fd, (unsigned int)prog_fd) : 0;
}

int xdp_unbind_pipe(struct nfpchan *ch, int map_fd)
{
	int err = xdp_ioctl(ch, NFP_CHAN_IOC_XDP_UNBIND, -1, map_fd);

	if (!err)
		return 0;
	return xdp_fail(ch, err, err == -ENOENT ?
			"the map (descriptor %llu) is not bound to this handle" :
			"map (descriptor %llu) cannot be unbound: error %llu", map_fd,
			(unsigned int)-err);
}
