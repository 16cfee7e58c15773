/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* deploy.h - the steps of ncl deploy. Each function returns 0, or the exit status of ncl. */
#ifndef NCL_DEPLOY_H
#define NCL_DEPLOY_H

#include "and.h"
#include "desc.h"
#include "place.h"

#define PLACES_MAX	64	/* most places of one deployment */

/* A node's Ethernet address from --mac */
struct given {
	unsigned int node;
	uint8_t mac[6];
};

/**
 * struct deploy - a deployment
 * @prog: path of the description
 * @and: path of the AND file
 * @desc: contents of the description
 * @net: contents of the AND file
 * @replace: replace a program that was deployed at the same place
 * @timeout: seconds to wait for Ethernet addresses
 * @places: number of entries of @place
 * @place: the devices to deploy
 * @givens: number of entries of @given
 * @given: Ethernet addresses from --mac
 */
struct deploy {
	const char *prog;
	const char *and;
	struct desc *desc;
	struct and_net *net;
	bool replace;
	uint64_t timeout;
	unsigned int places;
	struct place place[PLACES_MAX];
	unsigned int givens;
	struct given given[AND_NODES];
};

/* Does the AND file @and number its nodes like the description @prog? */
int same_nodes(const struct desc *desc, const char *prog, const struct and_net *net, const char *and);

/* Parse a value of --map or --mac. Both files must have been read. deploy_map() modifies @text. */
int deploy_map(struct deploy *d, char *text);
int deploy_mac(struct deploy *d, const char *text);

/*
 * Look up the interface of @p, choose its mode and object file, and find the program that was
 * deployed there before.
 */
int deploy_look(struct deploy *d, struct place *p);

/* Write the addresses of the device and of all nodes to the maps of the loaded program. */
int deploy_fill(const struct deploy *d, const struct place *p);

#endif /* NCL_DEPLOY_H */
