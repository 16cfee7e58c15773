// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* logmon.c - see logmon.h. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include "logmon.h"

struct tcp {
	uint16_t sport;
	uint16_t dport;
	uint32_t seq;
	uint32_t ack;
	uint8_t off;
	uint8_t flags;
	uint16_t window;
	uint16_t check;
	uint16_t urgent;
} __attribute__((packed));

struct logmon *logmon_new(void)
{
	return calloc(1, sizeof(struct logmon));
}

int logmon_add(struct logmon *m, const char *word)
{
	if (!*word)
		return -EINVAL;
	if (m->count == LOGMON_WORDS)
		return -ENOSPC;
	m->words[m->count] = word;
	m->lens[m->count++] = strlen(word);
	return 0;
}

/* Count the lines with a word. The text ends with the end of a line, unless a line is too long. */
static void logmon_word(struct logmon *m, unsigned int i, const char *text, const char *end)
{
	const char *start = text, *at = text, *line;

	while ((at = memchr(at, m->words[i][0], (size_t)(end - at)))) {
		if ((size_t)(end - at) < m->lens[i])
			return;
		if (memcmp(at, m->words[i], m->lens[i])) {
			at++;
			continue;
		}
		line = memrchr(text, '\n', (size_t)(at - text));
		line = line ? line + 1 : text;
		m->lines[i]++;
		m->sum += packet_mix(m->bytes + (uint64_t)(line - start) + i);
		at = memchr(at, '\n', (size_t)(end - at));
		if (!at)
			return;
		text = ++at;
	}
}

/* Look at the lines that are whole. Return their bytes. */
static size_t logmon_text(struct logmon *m, const char *text, size_t len)
{
	const char *last = memrchr(text, '\n', len);

	if (last)
		len = (size_t)(last + 1 - text);
	else if (len < LOGMON_LINE)
		return 0;
	for (unsigned int i = 0; i < m->count; i++)
		logmon_word(m, i, text, text + len);
	m->bytes += len;
	return len;
}

/* End the line whose beginning came earlier. Return how many bytes that takes of @text. */
static size_t logmon_end(struct logmon *m, const char *text, size_t len)
{
	const char *last = memchr(text, '\n', len);
	size_t room = sizeof(m->tail) - m->tail_len;

	if (last)
		len = (size_t)(last + 1 - text);
	if (len > room)
		len = room;
	memcpy(m->tail + m->tail_len, text, len);
	m->tail_len += len;
	if (logmon_text(m, m->tail, m->tail_len))
		m->tail_len = 0;
	return len;
}

void logmon_bytes(struct logmon *m, const char *text, size_t len)
{
	size_t n;

	for (; len && m->tail_len; text += n, len -= n)
		n = logmon_end(m, text, len);
	if (!len)
		return;
	n = logmon_text(m, text, len);
	m->tail_len = len - n;
	memcpy(m->tail, text + n, m->tail_len);
}

bool logmon_packet(void *app, uint8_t *frame, uint32_t len)
{
	const struct packet *p = packet_of(frame, len);
	struct logmon *m = app;
	const struct tcp *t;
	uint32_t head, total, seq;

	if (!p || p->proto != PACKET_TCP || len < PACKET_L4 + sizeof(*t))
		return false;
	t = (const struct tcp *)(frame + PACKET_L4);
	head = PACKET_L4 - PACKET_IP + (t->off >> 4) * 4u;
	total = ntohs(p->total);
	if (total < head || total + PACKET_IP > len)
		return false;
	seq = ntohl(t->seq);
	if (m->began && seq != m->next) {
		m->lost++;
		m->tail_len = 0;
	}
	m->began = true;
	m->next = seq + total - head;
	logmon_bytes(m, (const char *)frame + PACKET_IP + head, total - head);
	return false;
}
