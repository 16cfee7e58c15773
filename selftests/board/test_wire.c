// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_wire.c - wire ports over capture files.
 */
#include <errno.h>
#include <pcap/pcap.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "clock.h"
#include "wire_pcap.h"

#define MS 1000000ull

static char dir[64], path[96], path2[96];
static uint8_t frame[70000];

static int dir_make(void **state)
{
	(void)state;
	strcpy(dir, "/tmp/test_wire.XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/a", dir);
	snprintf(path2, sizeof(path2), "%s/b", dir);
	for (size_t i = 0; i < sizeof(frame); i++)
		frame[i] = i * 7;
	return 0;
}

static int dir_remove(void **state)
{
	(void)state;
	unlink(path);
	unlink(path2);
	return rmdir(dir);
}

struct rec {
	uint64_t ts_ns;
	uint32_t caplen;
	uint32_t len;
};

static void pcap_write(const char *to, int link, int snap, int precision,
		       const struct rec *recs, size_t n)
{
	uint64_t unit = precision == PCAP_TSTAMP_PRECISION_NANO ? 1 : 1000;
	pcap_t *p = pcap_open_dead_with_tstamp_precision(link, snap, precision);
	pcap_dumper_t *d = pcap_dump_open(p, to);

	assert_non_null(d);
	for (size_t i = 0; i < n; i++) {
		struct pcap_pkthdr h = {
			.ts.tv_sec = recs[i].ts_ns / (1000 * MS),
			.ts.tv_usec = recs[i].ts_ns % (1000 * MS) / unit,
			.caplen = recs[i].caplen, .len = recs[i].len,
		};

		pcap_dump((u_char *)d, &h, frame);
	}
	pcap_dump_close(d);
	pcap_close(p);
}

static struct wire_pcap *in_open(const char *from, bool real)
{
	struct wire_pcap_config c = { .in = from, .real_pace = real };
	char err[256];
	struct wire_pcap *w = wire_pcap_open(&c, err, sizeof(err));

	if (!w)
		fail_msg("%s", err);
	return w;
}

static void expect(struct wire_pcap *w, const struct rec *rec)
{
	struct board_frame f;

	assert_int_equal(wire_pcap_ops.pull(w, &f), 1);
	assert_int_equal(f.ts_ns, rec->ts_ns);
	assert_int_equal(f.caplen, rec->caplen);
	assert_int_equal(f.len, rec->len);
	assert_memory_equal(f.data, frame, f.caplen);
}

static void refused(const char *in, const char *out, const char *why)
{
	struct wire_pcap_config c = { .in = in, .out = out };
	char err[512];

	assert_null(wire_pcap_open(&c, err, sizeof(err)));
	if (!strstr(err, why))
		fail_msg("'%s' has no '%s'", err, why);
}

static const struct rec two[] = {
	{ 1700000000123456789ull, 60, 60 }, { 1700000000123457001ull, 96, 1514 },
};

static void pcap_is_played_with_both_lengths(void **state)
{
	static const struct rec us[] = { { 1700000000123456000ull, 60, 60 } };
	struct wire_pcap_stats s;
	struct board_frame f;
	struct wire_pcap *w;

	(void)state;
	pcap_write(path, DLT_EN10MB, 262144, PCAP_TSTAMP_PRECISION_NANO, two, 2);
	w = in_open(path, false);
	expect(w, &two[0]);
	expect(w, &two[1]);
	assert_int_equal(wire_pcap_ops.pull(w, &f), -1);
	assert_int_equal(wire_pcap_ops.pull(w, &f), -1);
	assert_true(wire_pcap_ops.deadline(w) == UINT64_MAX);
	wire_pcap_stats(w, &s);
	assert_int_equal(s.in, 2);
	wire_pcap_close(w);

	pcap_write(path, DLT_EN10MB, 96, PCAP_TSTAMP_PRECISION_MICRO, us, 1);
	w = in_open(path, false);
	expect(w, &us[0]);
	wire_pcap_close(w);
}

