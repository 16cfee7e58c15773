// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_flow_parse.c - the flow meter's parser, with a table of frames. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <nfpchan/nfp_chan_flow.h>

#include "flow.h"

/* Headers, in hexadecimal. */
#define MACS		"020000000001 020000000002 "
#define ETH4		MACS "0800 "
#define ETH6		MACS "86dd "
#define V4(len, frag, proto) "45 00 " len "0001" frag "40" proto "0000 0a000001 0a000002 "
#define V6(len, next)	"60000000 " len next "40" \
			"20010db8000000000000000000000001 20010db8000000000000000000000002 "
#define TCP(flags)	"1388 0050 00000001 00000002 50" flags "ffff 0000 0000 "
#define TCP_OPT		"1388 0050 00000001 00000002 80" "10" "ffff 0000 0000 0101080a0000000100000002 "
#define UDP		"0035 c000 000c 0000 "
#define SCTP		"0b59 0b5a 00000001 00000000 "
#define ECHO		"08 00 0000 00010001 "
#define DATA4		"11223344 "
#define EXT(next)	next "00 0104 00000000 "	/* an IPv6 extension header of 8 bytes */
#define EXT16(next)	next "01 0104 00000000 0000000000000000 "
#define FRAG6(next, off) next "00" off "00000001 "
#define AH(next)	next "04 0000 00000001 00000001 000000000000000000000000 "	/* 24 B */

struct frame {
	const char *name;
	const char *hex;
	int cap;		/* bytes captured; 0: all of @hex; negative: so many fewer */
	uint32_t len;		/* length on the wire; 0: that of @hex */
	enum flow_verdict verdict;
	const char *key;	/* "family proto sport dport vlan inner bytes flags" */
};

