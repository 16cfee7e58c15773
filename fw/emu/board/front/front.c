// SPDX-License-Identifier: BSD-2-Clause
/*
 * front.c - the board as a device of the vfio-user server, which is its host.
 */
#include "board.h"
#include "front.h"

_Static_assert(BOARD_CFG_SIZE == VFIO_USER_CFG_SIZE, "the region is served as a whole");

static int host_dma_read(void *ctx, uint64_t addr, void *buf, size_t len)
{
	return vfio_user_dma_read(ctx, addr, buf, len);
}

static int host_dma_write(void *ctx, uint64_t addr, const void *buf, size_t len)
{
	return vfio_user_dma_write(ctx, addr, buf, len);
}

/* A DMA address outside of the host's memory may be a BAR of another device. */
static int host_peer_write(void *ctx, uint64_t addr, const void *buf, size_t len)
{
	if (!vfio_user_dma_write(ctx, addr, buf, len))
		return 0;
	return vfio_user_peer_write(ctx, addr, buf, len);
}

static int host_msix(void *ctx, unsigned int vector)
{
	return vfio_user_msix(ctx, vector);
}

static const struct board_host_ops host_ops = {
	.dma_read = host_dma_read,
	.dma_write = host_dma_write,
	.msix = host_msix,
};

static const struct board_host_ops peer_ops = {
	.dma_read = host_dma_read,
	.dma_write = host_peer_write,
	.msix = host_msix,
};

static void attach(void *dev, struct vfio_user *v)
{
	board_reset(dev, BOARD_RESET_POWER);
	board_attach(dev, board_peers(dev) ? &peer_ops : &host_ops, v);
}

static void detach(void *dev)
{
	board_attach(dev, NULL, NULL);
	board_reset(dev, BOARD_RESET_LOST);
}

static void flr(void *dev)
{
	board_reset(dev, BOARD_RESET_FLR);
}

static uint64_t bar_size(void *dev, unsigned int bar)
{
	return board_bar_size(dev, bar);
}

static void cfg_read(void *dev, unsigned int off, void *buf, size_t len)
{
	board_cfg_read(dev, off, buf, len);
}

static void cfg_write(void *dev, unsigned int off, const void *buf, size_t len)
{
	board_cfg_write(dev, off, buf, len);
}

static void bar_read(void *dev, unsigned int bar, uint64_t off, void *buf, size_t len)
{
	board_bar_read(dev, bar, off, buf, len);
}

static void bar_write(void *dev, unsigned int bar, uint64_t off, const void *buf, size_t len)
{
	board_bar_write(dev, bar, off, buf, len);
}

static void msix_armed(void *dev, unsigned int vector, bool armed)
{
	board_msix_armed(dev, vector, armed);
}

static void write_failed(void *dev)
{
	board_write_failed(dev);
}

static void log_line(int level, const char *text)
{
	board_log(level, "%s", text);
}

const struct vfio_user_dev front_board = {
	.vectors = BOARD_MSIX_VECTORS,
	.attach = attach,
	.detach = detach,
	.flr = flr,
	.bar_size = bar_size,
	.cfg_read = cfg_read,
	.cfg_write = cfg_write,
	.bar_read = bar_read,
	.bar_write = bar_write,
	.msix_armed = msix_armed,
	.write_failed = write_failed,
	.log = log_line,
};