/* ---- pcapng files, written as the draft defines them: blocks of 32-bit words ---- */

static bool ng_swapped;		/* write files in the other byte order than this machine's */

static uint32_t ng_word(uint32_t v)
{
	return ng_swapped ? __builtin_bswap32(v) : v;
}

static void ng_block(FILE *f, uint32_t type, const uint32_t *body, size_t n, const void *data,
		     size_t len)
{
	uint32_t total = ng_word(12 + 4 * n + (len + 3) / 4 * 4), v = ng_word(type);

	fwrite(&v, 4, 1, f);
	fwrite(&total, 4, 1, f);
	for (size_t i = 0; i < n; i++) {
		v = ng_word(body[i]);
		fwrite(&v, 4, 1, f);
	}
	fwrite(data, 1, len, f);
	v = 0;
	fwrite(&v, 1, -len % 4, f);
	fwrite(&total, 4, 1, f);
}

/* Pack two 16-bit fields into a word, so that they have the file's byte order. */
static uint32_t ng_pair(uint16_t first, uint16_t second)
{
	return ng_swapped ? (uint32_t)first << 16 | second : (uint32_t)second << 16 | first;
}

static void ng_section(FILE *f)
{
	uint32_t body[] = { 0x1a2b3c4d, ng_pair(1, 0), 0xffffffff, 0xffffffff };

	ng_block(f, 0x0a0d0d0a, body, 4, NULL, 0);
}

/* Write an interface. Option if_tsresol sets the unit of its time stamps: 10^-@digits seconds. */
static void ng_interface(FILE *f, uint16_t link, uint32_t snap, uint8_t digits)
{
	uint32_t body[] = { ng_pair(link, 0), snap, ng_pair(9, 1) };

	ng_block(f, 1, body, 3, (uint8_t [8]){ digits }, 8);
}

static void ng_packet(FILE *f, uint32_t interface, uint64_t ts, const struct rec *r)
{
	uint32_t body[] = { interface, ts >> 32, (uint32_t)ts, r->caplen, r->len };

	ng_block(f, 6, body, 5, frame, r->caplen);
}

/* A file may have interfaces with different snap lengths, and add interfaces after packets. */
static void pcapng_of_several_interfaces_is_played(void **state)
{
	static const struct rec long_one = { 1700000001000000000ull, 9000, 9000 };
	struct board_frame b;
	struct wire_pcap *w;

	(void)state;
	for (int swapped = 0; swapped < 2; swapped++) {
		FILE *f = fopen(path, "w");

		ng_swapped = swapped;
		ng_section(f);
		ng_interface(f, DLT_EN10MB, 96, 9);
		ng_interface(f, DLT_EN10MB, 262144, 6);
		ng_packet(f, 0, two[0].ts_ns, &two[0]);
		ng_packet(f, 1, long_one.ts_ns / 1000, &long_one);
		ng_block(f, 5, (uint32_t [3]){ 0 }, 3, NULL, 0);	/* statistics */
		ng_interface(f, DLT_EN10MB, 0, 9);
		ng_packet(f, 2, two[1].ts_ns, &two[1]);
		ng_section(f);
		ng_interface(f, DLT_EN10MB, 128, 9);
		ng_packet(f, 0, two[1].ts_ns, &two[1]);
		fclose(f);
		w = in_open(path, false);
		expect(w, &two[0]);
		expect(w, &long_one);
		expect(w, &two[1]);
		expect(w, &two[1]);
		assert_int_equal(wire_pcap_ops.pull(w, &b), -1);
		wire_pcap_close(w);
	}
	ng_swapped = false;
}

static void ng_simple(FILE *f, uint32_t len, uint32_t caplen)
{
	ng_block(f, 3, &len, 1, frame, caplen);
}

