// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_flow_print.c - nfpchan's JSON writer, its printers of flow records, and its totals. */
#define _GNU_SOURCE
#include <endian.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "flow_print.h"

static char *out;
static size_t out_len;

static FILE *start(void)
{
	FILE *f = open_memstream(&out, &out_len);

	assert_non_null(f);
	return f;
}

static void assert_out(FILE *f, const char *want)
{
	assert_int_equal(fclose(f), 0);
	assert_string_equal(out, want);
	free(out);
}

/* ---- JSON ---- */

static void test_json_nesting(void **state)
{
	FILE *f = start();
	struct json j;

	json_init(&j, f);
	json_object(&j, NULL);
	json_array(&j, "empty");
	json_close(&j);
	json_array(&j, "a");
	json_u64(&j, NULL, UINT64_MAX);
	json_null(&j, NULL);
	json_object(&j, NULL);
	json_close(&j);
	json_close(&j);
	json_bool(&j, "b", true);
	json_hex(&j, "h", "\0\xff", 2);
	json_close(&j);
	json_end(&j);
	assert_out(f, "{\"empty\":[],\"a\":[18446744073709551615,null,{}],\"b\":true,"
		   "\"h\":\"00ff\"}\n");
}

/* Write a document with two rows; @members: it is an object, with members on both sides of the rows. */
static FILE *rows_print(bool lines, bool members, const char *live)
{
	FILE *f = start();
	struct json j;

	json_init(&j, f);
	j.lines = lines;
	if (members) {
		json_object(&j, NULL);
		json_str(&j, "dev", "eth0");
	}
	json_rows(&j, members ? "rows" : NULL);
	for (uint64_t i = 1; i <= 2; i++) {
		json_object(&j, NULL);
		json_array(&j, "n");
		json_u64(&j, NULL, i);
		json_close(&j);
		json_close(&j);
		json_row_end(&j);
	}
	/* A reader has each line now. */
	if (lines)
		assert_string_equal(out, live);
	json_rows_end(&j);
	if (members) {
		json_bool(&j, "done", true);
		json_close(&j);
	}
	json_end(&j);
	return f;
}

static void test_json_rows(void **state)
{
	struct json j;
	FILE *f;

	assert_out(rows_print(false, false, NULL), "[{\"n\":[1]},{\"n\":[2]}]\n");
	assert_out(rows_print(false, true, NULL),
		   "{\"dev\":\"eth0\",\"rows\":[{\"n\":[1]},{\"n\":[2]}],\"done\":true}\n");
	assert_out(rows_print(true, false, "{\"n\":[1]}\n{\"n\":[2]}\n"),
		   "{\"n\":[1]}\n{\"n\":[2]}\n");
	assert_out(rows_print(true, true, "{\"dev\":\"eth0\"}\n{\"n\":[1]}\n{\"n\":[2]}\n"),
		   "{\"dev\":\"eth0\"}\n{\"n\":[1]}\n{\"n\":[2]}\n{\"done\":true}\n");
	for (int lines = 0; lines <= 1; lines++) {
		f = start();
		json_init(&j, f);
		j.lines = lines;
		json_object(&j, NULL);
		json_rows(&j, "rows");
		json_rows_end(&j);
		json_null(&j, "end");
		json_close(&j);
		json_end(&j);
		assert_out(f, lines ? "{\"end\":null}\n" : "{\"rows\":[],\"end\":null}\n");
		f = start();
		json_init(&j, f);
		j.lines = lines;
		json_rows(&j, NULL);
		json_rows_end(&j);
		json_end(&j);
		assert_out(f, lines ? "" : "[]\n");
	}
}

