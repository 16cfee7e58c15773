// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* flow_print.c - decode flow records and totals, and print them as text and JSON. */
#include <arpa/inet.h>
#include <endian.h>
#include <inttypes.h>
#include <string.h>
#include "flow_print.h"

#define NSEC_PER_MSEC	1000000

bool flow_decode(struct flow *f, const void *msg, size_t len)
{
	struct nfp_flow_record r;

	if (len != sizeof(r))
		return false;
	memcpy(&r, msg, sizeof(r));
	f->reason = r.reason;
	f->family = r.family;
	f->proto = r.proto;
	f->tcp_flags = r.tcp_flags;
	f->port = r.port;
	f->tos = r.tos;
	f->ttl = r.ttl;
	f->sport = be16toh(r.sport);
	f->dport = be16toh(r.dport);
	f->vlan = le16toh(r.vlan);
	f->vlan_inner = le16toh(r.vlan_inner);
	memcpy(f->src, r.src, sizeof(f->src));
	memcpy(f->dst, r.dst, sizeof(f->dst));
	f->packets = le64toh(r.packets);
	f->bytes = le64toh(r.bytes);
	f->first_ns = le64toh(r.first_ns);
	f->last_ns = le64toh(r.last_ns);
	return r.type == NFP_FLOW_RECORD && (f->family == 4 || f->family == 6) &&
	       f->reason >= NFP_FLOW_END_FIN && f->reason <= NFP_FLOW_END_ACTIVE;
}

bool totals_decode(struct totals *t, const void *msg, size_t len)
{
	struct nfp_flow_totals r;

	if (len != sizeof(r))
		return false;
	memcpy(&r, msg, sizeof(r));
	t->token = le32toh(r.token);
	t->packets = le64toh(r.packets);
	t->bytes = le64toh(r.bytes);
	t->records = le64toh(r.records);
	t->not_ip = le64toh(r.not_ip);
	t->truncated = le64toh(r.truncated);
	t->malformed = le64toh(r.malformed);
	t->dropped = le64toh(r.dropped);
	t->seen = le64toh(r.seen);
	t->active = le64toh(r.active);
	return r.type == NFP_FLOW_TOTALS;
}

/* ---- names ---- */

static const char *proto_name(uint8_t proto)
{
	switch (proto) {
	case 1:
		return "icmp";
	case 2:
		return "igmp";
	case 6:
		return "tcp";
	case 17:
		return "udp";
	case 47:
		return "gre";
	case 50:
		return "esp";
	case 58:
		return "icmpv6";
	case 89:
		return "ospf";
	case 132:
		return "sctp";
	}
	return NULL;
}

static const char *reason_name(uint8_t reason)
{
	static const char * const names[] = {
		[NFP_FLOW_END_FIN] = "fin",
		[NFP_FLOW_END_RST] = "rst",
		[NFP_FLOW_END_IDLE] = "idle",
		[NFP_FLOW_END_EVICT] = "evict",
		[NFP_FLOW_END_FLUSH] = "flush",
		[NFP_FLOW_END_ACTIVE] = "active",
	};

	return names[reason];
}

static const char *address(const struct flow *f, const uint8_t *addr,
			   char buf[INET6_ADDRSTRLEN])
{
	return inet_ntop(f->family == 4 ? AF_INET : AF_INET6, addr, buf, INET6_ADDRSTRLEN);
}

/* ---- records ---- */

/* Format an address, with the port if the protocol has ports. */
static const char *end_text(const struct flow *f, const uint8_t *addr, uint16_t port,
			    char text[FLOW_TEXT])
{
	char buf[INET6_ADDRSTRLEN];
	bool ports = f->proto == 6 || f->proto == 17 || f->proto == 132;

	address(f, addr, buf);
	if (!ports)
		snprintf(text, FLOW_TEXT, "%s", buf);
	else
		snprintf(text, FLOW_TEXT, f->family == 6 ? "[%s]:%u" : "%s:%u", buf, port);
	return text;
}

const char *flow_proto(const struct flow *f, char text[FLOW_TEXT])
{
	const char *name = proto_name(f->proto);

	if (name)
		return name;
	snprintf(text, FLOW_TEXT, "%u", f->proto);
	return text;
}

const char *flow_src(const struct flow *f, char text[FLOW_TEXT])
{
	return end_text(f, f->src, f->sport, text);
}

const char *flow_dst(const struct flow *f, char text[FLOW_TEXT])
{
	return end_text(f, f->dst, f->dport, text);
}