static void ng_old_packet(FILE *f, uint16_t interface, uint64_t ts, const struct rec *r)
{
	uint32_t body[] = { ng_pair(interface, 0), ts >> 32, (uint32_t)ts, r->caplen, r->len };

	ng_block(f, 2, body, 5, frame, r->caplen);
}

/*
 * A simple packet has as many bytes as the first interface of its section captures, whatever other
 * interfaces there are, and has no time stamp.
 */
static void pcapng_blocks_of_all_kinds_are_played(void **state)
{
	static const struct rec cut = { 0, 96, 954 }, whole = { 0, 60, 60 }, odd = { 0, 61, 61 };
	static const struct rec shorter = { 0, 33, 954 }, most = { 0, 954, 954 };
	struct board_frame b;
	struct wire_pcap *w;

	(void)state;
	for (int swapped = 0; swapped < 2; swapped++) {
		FILE *f = fopen(path, "w");

		ng_swapped = swapped;
		ng_section(f);
		ng_interface(f, DLT_EN10MB, 96, 9);
		ng_simple(f, 954, 96);
		ng_simple(f, 60, 60);
		ng_interface(f, DLT_EN10MB, 262144, 6);
		ng_simple(f, 61, 61);
		ng_old_packet(f, 0, two[1].ts_ns, &two[1]);
		ng_packet(f, 0, two[0].ts_ns, &two[0]);
		ng_simple(f, 954, 96);
		ng_section(f);
		ng_interface(f, DLT_EN10MB, 33, 9);
		ng_simple(f, 954, 33);
		ng_section(f);
		ng_interface(f, DLT_EN10MB, 0, 9);
		ng_simple(f, 954, 954);
		fclose(f);
		w = in_open(path, false);
		expect(w, &cut);
		expect(w, &whole);
		expect(w, &odd);
		expect(w, &two[1]);
		expect(w, &two[0]);
		expect(w, &cut);
		expect(w, &shorter);
		expect(w, &most);
		assert_int_equal(wire_pcap_ops.pull(w, &b), -1);
		wire_pcap_close(w);
	}
	ng_swapped = false;
}

static void breaks_off(const char *in, uint64_t after, bool failed)
{
	struct wire_pcap *w = in_open(in, false);
	struct wire_pcap_stats s;
	struct board_frame f;

	for (uint64_t i = 0; i < after; i++)
		assert_int_equal(wire_pcap_ops.pull(w, &f), 1);
	assert_int_equal(wire_pcap_ops.pull(w, &f), -1);
	wire_pcap_stats(w, &s);
	assert_int_equal(s.in, after);
	assert_int_equal(s.in_failed, failed);
	assert_int_equal(wire_pcap_end(w), !failed);
	wire_pcap_close(w);
}

/* Truncate the file at each byte of the block of the second packet, its last, of @size bytes. */
static void breaks_off_anywhere(int size)
{
	struct stat st;

	breaks_off(path, 2, false);
	assert_int_equal(stat(path, &st), 0);
	for (int cut = 1; cut < size; cut++) {
		assert_int_equal(truncate(path, st.st_size - cut), 0);
		breaks_off(path, 1, true);
	}
}

static void other_interfaces_than_ethernet_are_refused(void **state)
{
	FILE *f = fopen(path, "w");

	(void)state;
	ng_section(f);
	ng_interface(f, DLT_EN10MB, 96, 9);
	ng_packet(f, 0, two[0].ts_ns, &two[0]);
	ng_interface(f, DLT_LINUX_SLL, 96, 9);
	ng_packet(f, 1, two[0].ts_ns, &two[0]);
	fclose(f);
	breaks_off(path, 1, true);

	f = fopen(path, "w");
	ng_section(f);
	ng_interface(f, DLT_LINUX_SLL, 96, 9);
	ng_packet(f, 0, two[0].ts_ns, &two[0]);
	fclose(f);
	refused(path, NULL, "link type 113 (LINUX_SLL), only Ethernet");
}

