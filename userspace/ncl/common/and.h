/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * and.h - the AND file: hosts, devices, and links between them.
 *
 *	host   LABEL ADDRESS[:PORT]
 *	device LABEL ADDRESS
 *	link   LABEL LABEL
 *	group  LABEL ADDRESS
 *	multicast NUMBER LABEL...
 *
 * A node's number is its place among the lines "host" and "device", from 1. A host that has
 * the address of a device is behind it: the device's interface is the host's. A multicast
 * group has hosts and devices as members, and the address 239.78.128.0 + NUMBER.
 */
#ifndef NCL_AND_H
#define NCL_AND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AND_LABEL	32	/* bytes of a label, with the 0 behind it */
#define AND_NODES	254	/* at most: the last byte of a group's address */
#define AND_MULTICASTS	32
#define AND_MULTICAST_MAX 0x7fff	/* numbers of groups */

/**
 * struct and_node - a host or a device
 * @label: its label
 * @id: its number, from 1
 * @device: or a host
 * @ip: IPv4 address, network byte order
 * @group: of a device: address of its group, network byte order
 * @port: UDP port, host byte order; of a device it is NCP_PORT
 * @behind: of a host: the device that it is behind; of a device: the host behind it; or 0
 */
struct and_node {
	char label[AND_LABEL];
	unsigned int id;
	bool device;
	uint32_t ip;
	uint32_t group;
	uint16_t port;
	unsigned int behind;
};

/**
 * struct and_multicast - a group of hosts and devices
 * @id: its number, from 1
 * @ip: its address, network byte order
 * @member: by number of the node
 * @devices: there are devices among the members
 */
struct and_multicast {
	unsigned int id;
	uint32_t ip;
	bool member[AND_NODES + 1];
	bool devices;
};

/**
 * struct and_net - what an AND file says
 * @nr: number of nodes
 * @node: they; number n is node[n - 1]
 * @linked: whether two are neighbours, by link or since one is behind the other
 * @multicasts: number of groups
 * @multicast: they
 */
struct and_net {
	unsigned int multicasts;
	struct and_multicast multicast[AND_MULTICASTS];
	unsigned int nr;
	struct and_node node[AND_NODES];
	bool linked[AND_NODES + 1][AND_NODES + 1];
};

/*
 * Read an AND file. -EINVAL: it is wrong, and @err, which may be NULL, has "FILE:LINE: text";
 * -errno: it cannot be read.
 */
int and_read(const char *path, struct and_net **net, char *err, size_t errlen);
void and_free(struct and_net *net);

/* By label and by number; NULL: there is none. */
const struct and_node *and_find(const struct and_net *net, const char *label);
const struct and_node *and_node(const struct and_net *net, unsigned int id);
const struct and_multicast *and_multicast(const struct and_net *net, unsigned int id);

/**
 * and_next() - the node to which @from sends what is for @to
 *
 * The first one on a way of the fewest links, of several such ways the one whose first node
 * has the smallest number. Hosts pass nothing on. A device does not see what the host behind
 * it sends: that goes to the device's neighbours.
 *
 * Return: its number; @to if they are neighbours; @from if it is @to; 0: there is no way.
 */
unsigned int and_next(const struct and_net *net, unsigned int from, unsigned int to);

#endif /* NCL_AND_H */