static void test_json_strings(void **state)
{
	static const struct {
		const char *in;
		const char *want;
	} strings[] = {
		{ "plain", "\"plain\"\n" },
		{ "a\"b\\c", "\"a\\\"b\\\\c\"\n" },
		{ "\n\t\x01\x7f", "\"\\n\\u0009\\u0001\\u007f\"\n" },
		{ "caf\xc3\xa9 \xf0\x9f\x90\x9f", "\"caf\xc3\xa9 \xf0\x9f\x90\x9f\"\n" },
		/* Not UTF-8: cut off, overlong, surrogate, stray */
		{ "\xc3", "\"\\ufffd\"\n" },
		{ "\xc0\xaf", "\"\\ufffd\\ufffd\"\n" },
		{ "\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"\n" },
		{ "x\x80y", "\"x\\ufffdy\"\n" },
	};
	struct json j;
	size_t i;

	for (i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
		FILE *f = start();

		json_init(&j, f);
		json_str(&j, NULL, strings[i].in);
		json_end(&j);
		assert_out(f, strings[i].want);
	}
}

/* ---- records ---- */

static struct nfp_flow_record tcp4(void)
{
	struct nfp_flow_record r = {
		.type = NFP_FLOW_RECORD,
		.reason = NFP_FLOW_END_FIN,
		.family = 4,
		.proto = 6,
		.sport = htobe16(1234),
		.dport = htobe16(80),
		.vlan = htole16(NFP_FLOW_NO_VLAN),
		.vlan_inner = htole16(NFP_FLOW_NO_VLAN),
		.tcp_flags = 0x13,
		.tos = 0xb8,
		.ttl = 63,
		.src = { 192, 0, 2, 1 },
		.dst = { 192, 0, 2, 2 },
		.packets = htole64(3),
		.bytes = htole64(180),
		.first_ns = htole64(1000000000),
		.last_ns = htole64(1002345678),
	};

	return r;
}

/* Print the record as text, which must be @plain, and as JSON. Return the JSON output. */
static FILE *record_print(const struct nfp_flow_record *r, const char *plain)
{
	FILE *f = start();
	struct json j;
	struct flow fl;

	assert_true(flow_decode(&fl, r, sizeof(*r)));
	flow_plain(f, &fl);
	assert_out(f, plain);
	f = start();
	json_init(&j, f);
	flow_json(&j, &fl);
	return f;
}

static void test_record_tcp(void **state)
{
	struct nfp_flow_record r = tcp4();

	assert_out(record_print(&r, "tcp    192.0.2.1:1234        192.0.2.2:80                  "
				"3         180       2.345  fin\n"),
		   "{\"src\":\"192.0.2.1\",\"dst\":\"192.0.2.2\",\"proto\":6,"
		   "\"proto_name\":\"tcp\",\"sport\":1234,\"dport\":80,\"vlan\":null,"
		   "\"packets\":3,\"bytes\":180,\"first_ns\":1000000000,"
		   "\"last_ns\":1002345678,\"tcp_flags\":19,\"port\":0,\"tos\":184,"
		   "\"ttl\":63,\"reason\":\"fin\"}");
}

static void test_record_qinq(void **state)
{
	struct nfp_flow_record r = tcp4();

	r.family = 6;
	r.proto = 253;
	r.reason = NFP_FLOW_END_EVICT;
	r.vlan = htole16(0);
	r.vlan_inner = htole16(4094);
	memset(r.src, 0, 16);
	memcpy(r.dst, "\xfe\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\1", 16);
	fclose(record_print(&r, "253    ::                    fe80::1                       "
			    "3         180       2.345  evict  vlan 0.4094\n"));
	assert_non_null(strstr(out, "\"proto\":253,\"proto_name\":null,"));
	assert_non_null(strstr(out, "\"vlan\":0,\"vlan_inner\":4094,"));
	free(out);
}

/* The line of a record stands under the head. */
static void test_record_columns(void **state)
{
	struct nfp_flow_record r = tcp4();
	FILE *f = start();
	struct flow fl;
	char *line;

	r.proto = 1;
	assert_true(flow_decode(&fl, &r, sizeof(r)));
	flow_plain_head(f);
	flow_plain(f, &fl);
	fclose(f);
	line = strchr(out, '\n') + 1;
	assert_int_equal(strstr(line, "192.0.2.1") - line, strstr(out, "SOURCE") - out);
	assert_int_equal(strstr(line, "192.0.2.2") - line, strstr(out, "DESTINATION") - out);
	assert_int_equal(strstr(line, "180") + 3 - line, strstr(out, "BYTES") + 5 - out);
	assert_int_equal(strstr(line, "2.345") + 5 - line, strstr(out, "MS") + 2 - out);
	assert_string_equal(strstr(line, "fin"), "fin    type 4 code 210\n");
	assert_int_equal(strstr(line, "fin") - line, strstr(out, "END") - out);
	free(out);
}

static void test_record_refused(void **state)
{
	struct nfp_flow_record r[] = { tcp4(), tcp4(), tcp4(), tcp4(), tcp4() };
	struct flow fl;

	assert_false(flow_decode(&fl, &r[0], sizeof(r[0]) - 1));
	r[1].family = 5;
	r[2].reason = NFP_FLOW_END_ACTIVE + 1;
	r[3].reason = 0;
	r[4].type = 3;
	for (size_t i = 1; i < 5; i++)
		assert_false(flow_decode(&fl, &r[i], sizeof(r[i])));
}

/* ---- sums ---- */

static struct flow_sum sum_of(uint64_t records, uint64_t packets)
{
	return (struct flow_sum){ .records = records, .packets = packets, .bytes = packets * 10 };
}

static struct totals totals_of(uint64_t records, uint64_t packets, uint64_t active)
{
	return (struct totals){ .records = records, .packets = packets, .bytes = packets * 10,
				.active = active, .not_ip = 2, .seen = packets + 2 };
}

static void test_sums(void **state)
{
	static const struct {
		const char *name;
		uint64_t base_records, base_packets, base_active;	/* totals at start */
		uint64_t mine_then;					/* records until then */
		uint64_t records, packets;				/* received in all */
		uint64_t end_records, end_packets, end_active;
		const char *why;
	} sums[] = {
		{ "fresh card, flushed", 0, 0, 0, 0, 5, 50, 5, 50, 0, NULL },
		{ "a record is missing", 0, 0, 0, 0, 4, 40, 5, 50, 0, "records received: 4" },
		{ "packets are missing", 0, 0, 0, 0, 5, 49, 5, 50, 0, "packets in the records: 49" },
		{ "flows in the table", 0, 0, 0, 0, 5, 49, 5, 50, 1, NULL },
		{ "more than there were", 0, 0, 0, 0, 5, 51, 5, 50, 1, "more than the 50" },
		{ "some came first", 2, 25, 1, 2, 5, 50, 5, 50, 0, NULL },
		{ "some came first, wrong", 2, 25, 1, 2, 5, 49, 5, 50, 0, "packets in the records" },
		{ "an earlier reader", 10, 100, 0, 0, 5, 50, 15, 150, 0, NULL },
		{ "an earlier reader, loss", 10, 100, 0, 0, 4, 50, 15, 150, 0, "records received: 4" },
		{ "an earlier reader, packets", 10, 100, 0, 0, 5, 49, 15, 150, 0, "49, but" },
		{ "its flows in the table", 10, 100, 3, 0, 5, 77, 15, 150, 0, NULL },
	};
	struct totals base, end;
	struct flow_sum s;
	char why[160];
	size_t i;
	bool good;

	for (i = 0; i < sizeof(sums) / sizeof(sums[0]); i++) {
		s = sum_of(sums[i].mine_then, sums[i].mine_then * 10);
		base = totals_of(sums[i].base_records, sums[i].base_packets, sums[i].base_active);
		flow_sum_base(&s, &base);
		s.records = sums[i].records;
		s.packets = sums[i].packets;
		s.bytes = sums[i].packets * 10;
		end = totals_of(sums[i].end_records, sums[i].end_packets, sums[i].end_active);
		strcpy(why, "");
		good = flow_sum_check(&s, &end, why, sizeof(why));
		if (good != !sums[i].why || (sums[i].why && !strstr(why, sums[i].why)))
			fail_msg("%s: %d \"%s\"", sums[i].name, good, why);
	}
	/* Totals that cannot explain what was received */
	s = sum_of(5, 50);
	end = totals_of(5, 50, 0);
	end.seen++;
	assert_false(flow_sum_check(&s, &end, why, sizeof(why)));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json_nesting),
		cmocka_unit_test(test_json_rows),
		cmocka_unit_test(test_json_strings),
		cmocka_unit_test(test_record_tcp),
		cmocka_unit_test(test_record_qinq),
		cmocka_unit_test(test_record_columns),
		cmocka_unit_test(test_record_refused),
		cmocka_unit_test(test_sums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