static void long_frames_pass_and_longer_are_counted(void **state)
{
	static const struct rec recs[] = {
		{ 1, 65550, 65550 }, { 2, 60, 262145 }, { 3, 60, 262144 },
		{ 4, 60, 0xffffffff }, { 5, 70, 64 }, { 6, 60, 60 },
	};
	struct wire_pcap_stats s;
	struct board_frame f;
	struct wire_pcap *w;

	(void)state;
	pcap_write(path, DLT_EN10MB, 262144, PCAP_TSTAMP_PRECISION_NANO, recs, 6);
	w = in_open(path, false);
	expect(w, &recs[0]);
	expect(w, &recs[2]);
	expect(w, &recs[5]);
	assert_int_equal(wire_pcap_ops.pull(w, &f), -1);
	wire_pcap_stats(w, &s);
	assert_int_equal(s.in, 3);
	assert_int_equal(s.too_long, 2);
	assert_int_equal(s.bad_caplen, 1);
	assert_int_equal(wire_pcap_ops.refused(w), 3);
	assert_false(wire_pcap_end(w));
	wire_pcap_close(w);
}

static void file_that_breaks_off_is_played_as_far_as_it_goes(void **state)
{
	struct stat st;
	FILE *f;

	(void)state;
	pcap_write(path, DLT_EN10MB, 262144, PCAP_TSTAMP_PRECISION_NANO, two, 2);
	breaks_off(path, 2, false);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(truncate(path, st.st_size - 10), 0);
	breaks_off(path, 1, true);
	/* Truncate the file in the second frame's header. */
	assert_int_equal(truncate(path, st.st_size - 96 - 4), 0);
	breaks_off(path, 1, true);

	f = fopen(path, "w");
	ng_section(f);
	ng_interface(f, DLT_EN10MB, 96, 9);
	ng_packet(f, 0, two[0].ts_ns, &two[0]);
	ng_packet(f, 0, two[1].ts_ns, &two[1]);
	fclose(f);
	breaks_off_anywhere(128);

	f = fopen(path, "w");
	ng_section(f);
	ng_interface(f, DLT_EN10MB, 96, 9);
	ng_simple(f, 60, 60);
	ng_simple(f, 954, 96);
	fclose(f);
	breaks_off_anywhere(112);
	/* Snap length, block length and data contradict each other. */
	f = fopen(path, "w");
	ng_section(f);
	ng_interface(f, DLT_EN10MB, 96, 9);
	ng_simple(f, 60, 60);
	ng_simple(f, 954, 92);
	fclose(f);
	breaks_off(path, 1, true);
	/* A simple packet without an interface has no snap length. */
	f = fopen(path, "w");
	ng_section(f);
	ng_interface(f, DLT_EN10MB, 96, 9);
	ng_simple(f, 60, 60);
	ng_section(f);
	ng_simple(f, 60, 60);
	fclose(f);
	breaks_off(path, 1, true);
}

static void unusable_files_are_named(void **state)
{
	FILE *f;

	(void)state;
	unlink(path);
	refused(path, NULL, "No such file");
	refused(dir, NULL, "not a regular file");
	f = fopen(path, "w");
	fputs("this is no capture at all, but long enough", f);
	fclose(f);
	refused(path, NULL, path);
	assert_int_equal(truncate(path, 0), 0);
	refused(path, NULL, path);
	pcap_write(path, DLT_RAW, 65535, PCAP_TSTAMP_PRECISION_MICRO, two, 1);
	refused(path, NULL, "link type 12 (RAW), only Ethernet");
	refused(NULL, "/nonexistent/out", "/nonexistent/out");
}

