// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ethtool.c - see ethtool.h. */
#define _GNU_SOURCE
#include "ethtool.h"

void ethtool(const char *dev, void *cmd)
{
	static int fd = -1;
	struct ifreq ifr = { .ifr_data = cmd };

	if (fd < 0)
		fd = socket(AF_INET, SOCK_DGRAM, 0);
	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", dev);
	if (ioctl(fd, SIOCETHTOOL, &ifr))
		die("ethtool");
}

uint64_t counter(const char *dev, const char *name)
{
	static struct ethtool_gstrings *names;
	static struct ethtool_stats *stats;
	struct {
		struct ethtool_sset_info head;
		uint32_t n;
	} info = { .head = { .cmd = ETHTOOL_GSSET_INFO, .sset_mask = 1ull << ETH_SS_STATS } };
	uint32_t i;

	if (!names) {
		ethtool(dev, &info);
		names = calloc(1, sizeof(*names) + info.n * ETH_GSTRING_LEN);
		stats = calloc(1, sizeof(*stats) + info.n * sizeof(uint64_t));
		if (!names || !stats)
			die("counters");
		names->cmd = ETHTOOL_GSTRINGS;
		names->string_set = ETH_SS_STATS;
		names->len = info.n;
		ethtool(dev, names);
	}
	stats->cmd = ETHTOOL_GSTATS;
	stats->n_stats = names->len;
	ethtool(dev, stats);
	for (i = 0; i < names->len; i++)
		if (!strcmp((char *)names->data + i * ETH_GSTRING_LEN, name))
			return stats->data[i];
	return 0;
}
