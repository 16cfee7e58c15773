/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* serve.h - ncl serve: hosts of other machines read and write variables of this machine's devices. */
#ifndef NCL_SERVE_H
#define NCL_SERVE_H

#include "rt.h"

/**
 * struct serve_counts - requests to a device
 * @done: requests that were executed
 * @failed: requests that failed, for a reason that is not in @refused
 * @again: requests that had come before: the answer is sent again
 * @refused: requests of hosts without access, or for variables that are not served
 * @malformed: datagrams that are no request
 */
struct serve_counts {
	uint64_t done;
	uint64_t failed;
	uint64_t again;
	uint64_t refused;
	uint64_t malformed;
};

/**
 * struct client - the latest request of a host, which is executed once
 * @session: number of its session
 * @seq: its number in the session
 * @answer: the answer
 */
struct client {
	uint64_t session;
	uint32_t seq;
	struct frame answer;
};

/**
 * struct served - a device
 * @node: node of the device in the AND file
 * @sock: socket at its address
 * @file: file with the counters
 * @counts: the counters
 * @client: by number of the host; NULL: the host has sent no request yet
 */
struct served {
	const struct and_node *node;
	int sock;
	int file;
	struct serve_counts counts;
	struct client *client[AND_NODES + 1];
};

/**
 * struct serve - a server
 * @program: name of the program
 * @and: path of the AND file
 * @net: contents of the AND file
 * @desc: description of the deployed program
 * @allowed: by number of a node: the host has access
 * @places: number of entries of @place
 * @place: the devices
 */
struct serve {
	const char *program;
	const char *and;
	struct and_net *net;
	struct desc *desc;
	bool allowed[AND_NODES + 1];
	unsigned int places;
	struct served *place;
};

/* Read the description of the deployed program, in place of @s->desc. */
int serve_read(struct serve *s);

/*
 * Process a datagram of @len bytes, which came from the address @ip. Returns the answer to send, which
 * is valid until the next call, or NULL for none.
 */
const struct frame *serve_answer(struct serve *s, struct served *p, const struct frame *f, size_t len,
				 uint32_t ip);

/*
 * Write the counters of a device to its file. Read those of a device that a process serves now; false:
 * no process serves it.
 */
int counts_open(const char *program, const char *place);
void counts_write(const struct served *p);
bool counts_read(const char *program, const char *place, struct serve_counts *c);
void counts_close(const char *program, const struct served *p);

#endif /* NCL_SERVE_H */
