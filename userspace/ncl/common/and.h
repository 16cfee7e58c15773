/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * and.h - the AND file (abstract network description): hosts, devices, and links between them.
 *
 *	host   LABEL ADDRESS[:PORT]
 *	device LABEL ADDRESS
 *	link   LABEL LABEL
 *	group  LABEL ADDRESS
 *	multicast NUMBER LABEL...
 *
 * A node's number is its place among the lines "host" and "device", from 1. A host with the address
 * of a device is the host at that device: both use the same interface. A multicast group has hosts
 * and devices as members, and the address 239.78.128.0 + NUMBER.
 */
#ifndef NCL_AND_H
#define NCL_AND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AND_LABEL	32	/* bytes of a label, with the final 0 */
#define AND_NODES	254	/* most nodes: a group's address has the number in its last byte */
#define AND_MULTICASTS	32
#define AND_MULTICAST_MAX 0x7fff	/* largest number of a group */

/**
 * struct and_node - a host or a device
 * @label: label of the node
 * @id: number of the node, from 1
 * @device: the node is a device; false: a host
 * @ip: IPv4 address, network byte order
 * @group: only of a device: address of its group, network byte order
 * @port: UDP port, host byte order; NCP_PORT for a device
 * @behind: of a host: the device with the same address; of a device: the host with the same
 *	address; 0: none
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
 * @id: number of the group, from 1
 * @ip: address of the group, network byte order
 * @member: by number of the node: the node is a member
 * @devices: at least one member is a device
 */
struct and_multicast {
	unsigned int id;
	uint32_t ip;
	bool member[AND_NODES + 1];
	bool devices;
};

/**
 * struct and_net - contents of an AND file
 * @nr: number of nodes
 * @node: the nodes; node n is node[n - 1]
 * @linked: two nodes are neighbours: they have a link, or the same address
 * @multicasts: number of groups
 * @multicast: the groups
 */
struct and_net {
	unsigned int multicasts;
	struct and_multicast multicast[AND_MULTICASTS];
	unsigned int nr;
	struct and_node node[AND_NODES];
	bool linked[AND_NODES + 1][AND_NODES + 1];
};

/*
 * Read an AND file. Return 0 with the network in *@net; -EINVAL if a line is wrong; else a negative
 * errno if the file cannot be read. On failure @err, which may be NULL, gets "FILE:LINE: text".
 */
int and_read(const char *path, struct and_net **net, char *err, size_t errlen);
void and_free(struct and_net *net);

/* Find by label or by number. NULL: not found. */
const struct and_node *and_find(const struct and_net *net, const char *label);
const struct and_node *and_node(const struct and_net *net, unsigned int id);
const struct and_multicast *and_multicast(const struct and_net *net, unsigned int id);

/**
 * and_next() - the next hop from @from to @to
 *
 * The next hop is the first node of a shortest path. Of several shortest paths, the path whose
 * first node has the smallest number is used. Hosts do not forward. A device does not process what
 * the host with its address sends: such windows go to the neighbours of the device.
 *
 * Return: number of the next hop; @to if the nodes are neighbours; @from if @from is @to; 0: no
 * path.
 */
unsigned int and_next(const struct and_net *net, unsigned int from, unsigned int to);

#endif /* NCL_AND_H */