static const struct frame frames[] = {
	/* Ethernet */
	{ "empty", "", 0, 0, FLOW_TRUNCATED, NULL },
	{ "13 bytes", MACS "08", 0, 0, FLOW_TRUNCATED, NULL },
	{ "ARP", MACS "0806 0001080006040001", 0, 0, FLOW_NOT_IP, NULL },
	{ "802.3 length", MACS "0026 424203000000", 0, 0, FLOW_NOT_IP, NULL },
	{ "MPLS", MACS "8847 00000140", 0, 0, FLOW_NOT_IP, NULL },
	{ "ethertype alone", ETH4, 0, 0, FLOW_TRUNCATED, NULL },
	/* IPv4 */
	{ "UDP", ETH4 V4("0020", "0000", "11") UDP DATA4, 0, 0, FLOW_COUNTED,
	  "4 17 53 49152 - - 32 00" },
	{ "TCP SYN", ETH4 V4("0028", "4000", "06") TCP("02"), 0, 0, FLOW_COUNTED,
	  "4 6 5000 80 - - 40 02" },
	{ "TCP with options", ETH4 V4("0034", "4000", "06") TCP_OPT, 0, 0, FLOW_COUNTED,
	  "4 6 5000 80 - - 52 10" },
	{ "padded to 60 bytes", ETH4 V4("001c", "0000", "11") UDP "0000000000000000", 0, 0,
	  FLOW_COUNTED, "4 17 53 49152 - - 28 00" },
	{ "IP options", ETH4 "46 00 0024 0001 0000 40 11 0000 0a000001 0a000002 94040000 " UDP DATA4,
	  0, 0, FLOW_COUNTED, "4 17 53 49152 - - 36 00" },
	{ "ICMP echo", ETH4 V4("001c", "0000", "01") ECHO, 0, 0, FLOW_COUNTED,
	  "4 1 2048 0 - - 28 00" },
	{ "SCTP", ETH4 V4("0020", "0000", "84") SCTP, 0, 0, FLOW_COUNTED,
	  "4 132 2905 2906 - - 32 00" },
	{ "protocol without ports", ETH4 V4("0018", "0000", "2f") DATA4, 0, 0, FLOW_COUNTED,
	  "4 47 0 0 - - 24 00" },
	{ "ICMPv6 in IPv4", ETH4 V4("001c", "0000", "3a") ECHO, 0, 0, FLOW_COUNTED,
	  "4 58 0 0 - - 28 00" },
	{ "first fragment", ETH4 V4("0020", "2000", "11") UDP DATA4, 0, 0, FLOW_COUNTED,
	  "4 17 0 0 - - 32 00" },
	{ "later fragment", ETH4 V4("0018", "00b9", "11") DATA4, 0, 0, FLOW_COUNTED,
	  "4 17 0 0 - - 24 00" },
	{ "fragment too short for ports", ETH4 V4("0018", "2000", "06") DATA4, 0, 0, FLOW_COUNTED,
	  "4 6 0 0 - - 24 00" },
	{ "do not fragment is none", ETH4 V4("0020", "4000", "11") UDP DATA4, 0, 0, FLOW_COUNTED,
	  "4 17 53 49152 - - 32 00" },
	{ "length 0: the wire's", ETH4 V4("0000", "4000", "06") TCP("10"), 0, 65014, FLOW_COUNTED,
	  "4 6 5000 80 - - 65000 10" },
	{ "length beyond the wire", ETH4 V4("0021", "0000", "11") UDP DATA4, 0, 0,
	  FLOW_TRUNCATED, NULL },
	{ "length below the header", ETH4 V4("0013", "0000", "11") UDP DATA4, 0, 0,
	  FLOW_MALFORMED, NULL },
	{ "length below the options", ETH4 "46 00 0014 0001 0000 40 11 0000 0a000001 0a000002 94040000 "
	  UDP, 0, 0, FLOW_MALFORMED, NULL },
	{ "version 5", ETH4 "55 00 0020 0001 0000 40 11 0000 0a000001 0a000002 " UDP DATA4, 0, 0,
	  FLOW_MALFORMED, NULL },
	{ "header of 16 bytes", ETH4 "44 00 0020 0001 0000 40 11 0000 0a000001 0a000002 " UDP DATA4,
	  0, 0, FLOW_MALFORMED, NULL },
	{ "19 bytes of header", ETH4 V4("0020", "0000", "11"), -1, 46, FLOW_TRUNCATED, NULL },
	{ "options not there", ETH4 "4f 00 0050 0001 0000 40 11 0000 0a000001 0a000002 ", 0, 94,
	  FLOW_TRUNCATED, NULL },
	{ "UDP cut off by the snap length", ETH4 V4("0020", "0000", "11") UDP DATA4, 41, 0,
	  FLOW_TRUNCATED, NULL },
	{ "body cut off by the snap length", ETH4 V4("0020", "0000", "11") UDP DATA4, 42, 0,
	  FLOW_COUNTED, "4 17 53 49152 - - 32 00" },
	{ "UDP beyond the IP length", ETH4 V4("0018", "0000", "11") UDP DATA4, 0, 0,
	  FLOW_TRUNCATED, NULL },
	{ "TCP beyond the IP length", ETH4 V4("0027", "0000", "06") TCP("02") DATA4, 0, 0,
	  FLOW_TRUNCATED, NULL },
	{ "TCP options cut off", ETH4 V4("0034", "0000", "06") TCP_OPT, -1, 0, FLOW_TRUNCATED, NULL },
	{ "TCP header of 16 bytes", ETH4 V4("0028", "0000", "06")
	  "1388 0050 00000001 00000002 4002 ffff 0000 0000", 0, 0, FLOW_MALFORMED, NULL },
	{ "ICMP of 3 bytes", ETH4 V4("0017", "0000", "01") "080000", 0, 0, FLOW_TRUNCATED, NULL },
	/* VLAN */
	{ "802.1Q", MACS "8100 2064 0800" V4("0020", "0000", "11") UDP DATA4, 0, 0, FLOW_COUNTED,
	  "4 17 53 49152 100 - 32 00" },
	{ "QinQ 88a8", MACS "88a8 0064 8100 00c8 0800"
	  V4("0020", "0000", "11") UDP DATA4, 0, 0,
	  FLOW_COUNTED, "4 17 53 49152 100 200 32 00" },
	{ "QinQ 9100", MACS "9100 0064 8100 0fff 86dd" V6("000c", "11") UDP DATA4, 0, 0,
	  FLOW_COUNTED, "6 17 53 49152 100 4095 52 00" },
	{ "priority tag", MACS "8100 e000 0800" V4("0020", "0000", "11") UDP DATA4, 0, 0,
	  FLOW_COUNTED, "4 17 53 49152 0 - 32 00" },
	{ "priority tag, then a VLAN", MACS "88a8 e000 8100 0005 0800"
	  V4("0020", "0000", "11") UDP DATA4, 0, 0, FLOW_COUNTED, "4 17 53 49152 0 5 32 00" },
	{ "VLAN, then a priority tag", MACS "8100 0005 8100 e000 0800"
	  V4("0020", "0000", "11") UDP DATA4, 0, 0, FLOW_COUNTED, "4 17 53 49152 5 0 32 00" },
	{ "three tags", MACS "88a8 0001 8100 0002 8100 0003 0800" V4("0020", "0000", "11") UDP DATA4,
	  0, 0, FLOW_COUNTED, "4 17 53 49152 1 2 32 00" },
	{ "nine tags", MACS "8100 0001 8100 0001 8100 0001 8100 0001 8100 0001 8100 0001 8100 0001 "
	  "8100 0001 8100 0001 0800" V4("0020", "0000", "11") UDP DATA4, 0, 0, FLOW_MALFORMED, NULL },
	{ "tag cut off", MACS "8100 0064 08", 0, 0, FLOW_TRUNCATED, NULL },
	{ "tagged ARP", MACS "8100 0064 0806 0001", 0, 0, FLOW_NOT_IP, NULL },
	/* IPv6 */
	{ "UDP over IPv6", ETH6 V6("000c", "11") UDP DATA4, 0, 0, FLOW_COUNTED,
	  "6 17 53 49152 - - 52 00" },
	{ "TCP over IPv6", ETH6 V6("0014", "06") TCP("11"), 0, 0, FLOW_COUNTED,
	  "6 6 5000 80 - - 60 11" },
	{ "ICMPv6", ETH6 V6("0008", "3a") "8000 0000 00010001", 0, 0, FLOW_COUNTED,
	  "6 58 32768 0 - - 48 00" },
	{ "ICMP in IPv6", ETH6 V6("0008", "01") ECHO, 0, 0, FLOW_COUNTED, "6 1 0 0 - - 48 00" },
	{ "hop-by-hop", ETH6 V6("0014", "00") EXT("11") UDP DATA4, 0, 0, FLOW_COUNTED,
	  "6 17 53 49152 - - 60 00" },
	{ "hop-by-hop, options, routing", ETH6 V6("002c", "00") EXT("3c") EXT16("2b") EXT("11")
	  UDP DATA4, 0, 0, FLOW_COUNTED, "6 17 53 49152 - - 84 00" },
	{ "AH", ETH6 V6("0024", "33") AH("11") UDP DATA4, 0, 0, FLOW_COUNTED,
	  "6 17 53 49152 - - 76 00" },
	{ "ESP", ETH6 V6("0008", "32") "00000001 00000001", 0, 0, FLOW_COUNTED, "6 50 0 0 - - 48 00" },
	{ "no next header", ETH6 V6("0000", "3b"), 0, 0, FLOW_COUNTED, "6 59 0 0 - - 40 00" },
	{ "no next header behind options", ETH6 V6("0008", "3c") EXT("3b"), 0, 0, FLOW_COUNTED,
	  "6 59 0 0 - - 48 00" },
	{ "first fragment of IPv6", ETH6 V6("0014", "2c") FRAG6("11", "0001") UDP DATA4, 0, 0,
	  FLOW_COUNTED, "6 17 0 0 - - 60 00" },
	{ "later fragment of IPv6", ETH6 V6("000c", "2c") FRAG6("11", "05a8") DATA4, 0, 0,
	  FLOW_COUNTED, "6 17 0 0 - - 52 00" },
	{ "fragment of one", ETH6 V6("0014", "2c") FRAG6("11", "0000") UDP DATA4, 0, 0, FLOW_COUNTED,
	  "6 17 53 49152 - - 60 00" },
	{ "fragment behind hop-by-hop", ETH6 V6("0014", "00") EXT("2c") FRAG6("06", "0009") DATA4, 0, 0,
	  FLOW_COUNTED, "6 6 0 0 - - 60 00" },
	{ "payload length 0: the wire's", ETH6 V6("0000", "06") TCP("10"), 0, 66054, FLOW_COUNTED,
	  "6 6 5000 80 - - 66040 10" },
	{ "jumbogram", ETH6 V6("0000", "00") "11 00 c204 00011000 " UDP, 0, 69686, FLOW_COUNTED,
	  "6 17 53 49152 - - 69672 00" },
	{ "payload length 0: padding, too", ETH6 V6("0000", "11") UDP "0000", 0, 64, FLOW_COUNTED,
	  "6 17 53 49152 - - 50 00" },
	{ "SCTP over IPv6", ETH6 V6("000c", "84") SCTP, 0, 0, FLOW_COUNTED,
	  "6 132 2905 2906 - - 52 00" },
	{ "mobility header", ETH6 V6("0008", "87") "3b000500 00000000", 0, 0, FLOW_COUNTED,
	  "6 135 0 0 - - 48 00" },
	{ "mobility header behind options", ETH6 V6("0010", "3c") EXT("87") "3b000500 00000000", 0, 0,
	  FLOW_COUNTED, "6 135 0 0 - - 56 00" },
	{ "payload beyond the wire", ETH6 V6("000d", "11") UDP DATA4, 0, 0, FLOW_TRUNCATED, NULL },
	{ "version 4 in IPv6", ETH6 "40000000 000c 11 40", 0, 0, FLOW_MALFORMED, NULL },
	{ "39 bytes of header", ETH6 V6("0000", "3b"), -1, 0, FLOW_TRUNCATED, NULL },
	{ "extension beyond the payload", ETH6 V6("0008", "00") EXT16("11") UDP DATA4, 0, 0,
	  FLOW_TRUNCATED, NULL },
	{ "extension cut off", ETH6 V6("0014", "00") EXT("11") UDP DATA4, 58, 0, FLOW_TRUNCATED, NULL },
	{ "UDP beyond the payload", ETH6 V6("0007", "11") UDP, 0, 0, FLOW_TRUNCATED, NULL },
	{ "17 extensions", ETH6 V6("0094", "3c")
	  EXT("3c") EXT("3c") EXT("3c") EXT("3c") EXT("3c") EXT("3c") EXT("3c") EXT("3c") EXT("3c")
	  EXT("3c") EXT("3c") EXT("3c") EXT("3c") EXT("3c") EXT("3c") EXT("3c") EXT("11") UDP DATA4,
	  0, 0, FLOW_MALFORMED, NULL },
};

