/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * kvs.h - a key-value store over UDP: a cache, which forgets the oldest when it is full.
 *
 * The store is as in MICA's cache mode (Lim et al., "MICA: A Holistic Approach to Fast In-Memory
 * Key-Value Storage", NSDI 2014, section 4.3): items lie in a log, which begins again at its start
 * when it is full, and buckets of a cache line each point into the log.
 *
 * A request is a datagram with a struct kvs_msg. The answer has the size of the request, so a
 * request for a value has as many bytes as the value.
 */
#ifndef APPS_KVS_H
#define APPS_KVS_H

#include <endian.h>
#include <stdbool.h>
#include "packet.h"

#define KVS_WAYS	8

enum kvs_op { KVS_GET = 1, KVS_SET };
enum kvs_status { KVS_OK, KVS_NONE, KVS_SHORT, KVS_BAD };

/**
 * struct kvs_msg - a request or an answer, little endian
 * @op: enum kvs_op
 * @status: answer: enum kvs_status. KVS_SHORT: the request has less room than the value needs
 * @len: bytes of @value. KVS_GET: room for the value
 * @id: the client's, comes back in the answer
 * @key: key
 * @value: value
 */
struct kvs_msg {
	uint8_t		op;
	uint8_t		status;
	uint16_t	len;
	uint16_t	id;
	uint64_t	key;
	uint8_t		value[];
} __attribute__((packed));

struct kvs_item {
	uint64_t key;
	uint32_t len;
	uint32_t rsvd;
	uint8_t value[];
};

/**
 * struct kvs - a store
 * @index: buckets of KVS_WAYS entries: 16 bits of the hash, and 48 of the item's position in the
 *	log plus 1; 0: none
 * @buckets: their number, a power of 2
 * @log: the items
 * @size: bytes of @log, a power of 2
 * @head: where the next item goes, as bytes since the start
 * @gets: requests for values
 * @hits: how many of these found the value
 * @sets: values stored
 * @bad: packets that are no requests
 */
struct kvs {
	uint64_t *index;
	uint64_t buckets;
	uint8_t *log;
	uint64_t size;
	uint64_t head;
	uint64_t gets;
	uint64_t hits;
	uint64_t sets;
	uint64_t bad;
};

/* Make a store of 2^@buckets buckets and 2^@log bytes. Return NULL without memory. */
struct kvs *kvs_new(unsigned int buckets, unsigned int log);
void kvs_free(struct kvs *k);

/* Return the item of a key, or NULL. */
const struct kvs_item *kvs_get(const struct kvs *k, uint64_t key);

/* Store a value. Return false if it has more than a quarter of the log. */
bool kvs_set(struct kvs *k, uint64_t key, const void *value, uint32_t len);

/* Do what the request asks, and make it the answer. @room: bytes from @m->value to its end */
void kvs_serve(struct kvs *k, struct kvs_msg *m, uint32_t room);

static inline bool kvs_packet(void *app, uint8_t *frame, uint32_t len)
{
	struct packet *p = packet_of(frame, len);
	struct kvs *k = app;

	if (!p || p->proto != PACKET_UDP || len < sizeof(*p) + sizeof(struct kvs_msg)) {
		k->bad++;
		return false;
	}
	kvs_serve(k, (struct kvs_msg *)(p + 1), len - sizeof(*p) - sizeof(struct kvs_msg));
	packet_turn(p);
	p->udp_check = 0;
	return true;
}

#endif /* APPS_KVS_H */