/* Format what only some flows have: the message of ICMP, and VLANs. */
static void more_text(const struct flow *f, char text[64])
{
	int n = 0;

	*text = '\0';
	if (f->proto == 1 || f->proto == 58)
		n += sprintf(text, "  type %u code %u", f->sport >> 8, f->sport & 0xff);
	if (f->vlan != NFP_FLOW_NO_VLAN)
		n += sprintf(text + n, "  vlan %u", f->vlan);
	if (f->vlan_inner != NFP_FLOW_NO_VLAN)
		sprintf(text + n, ".%u", f->vlan_inner);
}

void flow_plain_head(FILE *out)
{
	fprintf(out, "%-7s%-22s%-22s%9s%12s%12s  %s\n", "PROTO", "SOURCE", "DESTINATION", "PACKETS",
		"BYTES", "MS", "END");
}

void flow_plain(FILE *out, const struct flow *f)
{
	uint64_t ns = f->last_ns - f->first_ns;
	char src[FLOW_TEXT], dst[FLOW_TEXT], proto[FLOW_TEXT], more[64];

	more_text(f, more);
	fprintf(out, "%-6s %-21s %-21s %9" PRIu64 "%12" PRIu64 "%8" PRIu64 ".%03" PRIu64 "  %*s%s\n",
		flow_proto(f, proto), flow_src(f, src), flow_dst(f, dst), f->packets, f->bytes, ns / NSEC_PER_MSEC,
		ns / 1000 % 1000, *more ? -5 : 0, reason_name(f->reason), more);
}

void flow_json(struct json *j, const struct flow *f)
{
	const char *proto = proto_name(f->proto);
	char buf[INET6_ADDRSTRLEN];

	json_object(j, NULL);
	json_str(j, "src", address(f, f->src, buf));
	json_str(j, "dst", address(f, f->dst, buf));
	json_u64(j, "proto", f->proto);
	if (proto)
		json_str(j, "proto_name", proto);
	else
		json_null(j, "proto_name");
	json_u64(j, "sport", f->sport);
	json_u64(j, "dport", f->dport);
	if (f->vlan != NFP_FLOW_NO_VLAN)
		json_u64(j, "vlan", f->vlan);
	else
		json_null(j, "vlan");
	if (f->vlan_inner != NFP_FLOW_NO_VLAN)
		json_u64(j, "vlan_inner", f->vlan_inner);
	json_u64(j, "packets", f->packets);
	json_u64(j, "bytes", f->bytes);
	json_u64(j, "first_ns", f->first_ns);
	json_u64(j, "last_ns", f->last_ns);
	json_u64(j, "tcp_flags", f->tcp_flags);
	json_u64(j, "port", f->port);
	json_u64(j, "tos", f->tos);
	json_u64(j, "ttl", f->ttl);
	json_str(j, "reason", reason_name(f->reason));
	json_close(j);
}

/* ---- totals ---- */

void totals_plain(FILE *out, const struct totals *t)
{
	fprintf(out, "\n%-24s%12" PRIu64 "\n", "packets in flows", t->packets);
	fprintf(out, "%-24s%12" PRIu64 "\n", "  bytes", t->bytes);
	fprintf(out, "%-24s%12" PRIu64 "\n", "  records", t->records);
	fprintf(out, "%-24s%12" PRIu64 "\n", "  flows still in table", t->active);
	fprintf(out, "%-24s%12" PRIu64 "\n", "not IP", t->not_ip);
	fprintf(out, "%-24s%12" PRIu64 "\n", "truncated", t->truncated);
	fprintf(out, "%-24s%12" PRIu64 "\n", "malformed", t->malformed);
	fprintf(out, "%-24s%12" PRIu64 "\n", "dropped", t->dropped);
	fprintf(out, "%-24s%12" PRIu64 "\n", "seen at the wire", t->seen);
}

void totals_json(struct json *j, const struct totals *t)
{
	json_u64(j, "packets", t->packets);
	json_u64(j, "bytes", t->bytes);
	json_u64(j, "records", t->records);
	json_u64(j, "active", t->active);
	json_u64(j, "seen", t->seen);
	json_object(j, "counters");
	json_u64(j, "not_ip", t->not_ip);
	json_u64(j, "truncated", t->truncated);
	json_u64(j, "malformed", t->malformed);
	json_u64(j, "dropped", t->dropped);
	json_close(j);
}
