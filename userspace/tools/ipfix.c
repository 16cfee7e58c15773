// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * ipfix.c - send flow records to an IPFIX collector.
 *
 * A record has one of four templates: IPv4 or IPv6, with ports or with ICMP's type and code. Over UDP
 * the templates are sent again and again, because a collector that starts later needs them.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "ipfix.h"
#include "now.h"
#include "tool.h"

#ifdef NFPCHAN_LIBFIXBUF
#include <fixbuf/public.h>

#define PORT		"4739"	/* IANA's for IPFIX */
#define TEMPLATE	256	/* id of the first template */
#define NSEC		1000000000ull
#define UNIX_NS		1000000000000000000ull	/* September 2001 */

/* What a template has */
#define V4	1u
#define V6	2u
#define PORTS	4u
#define ICMP4	8u
#define ICMP6	16u

struct record {
	uint64_t first_ms;
	uint64_t last_ms;
	uint64_t packets;
	uint64_t bytes;
	uint32_t src4;
	uint32_t dst4;
	uint8_t src6[16];
	uint8_t dst6[16];
	uint32_t ingress;
	uint16_t sport;
	uint16_t dport;
	uint16_t icmp4;
	uint16_t icmp6;
	uint16_t tcp_flags;
	uint16_t vlan;
	uint16_t vlan_inner;
	uint8_t proto;
	uint8_t tos;
	uint8_t ttl;
	uint8_t reason;
};

/* Those of struct record, in its order */
static fbInfoElementSpec_t elements[] = {
	{ "flowStartMilliseconds", 8, 0 },
	{ "flowEndMilliseconds", 8, 0 },
	{ "packetDeltaCount", 8, 0 },
	{ "octetDeltaCount", 8, 0 },
	{ "sourceIPv4Address", 4, V4 },
	{ "destinationIPv4Address", 4, V4 },
	{ "sourceIPv6Address", 16, V6 },
	{ "destinationIPv6Address", 16, V6 },
	{ "ingressInterface", 4, 0 },
	{ "sourceTransportPort", 2, PORTS },
	{ "destinationTransportPort", 2, PORTS },
	{ "icmpTypeCodeIPv4", 2, ICMP4 },
	{ "icmpTypeCodeIPv6", 2, ICMP6 },
	{ "tcpControlBits", 2, PORTS },
	{ "vlanId", 2, 0 },
	{ "dot1qCustomerVlanId", 2, 0 },
	{ "protocolIdentifier", 1, 0 },
	{ "ipClassOfService", 1, 0 },
	{ "minimumTTL", 1, 0 },
	{ "flowEndReason", 1, 0 },
	FB_IESPEC_NULL
};

static const unsigned int templates[] = { V4 | PORTS, V4 | ICMP4, V6 | PORTS, V6 | ICMP6 };

/**
 * struct ipfix - a sender
 * @model: libfixbuf's information elements
 * @session: templates and sequence numbers
 * @buf: the next message
 * @conn: the collector
 * @where: the collector as the user has written it
 * @refresh_s: seconds between templates
 * @sent_ns: time of the last templates, by now_ns()
 * @offset_ns: Unix time - the card's time, or less; 0: not known
 * @records: records in the next message
 * @warned: a warning was printed since the last templates
 */
struct ipfix {
	fbInfoModel_t *model;
	fbSession_t *session;
	fBuf_t *buf;
	fbConnSpec_t conn;
	const char *where;
	uint32_t refresh_s;
	uint64_t sent_ns;
	uint64_t offset_ns;
	unsigned int records;
	bool warned;
};

static uint64_t unix_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (uint64_t)ts.tv_sec * NSEC + (uint64_t)ts.tv_nsec;
}

static int fail(const struct ipfix *x, GError *err)
{
	tool_fail("IPFIX to %s: %s", x->where, err->message);
	g_error_free(err);
	return EXIT_FAILURE;
}

