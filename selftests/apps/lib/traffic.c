// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* traffic.c - see traffic.h. */
#include <stdio.h>
#include <stdlib.h>
#include "apps/lib/traffic.h"
#include "kvs.h"
#include "random.h"

#define TEXT	(1u << 20)	/* bytes after which the text repeats */

uint16_t traffic_csum(const void *data, size_t len, uint32_t sum)
{
	const uint8_t *b = data;

	for (size_t i = 0; i < len; i += 2)
		sum += (uint32_t)b[i] << 8 | b[i + 1];
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return htons((uint16_t)~sum);
}

static void traffic_ip(struct packet *p, uint32_t len, uint8_t proto, uint32_t saddr)
{
	static const uint8_t macs[12] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2 };

	memcpy(p->dmac, macs, sizeof(macs));
	p->type = htons(PACKET_IPV4);
	p->version = 0x45;
	p->total = htons((uint16_t)(len - PACKET_IP));
	p->ttl = 64;
	p->proto = proto;
	p->saddr = saddr;
	p->daddr = TRAFFIC_VIP;
	p->check = 0;
	p->check = traffic_csum(&p->version, 20, 0);
}

struct packet *traffic_udp(uint8_t *frame, uint32_t len, uint32_t saddr, uint16_t sport)
{
	struct packet *p = (struct packet *)frame;

	memset(frame, 0, len);
	traffic_ip(p, len, PACKET_UDP, saddr);
	p->sport = htons(sport);
	p->dport = htons(53);
	p->udp_len = htons((uint16_t)(len - PACKET_L4));
	return p;
}

uint16_t traffic_udp_csum(const struct packet *p)
{
	uint16_t len = ntohs(p->udp_len), check;
	uint8_t pseudo[12];
	uint32_t sum;

	memcpy(pseudo, &p->saddr, 8);
	pseudo[8] = 0;
	pseudo[9] = p->proto;
	memcpy(pseudo + 10, &p->udp_len, 2);
	check = traffic_csum(pseudo, sizeof(pseudo), 0);
	/* The checksum field counts as 0: take it out by its complement. */
	sum = (uint32_t)(uint16_t)~ntohs(check) + (uint16_t)~ntohs(p->udp_check);
	return traffic_csum(&p->sport, len, sum);
}

uint32_t traffic_flow(uint8_t *frame, uint64_t i)
{
	static uint8_t made[TRAFFIC_FLOWS][TRAFFIC_SMALL];
	uint32_t flow = (uint32_t)random_mix(&i) % TRAFFIC_FLOWS;
	struct packet *p = (struct packet *)made[flow];

	if (!p->version) {
		p = traffic_udp(made[flow], TRAFFIC_SMALL, htonl(0xc6336400 + flow / 256),
				(uint16_t)(1024 + flow));
		p->udp_check = traffic_udp_csum(p);
	}
	memcpy(frame, p, TRAFFIC_SMALL);
	return TRAFFIC_SMALL;
}

uint64_t traffic_value(uint64_t key)
{
	return packet_mix(key);
}

uint32_t traffic_request(uint8_t *frame, uint64_t i)
{
	bool first = i < TRAFFIC_KEYS;
	uint64_t seed = i, random = random_mix(&seed);
	uint64_t key = first ? i : random % TRAFFIC_KEYS, value = traffic_value(key);
	struct packet *p = traffic_udp(frame, TRAFFIC_SMALL, htonl(0xc6336401), 1024);
	struct kvs_msg *m = (struct kvs_msg *)(p + 1);

	m->op = first || (random >> 32) % 20 == 0 ? KVS_SET : KVS_GET;
	m->len = htole16(sizeof(value));
	m->id = (uint16_t)i;
	m->key = htole64(key);
	if (m->op == KVS_SET)
		memcpy(m->value, &value, sizeof(value));
	return TRAFFIC_SMALL;
}

/* Write a line like those of a log. One in 64 has the word. Return its bytes. */
static size_t traffic_line(char *to, uint64_t random)
{
	return (size_t)sprintf(to, "host%02u app[%u]: %s request %016llx of client %u took %u us\n",
			       (unsigned int)(random % 64), (unsigned int)(random >> 8 & 0xffff),
			       (random >> 40) % 64 ? "info" : TRAFFIC_WORD,
			       (unsigned long long)random, (unsigned int)(random >> 24 & 0xfff),
			       (unsigned int)(random >> 48));
}

static const char *traffic_log(void)
{
	static char *text;
	uint64_t seed = 1;
	size_t at = 0;

	if (text)
		return text;
	text = malloc(TEXT + 256);
	if (!text)
		abort();
	while (at < TEXT)
		at += traffic_line(text + at, random_mix(&seed));
	text[TEXT - 1] = '\n';
	return text;
}

void traffic_text(void *to, uint64_t at, size_t len)
{
	const char *text = traffic_log();
	size_t n;

	for (; len; len -= n, at += n, to = (char *)to + n) {
		n = TEXT - at % TEXT < len ? TEXT - at % TEXT : len;
		memcpy(to, text + at % TEXT, n);
	}
}

uint32_t traffic_tcp(uint8_t *frame, uint64_t i)
{
	struct packet *p = (struct packet *)frame;
	uint32_t seq = htonl((uint32_t)(i * TRAFFIC_MSS));

	memset(frame, 0, TRAFFIC_TCP - TRAFFIC_MSS);
	traffic_ip(p, TRAFFIC_TCP, PACKET_TCP, htonl(0xc6336401));
	p->sport = htons(1024);
	p->dport = htons(514);
	memcpy(frame + PACKET_L4 + 4, &seq, sizeof(seq));
	frame[PACKET_L4 + 12] = 8 << 4;		/* words of the TCP header */
	traffic_text(frame + TRAFFIC_TCP - TRAFFIC_MSS, i * TRAFFIC_MSS, TRAFFIC_MSS);
	return TRAFFIC_TCP;
}