static size_t unhex(const char *hex, uint8_t *buf)
{
	size_t n = 0;
	unsigned int byte;

	for (; *hex; hex++) {
		if (*hex == ' ')
			continue;
		assert_int_equal(sscanf(hex++, "%2x", &byte), 1);
		buf[n++] = (uint8_t)byte;
	}
	return n;
}

static void id(char *s, uint16_t vlan)
{
	if (vlan == NFP_FLOW_NO_VLAN)
		strcpy(s, "-");
	else
		sprintf(s, "%u", vlan);
}

static void check(const struct frame *f)
{
	uint8_t raw[512], *buf;
	char key[100], vlan[8], inner[8];
	struct flow_pkt p;
	size_t n = unhex(f->hex, raw), cap = n;
	uint32_t len = f->len ? f->len : (uint32_t)n;

	if (f->cap)
		cap = f->cap < 0 ? n + (size_t)f->cap : (size_t)f->cap;
	/*
	 * Allocate exactly @cap bytes, so that AddressSanitizer or valgrind finds a read beyond
	 * them.
	 */
	buf = malloc(cap ? cap : 1);
	assert_non_null(buf);
	memcpy(buf, raw, cap);
	memset(&p, 0xa5, sizeof(p));
	print_message("# %s\n", f->name);
	assert_int_equal(flow_parse(buf, (uint32_t)cap, len, &p), f->verdict);
	free(buf);
	if (f->verdict != FLOW_COUNTED)
		return;
	id(vlan, p.key.vlan);
	id(inner, p.key.vlan_inner);
	snprintf(key, sizeof(key), "%u %u %u %u %s %s %u %02x", p.key.family, p.key.proto,
		 p.key.sport[0] << 8 | p.key.sport[1], p.key.dport[0] << 8 | p.key.dport[1],
		 vlan, inner, p.bytes, p.tcp_flags);
	assert_string_equal(key, f->key);
	if (p.key.family == 4) {
		assert_memory_equal(p.key.src, "\x0a\0\0\1\0\0\0\0\0\0\0\0\0\0\0", 16);
		assert_memory_equal(p.key.dst, "\x0a\0\0\2\0\0\0\0\0\0\0\0\0\0\0", 16);
	} else {
		assert_memory_equal(p.key.src, "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\1", 16);
		assert_memory_equal(p.key.dst, "\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\2", 16);
	}
}

