// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* queues.c - the rings of an interface, and which of them RSS uses. */
#include <errno.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include "alloc.h"
#include "split.h"

static int ethtool(const char *dev, void *cmd)
{
	struct ifreq ifr = { .ifr_data = cmd };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), ret;

	if (fd < 0)
		return -errno;
	strncpy(ifr.ifr_name, dev, sizeof(ifr.ifr_name) - 1);
	ret = ioctl(fd, SIOCETHTOOL, &ifr) ? -errno : 0;
	close(fd);
	return ret;
}

int rings_count(const char *dev, unsigned int *rx, unsigned int *tx)
{
	struct ethtool_channels ch = { .cmd = ETHTOOL_GCHANNELS };
	int ret = ethtool(dev, &ch);

	*rx = ch.combined_count + ch.rx_count;
	*tx = ch.combined_count + ch.tx_count;
	return ret;
}

int queues_count(const char *dev, struct carrier *c, char *err, size_t len)
{
	unsigned int rx, tx;
	int ret = rings_count(dev, &rx, &tx);

	if (ret || rx < 2) {
		snprintf(err, len, "%s has %u RX rings: with a queue as carrier, each program of the "
			 "host that receives frames from the card needs one ring, and all other "
			 "frames need one (ethtool -L)", dev, rx);
		return ret ? ret : -EOPNOTSUPP;
	}
	c->queue = rx - 1;
	c->slots = rx - 1;
	return 0;
}

/* Find the highest ring that RSS uses. */
static int rss_most(const char *dev, unsigned int *ring)
{
	struct ethtool_rxfh_indir size = { .cmd = ETHTOOL_GRXFHINDIR }, *table;
	int ret = ethtool(dev, &size);
	unsigned int i;

	*ring = 0;
	if (ret)
		return ret;
	table = xzalloc(sizeof(*table) + size.size * sizeof(table->ring_index[0]));
	table->cmd = ETHTOOL_GRXFHINDIR;
	table->size = size.size;
	ret = ethtool(dev, table);
	for (i = 0; !ret && i < table->size; i++)
		*ring = table->ring_index[i] > *ring ? table->ring_index[i] : *ring;
	free(table);
	return ret;
}

int queues_free(const char *dev, const struct carrier *c, char *err, size_t len)
{
	unsigned int most, first = c->queue + 1 - c->slots;
	int ret = rss_most(dev, &most);

	if (ret) {
		snprintf(err, len, "%s: cannot read which rings RSS uses: %s", dev, strerror(-ret));
		return ret;
	}
	if (most < first)
		return 0;
	snprintf(err, len, "RSS puts frames into rings up to %u of %s; rings %u to %u are for frames "
		 "that go on to a program of the host: ethtool -X %s equal %u", most, dev, first,
		 c->queue, dev, first);
	return -EBUSY;
}