/* libfixbuf warns by glib's log if no collector receives its datagrams. */
static void warn(const char *domain, GLogLevelFlags level, const char *text, void *arg)
{
	struct ipfix *x = arg;

	(void)domain;
	(void)level;
	if (!x->warned)
		fprintf(stderr, "nfpchan: warning: IPFIX to %s: %s; records may be lost\n", x->where,
			text);
	x->warned = true;
}

/* ---- the collector ---- */

/* Split [tcp:]HOST[:PORT]. */
static bool split_where(fbConnSpec_t *conn, const char *where)
{
	char *host, *end;

	conn->transport = strncmp(where, "tcp:", 4) ? FB_UDP : FB_TCP;
	host = strdup(where + (conn->transport == FB_TCP ? 4 : 0));
	if (!host)
		return false;
	conn->host = host;
	end = host + strcspn(host, ":");
	if (*host == '[') {
		end = strchr(host, ']');
		if (!end)
			return false;
		memmove(host, host + 1, (size_t)(end - host));
		end[-1] = '\0';
		end++;
	}
	if (*end && (*end != ':' || !end[1] || strchr(end + 1, ':')))
		return false;
	conn->svc = strdup(*end ? end + 1 : PORT);
	*end = '\0';
	return conn->svc && *conn->host;
}

static bool template_add(struct ipfix *x, bool internal, unsigned int id, unsigned int what,
			 GError **err)
{
	fbTemplate_t *t = fbTemplateAlloc(x->model);

	if (fbTemplateAppendSpecArray(t, elements, what, err) &&
	    fbSessionAddTemplate(x->session, internal, (uint16_t)id, t, err))
		return true;
	fbTemplateFreeUnused(t);
	return false;
}

/* Add the templates of messages, and that of struct record, which has all elements. */
static bool templates_add(struct ipfix *x, GError **err)
{
	unsigned int i;

	for (i = 0; i < sizeof(templates) / sizeof(templates[0]); i++)
		if (!template_add(x, false, TEMPLATE + i, templates[i], err))
			return false;
	return template_add(x, true, TEMPLATE, ~0u, err) &&
	       fBufSetInternalTemplate(x->buf, TEMPLATE, err);
}

static bool send_templates(struct ipfix *x, GError **err)
{
	x->sent_ns = now_ns();
	x->warned = false;
	return fbSessionExportTemplates(x->session, err);
}

struct ipfix *ipfix_open(const char *where, uint32_t domain, uint32_t refresh_s)
{
	struct ipfix *x = calloc(1, sizeof(*x));
	GError *err = NULL;

	if (!x) {
		tool_fail("out of memory");
		return NULL;
	}
	x->where = where;
	x->refresh_s = refresh_s;
	if (!split_where(&x->conn, where)) {
		tool_fail("--ipfix %s: not a collector; write [tcp:]HOST[:PORT], an IPv6 address in brackets", where);
		ipfix_close(x);
		return NULL;
	}
	g_log_set_default_handler(warn, x);
	x->model = fbInfoModelAlloc();
	x->session = fbSessionAlloc(x->model);
	fbSessionSetDomain(x->session, domain);
	x->buf = fBufAllocForExport(x->session, fbExporterAllocNet(&x->conn));
	if (templates_add(x, &err) && send_templates(x, &err) && fBufEmit(x->buf, &err))
		return x;
	fail(x, err);
	ipfix_close(x);
	return NULL;
}

void ipfix_close(struct ipfix *x)
{
	if (!x)
		return;
	g_log_set_default_handler(g_log_default_handler, NULL);
	if (x->buf)
		fBufFree(x->buf);
	if (x->model)
		fbInfoModelFree(x->model);
	free(x->conn.host);
	free(x->conn.svc);
	free(x);
}

/* ---- records ---- */