static void tos_and_ttl(void **state)
{
	static const char * const hex[] = {
		ETH4 "45 b8 0018 0001 0000 07 2f 0000 0a000001 0a000002" DATA4,
		ETH6 "6b8abcde 0004 3b 07 20010db8000000000000000000000001 20010db8000000000000000000000002" DATA4,
	};
	struct flow_pkt p;
	uint8_t buf[64];
	size_t i, n;

	(void)state;
	for (i = 0; i < 2; i++) {
		n = unhex(hex[i], buf);
		assert_int_equal(flow_parse(buf, (uint32_t)n, (uint32_t)n, &p), FLOW_COUNTED);
		assert_int_equal(p.tos, 0xb8);
		assert_int_equal(p.ttl, 7);
	}
}

static void table(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++)
		check(&frames[i]);
}

/*
 * Cut each frame at every byte. The parser does not read past the cut. If a cut is long enough to
 * be counted, each longer cut gives the same key.
 */
static void every_cut(void **state)
{
	uint8_t raw[512];

	(void)state;
	for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
		size_t n = unhex(frames[i].hex, raw);
		uint32_t len = frames[i].len ? frames[i].len : (uint32_t)n;
		struct flow_pkt first, p;
		int counted = 0;

		for (size_t cap = 0; cap <= n; cap++) {
			uint8_t *buf = malloc(cap ? cap : 1);

			memcpy(buf, raw, cap);
			if (flow_parse(buf, (uint32_t)cap, len, &p) == FLOW_COUNTED) {
				if (!counted++)
					first = p;
				assert_memory_equal(&first, &p, sizeof(p));
			} else {
				assert_int_equal(counted, 0);
			}
			free(buf);
		}
	}
}

/* Change random bytes: any verdict is good, but the parser must not read outside the frame. */
static void mutated(void **state)
{
	uint8_t raw[512];
	uint32_t r = 1;

	(void)state;
	for (int round = 0; round < 500; round++) {
		for (size_t i = 0; i < sizeof(frames) / sizeof(frames[0]); i++) {
			size_t n = unhex(frames[i].hex, raw);
			uint8_t *buf = malloc(n + 1);
			struct flow_pkt p;

			memcpy(buf, raw, n);
			for (int k = 0; k < 3 && n; k++) {
				r = r * 1664525 + 1013904223;
				buf[(r >> 8) % n] = (uint8_t)(r >> 24);
			}
			if (flow_parse(buf, (uint32_t)n, (uint32_t)n, &p) == FLOW_COUNTED)
				assert_true(p.bytes >= 20 && p.bytes <= n - 14);
			free(buf);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table),
		cmocka_unit_test(tos_and_ttl),
		cmocka_unit_test(every_cut),
		cmocka_unit_test(mutated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
