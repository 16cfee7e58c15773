/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* deploy.h - the pieces of ncl deploy. Each returns the exit status to end with, or 0. */
#ifndef NCL_DEPLOY_H
#define NCL_DEPLOY_H

#include "and.h"
#include "desc.h"
#include "place.h"

#define PLACES_MAX	64	/* of a machine */

/* A node's Ethernet address, as the user says: --mac */
struct given {
	unsigned int node;
	uint8_t mac[6];
};

/**
 * struct deploy - a deployment
 * @prog: path of the description
 * @and: path of the AND file
 * @desc: what they say
 * @net: the same
 * @replace: in place of an earlier one
 * @timeout: seconds that Ethernet addresses are looked up
 * @places: number of places
 * @place: they
 * @givens: number of addresses that are given
 * @given: they
 */
struct deploy {
	const char *prog;
	const char *and;
	struct desc *desc;
	struct and_net *net;
	bool replace;
	unsigned int timeout;
	unsigned int places;
	struct place place[PLACES_MAX];
	unsigned int givens;
	struct given given[AND_NODES];
};

/* Values of --map and --mac, after both files were read. The first cuts @text. */
int deploy_map(struct deploy *d, char *text);
int deploy_mac(struct deploy *d, const char *text);

/* Interface, mode, file, and what is deployed there: into a place that deploy_map() made. */
int deploy_look(struct deploy *d, struct place *p);

/* Write the addresses that the loaded program of a place goes by. */
int deploy_fill(const struct deploy *d, const struct place *p);

#endif /* NCL_DEPLOY_H */