static uint8_t end_reason(uint8_t reason)
{
	static const uint8_t codes[] = {
		[NFP_FLOW_END_FIN] = 3,		/* end of flow detected */
		[NFP_FLOW_END_RST] = 3,
		[NFP_FLOW_END_IDLE] = 1,	/* idle timeout */
		[NFP_FLOW_END_EVICT] = 5,	/* lack of resources */
		[NFP_FLOW_END_FLUSH] = 4,	/* forced end */
		[NFP_FLOW_END_ACTIVE] = 2,	/* active timeout */
	};

	return codes[reason];
}

static uint16_t vlan_id(uint16_t vlan)
{
	return vlan == NFP_FLOW_NO_VLAN ? 0 : vlan;
}

/*
 * Find what makes Unix time of a flow's time. A clock that counts from the card's start is far before
 * UNIX_NS. No record comes before its last packet, so the smallest difference of all records is nearest
 * to the truth.
 */
static uint64_t offset_ns(struct ipfix *x, const struct flow *f)
{
	uint64_t offset;

	if (f->last_ns >= UNIX_NS)
		return 0;
	offset = unix_ns() - f->last_ns;
	if (!x->offset_ns || offset < x->offset_ns)
		x->offset_ns = offset;
	return x->offset_ns;
}

static void fill(struct record *r, const struct flow *f, uint64_t offset)
{
	*r = (struct record){
		.first_ms = (f->first_ns + offset) / 1000000,
		.last_ms = (f->last_ns + offset) / 1000000,
		.packets = f->packets,
		.bytes = f->bytes,
		.ingress = f->port,
		.sport = f->sport,
		.dport = f->dport,
		.icmp4 = f->sport,
		.icmp6 = f->sport,
		.tcp_flags = f->tcp_flags,
		.vlan = vlan_id(f->vlan),
		.vlan_inner = vlan_id(f->vlan_inner),
		.proto = f->proto,
		.tos = f->tos,
		.ttl = f->ttl,
		.reason = end_reason(f->reason),
	};
	if (f->family == 4) {
		memcpy(&r->src4, f->src, 4);
		memcpy(&r->dst4, f->dst, 4);
		r->src4 = ntohl(r->src4);
		r->dst4 = ntohl(r->dst4);
	} else {
		memcpy(r->src6, f->src, 16);
		memcpy(r->dst6, f->dst, 16);
	}
}

static bool refresh_due(const struct ipfix *x)
{
	if (x->conn.transport != FB_UDP)
		return false;
	return x->refresh_s ? now_ns() - x->sent_ns >= x->refresh_s * NSEC : !x->records;
}

int ipfix_add(struct ipfix *x, const struct flow *f)
{
	bool icmp = f->proto == (f->family == 4 ? 1 : 58);
	uint16_t id = (uint16_t)(TEMPLATE + (f->family == 6) * 2 + icmp);
	struct record r;
	GError *err = NULL;

	fill(&r, f, offset_ns(x, f));
	if ((refresh_due(x) && !send_templates(x, &err)) ||
	    !fBufSetExportTemplate(x->buf, id, &err) ||
	    !fBufAppend(x->buf, (uint8_t *)&r, sizeof(r), &err))
		return fail(x, err);
	x->records++;
	return 0;
}

int ipfix_flush(struct ipfix *x)
{
	GError *err = NULL;

	if (!x->records)
		return 0;
	x->records = 0;
	return fBufEmit(x->buf, &err) ? 0 : fail(x, err);
}

#else

struct ipfix *ipfix_open(const char *where, uint32_t domain, uint32_t refresh_s)
{
	(void)domain;
	(void)refresh_s;
	tool_fail("--ipfix %s: this nfpchan was built without libfixbuf (libfixbuf-dev)", where);
	return NULL;
}

int ipfix_add(struct ipfix *x, const struct flow *f)
{
	(void)x;
	(void)f;
	return EXIT_FAILURE;
}

int ipfix_flush(struct ipfix *x)
{
	(void)x;
	return EXIT_FAILURE;
}

void ipfix_close(struct ipfix *x)
{
	(void)x;
}
#endif