/* The third frame has an older time stamp than the first: it is due at once after the second. */
static void real_pace_follows_the_time_stamps(void **state)
{
	static const struct rec recs[] = {
		{ 5000 * MS, 60, 60 }, { 5020 * MS, 60, 60 }, { 4000 * MS, 60, 60 },
	};
	struct board_frame f;
	unsigned int tries = 0;
	struct wire_pcap *w;
	uint64_t start, due;
	struct timespec ts;
	int ret;

	(void)state;
	pcap_write(path, DLT_EN10MB, 262144, PCAP_TSTAMP_PRECISION_NANO, recs, 3);
	w = in_open(path, true);
	start = now_ns();
	expect(w, &recs[0]);
	assert_true(wire_pcap_ops.deadline(w) == UINT64_MAX);
	while ((ret = wire_pcap_ops.pull(w, &f)) == 0) {
		due = wire_pcap_ops.deadline(w);
		assert_true(due >= start + 20 * MS && due <= now_ns() + 20 * MS);
		assert_true(++tries < 10000);
		ts.tv_sec = due / (1000 * MS);
		ts.tv_nsec = due % (1000 * MS);
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
	}
	assert_int_equal(ret, 1);
	assert_true(now_ns() >= start + 20 * MS);
	assert_int_equal(f.ts_ns, recs[1].ts_ns);
	expect(w, &recs[2]);
	wire_pcap_close(w);
}

static void frames_that_leave_are_written(void **state)
{
	struct wire_pcap_config c = { .out = path2 };
	struct board_frame f = { .data = frame };
	struct wire_pcap_stats s;
	struct wire_pcap *w;
	char err[256];

	(void)state;
	w = wire_pcap_open(&c, err, sizeof(err));
	assert_non_null(w);
	assert_int_equal(wire_pcap_ops.pull(w, &f), -1);
	for (int i = 0; i < 2; i++) {
		f = (struct board_frame){ .data = frame, .caplen = two[i].caplen,
					  .len = two[i].len, .ts_ns = two[i].ts_ns };
		wire_pcap_ops.push(w, &f);
	}
	wire_pcap_stats(w, &s);
	assert_int_equal(s.out, 2);
	wire_pcap_ops.close(w);
	w = in_open(path2, false);
	expect(w, &two[0]);
	expect(w, &two[1]);
	wire_pcap_close(w);
}

static void full_disk_is_counted(void **state)
{
	struct wire_pcap_config c = { .out = "/dev/full" };
	struct board_frame f = { .data = frame, .caplen = 65000, .len = 65000 };
	struct wire_pcap_stats s;
	struct wire_pcap *w;
	char err[256];

	(void)state;
	w = wire_pcap_open(&c, err, sizeof(err));
	assert_non_null(w);
	for (int i = 0; i < 4; i++)
		wire_pcap_ops.push(w, &f);
	wire_pcap_stats(w, &s);
	assert_true(s.out_failed > 0);
	assert_false(wire_pcap_end(w));
	wire_pcap_close(w);

	/* A frame that stdio still holds at the end */
	w = wire_pcap_open(&c, err, sizeof(err));
	f.caplen = f.len = 60;
	wire_pcap_ops.push(w, &f);
	assert_false(wire_pcap_end(w));
	wire_pcap_stats(w, &s);
	assert_int_equal(s.out_failed, 1);
	wire_pcap_close(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pcap_is_played_with_both_lengths),
		cmocka_unit_test(pcapng_of_several_interfaces_is_played),
		cmocka_unit_test(pcapng_blocks_of_all_kinds_are_played),
		cmocka_unit_test(other_interfaces_than_ethernet_are_refused),
		cmocka_unit_test(long_frames_pass_and_longer_are_counted),
		cmocka_unit_test(file_that_breaks_off_is_played_as_far_as_it_goes),
		cmocka_unit_test(unusable_files_are_named),
		cmocka_unit_test(real_pace_follows_the_time_stamps),
		cmocka_unit_test(frames_that_leave_are_written),
		cmocka_unit_test(full_disk_is_counted),
	};

	return cmocka_run_group_tests(tests, dir_make, dir_remove);
}
