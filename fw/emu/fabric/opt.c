// SPDX-License-Identifier: BSD-2-Clause
/* opt.c - the model's assumptions. Each of them is an option. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opt.h"

#define AT(field)	offsetof(struct fab_opt, field)

const struct fab_opt_about fab_opts[] = {
	{ "size", "bytes of an image", 64, 1, FAB_SIZE_MAX, 0, AT(size) },
	{ "mps", "bytes of data in a TLP, at most", 256, 128, 4096, 1, AT(mps) },
	{ "mrrs", "bytes that a read request asks for, at most", 512, 128, 4096, 1, AT(mrrs) },
	{ "rcb", "bytes at whose multiples completions end", 64, 64, 128, 1, AT(rcb) },
	{ "link-mbyte", "million bytes a second of a link (Gen3 x8: 7877)",
	  7877, 250, 128000, 0, AT(link_mbyte) },
	{ "link-ns", "ns of a link besides the bytes", 110, 0, 10000, 0, AT(link_ns) },
	{ "switch-ns", "ns in a switch without programs", 120, 0, 10000, 0, AT(switch_ns) },
	{ "pipeline-ns", "ns that programs add (10 stages of 10 cycles at 3 GHz: 33)",
	  33, 0, 10000, 0, AT(pipeline_ns) },
	{ "end-ns", "ns in the device or root complex where a TLP ends",
	  39, 0, 10000, 0, AT(end_ns) },
	{ "ph", "credits of a receiver: posted requests", 32, 1, 127, 0, AT(ph) },
	{ "pd", "... their data, in 16 bytes", 512, 8, 2047, 0, AT(pd) },
	{ "nph", "... non-posted requests", 32, 1, 127, 0, AT(nph) },
	{ "cplh", "... completions (of a switch; without limit elsewhere)",
	  32, 1, 127, 0, AT(cplh) },
	{ "cpld", "... their data, in 16 bytes", 512, 8, 2047, 0, AT(cpld) },
	{ "egress", "TLPs of a kind that wait at a link, at most", 8, 1, 1024, 0, AT(egress) },
	{ "tags", "reads that a device has outstanding, at most", 32, 1, 256, 0, AT(tags) },
	{ "inflight", "descriptors that a device works on at a time", 4, 1, FAB_INFLIGHT, 0,
	  AT(inflight) },
	{ "buffer-kb", "KiB of the switch for a stream", 2048, 4, 65536, 0, AT(buffer_kb) },
	{ "stream-kb", "KiB of a stream-native device for its input",
	  2048, 4, 65536, 0, AT(stream_kb) },
	{ "nic-kb", "KiB of the NIC for messages that wait", 4096, 4, 65536, 0, AT(nic_kb) },
	{ "window", "messages in the chain at a time (0: as many as the buffers take, up to 16)",
	  0, 0, 64, 0, AT(window) },
	{ "cpu-ns", "ns of the CPU from a completion to the next doorbell",
	  200, 0, 100000, 0, AT(cpu_ns) },
	{ "cpus", "CPUs that do so", 1, 1, 16, 0, AT(cpus) },
	{ "card-ns", "ns of a thread of the card for the same", 200, 0, 100000, 0, AT(card_ns) },
	{ "threads", "threads of the card that do so", 8, 1, 16, 0, AT(threads) },
	{ "engine-ns", "ns of an accelerator for a message", 150, 0, 1000000, 0, AT(engine_ns) },
	{ "engine-mbyte", "... and million bytes a second", 12500, 1, 1000000, 0,
	  AT(engine_mbyte) },
	{ "offered", "thousand messages a second at the wire, for rates",
	  10000, 1, 100000, 0, AT(offered) },
	{ "messages", "messages of a run for rates", 2000, 100, 100000, 0, AT(messages) },
};

const unsigned int fab_nopts = sizeof(fab_opts) / sizeof(fab_opts[0]);

static uint32_t *field(struct fab_opt *o, unsigned int i)
{
	return (uint32_t *)((char *)o + fab_opts[i].offset);
}

uint32_t fab_opt_get(const struct fab_opt *o, unsigned int i)
{
	return *(const uint32_t *)((const char *)o + fab_opts[i].offset);
}

void fab_opt_default(struct fab_opt *o)
{
	unsigned int i;

	for (i = 0; i < fab_nopts; i++)
		*field(o, i) = fab_opts[i].fallback;
}

static int number(const char *s, unsigned long *v)
{
	char *end;

	errno = 0;
	*v = strtoul(s, &end, 10);
	return *s >= '0' && *s <= '9' && !*end && !errno;
}

static int value_set(uint32_t *field, const struct fab_opt_about *a, const char *value,
		     char *why, size_t size)
{
	unsigned long v;

	if (!number(value, &v)) {
		snprintf(why, size, "%s=%s: not a whole number", a->key, value);
		return -EINVAL;
	}
	if (v < a->min || v > a->max) {
		snprintf(why, size, "%s=%s: allowed are %u to %u (%s)", a->key, value, a->min,
			 a->max, a->what);
		return -ERANGE;
	}
	if (a->power && v & (v - 1)) {
		snprintf(why, size, "%s=%s: allowed are powers of two (%s)", a->key, value,
			 a->what);
		return -EINVAL;
	}
	*field = v;
	return 0;
}

int fab_opt_set(struct fab_opt *o, const char *arg, char *why, size_t size)
{
	const char *eq = strchr(arg, '=');
	size_t len = eq ? (size_t)(eq - arg) : strlen(arg);
	unsigned int i;

	for (i = 0; i < fab_nopts; i++) {
		const char *key = fab_opts[i].key;

		if (strlen(key) != len || memcmp(key, arg, len))
			continue;
		if (eq)
			return value_set(field(o, i), &fab_opts[i], eq + 1, why, size);
		snprintf(why, size, "%s: wants KEY=VALUE", arg);
		return -EINVAL;
	}
	snprintf(why, size, "%s: no such option; --help lists them", arg);
	return -EINVAL;
}

/* Check that @kb, the value of @key, is enough for a message. */
static int room(uint32_t kb, const char *key, const struct fab_opt *o, char *why, size_t size)
{
	/* In a switch's buffer a message begins at a page. It includes nonce and tag. */
	uint32_t need = (o->size + 28 + 4095) / 4096 * 4;

	if (kb >= need)
		return 0;
	snprintf(why, size, "%s=%u: a message of size=%u needs %u KiB", key, kb, o->size, need);
	return -ERANGE;
}

int fab_opt_check(const struct fab_opt *o, char *why, size_t size)
{
	const struct { uint32_t units; const char *key; } data[] = {
		{ o->pd, "pd" }, { o->cpld, "cpld" },
	};
	unsigned int i;
	int rc;

	for (i = 0; i < 2; i++) {
		if (data[i].units * 16 >= o->mps)
			continue;
		snprintf(why, size, "%s=%u: a TLP of mps=%u needs %u credits of 16 bytes",
			 data[i].key, data[i].units, o->mps, o->mps / 16);
		return -ERANGE;
	}
	rc = room(o->buffer_kb, "buffer-kb", o, why, size);
	if (!rc)
		rc = room(o->stream_kb, "stream-kb", o, why, size);
	if (!rc)
		rc = room(o->nic_kb, "nic-kb", o, why, size);
	return rc;
}
