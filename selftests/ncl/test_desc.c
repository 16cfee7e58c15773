// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_desc.c - the description of a program: reading, writing, and the text of each error. */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "desc.h"

static const char all[] =
	"ncl 1\n"
	"program allreduce 0a5f\n"
	"node 1 w1 host\n"
	"node 2 s1 device\n"
	"field ver u32 0\n"
	"field slot u16 4\n"
	"kernel 1 allreduce out 72 16 s1\n"
	"arg 1 data i32 16 8\n"
	"kernel 2 query out 36 4,8 -\n"
	"arg 2 key bytes16 0 8\n"
	"arg 2 hit bool 0 24\n"
	"kernel 3 result in 72 16 -\n"
	"arg 3 data i32 16 8\n"
	"arg 3 out i32 0 0 ext\n"
	"pair 3 1\n"
	"object s1 allreduce.s1.o 378 990\n"
	"object s1 allreduce.s1.xdp.o 380 0 xdp\n"
	"var accum s1 array - i32 64x16 accum row 14 56 lock 0\n"
	"var turned s1 array - u32 4x8 turned column 4 16 -\n"
	"var nworkers s1 array ctrl u32 - nworkers row 1 4 -\n"
	"var cache s1 map ctrl u16 256 cache hash bytes16 16 2 lock slot\n";

static struct desc *parse(const char *text)
{
	struct desc *d = NULL;
	char err[256] = "";

	if (desc_parse("p.ncd", text, &d, err, sizeof(err)))
		fail_msg("%s", err);
	return d;
}

static void reads_all_records(void **state)
{
	struct desc *d = parse(all);
	const struct desc_kernel *k = desc_kernel(d, "result");
	const struct desc_var *v = desc_var(d, "accum", NULL);

	assert_string_equal(d->name, "allreduce");
	assert_int_equal(d->hash, 0x0a5f);
	assert_int_equal(d->nodes, 2);
	assert_true(desc_node(d, "s1")->device);
	assert_string_equal(d->field[1].name, "slot");
	assert_int_equal(d->field[1].offset, 4);
	assert_int_equal(k->id, 3);
	assert_true(k->in);
	assert_int_equal(k->pair, 1);
	assert_int_equal(k->args, 2);
	assert_true(k->arg[1].ext);
	assert_ptr_equal(k, desc_kernel_id(d, 3));
	assert_string_equal(desc_kernel(d, "allreduce")->places, "s1");
	assert_string_equal(k->places, "");
	assert_int_equal(desc_kernel(d, "query")->win[1], 8);
	assert_int_equal(v->dims, 2);
	assert_int_equal(desc_var_count(v), 1024);
	assert_int_equal(v->per, 14);
	assert_true(v->locked);
	assert_string_equal(v->lock, "0");
	v = desc_var(d, "nworkers", "s1");
	assert_true(v->ctrl);
	assert_int_equal(desc_var_count(v), 1);
	v = desc_var(d, "cache", "s1");
	assert_int_equal(v->layout, DESC_HASH);
	assert_int_equal(v->key_size, 16);
	assert_int_equal(v->value_size, 2);
	assert_null(desc_var(d, "cache", "w1"));
	assert_string_equal(desc_object(d, "s1", true)->file, "allreduce.s1.o");
	assert_null(desc_object(d, "s2", true));
	desc_free(d);
}

static void an_object_for_each_target(void **state)
{
	struct desc *d = parse("ncl 1\nprogram p 0001\nnode 1 s1 device\n"
			       "object s1 card.o 1 2 nfp\nobject s1 host.o 1 0 xdp\n");

	assert_string_equal(desc_object(d, "s1", true)->file, "card.o");
	assert_string_equal(desc_object(d, "s1", false)->file, "host.o");
	desc_free(d);
}

static void writes_what_it_reads(void **state)
{
	struct desc *d = parse(all);
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	desc_write(d, f);
	fclose(f);
	assert_string_equal(text, all);
	free(text);
	desc_free(d);
}

static void sizes_of_types(void **state)
{
	assert_int_equal(desc_type_size("i8"), 1);
	assert_int_equal(desc_type_size("bool"), 1);
	assert_int_equal(desc_type_size("u16"), 2);
	assert_int_equal(desc_type_size("f32"), 4);
	assert_int_equal(desc_type_size("f64"), 8);
	assert_int_equal(desc_type_size("bytes128"), 128);
	assert_int_equal(desc_type_size("bytes"), 0);
	assert_int_equal(desc_type_size("bytes0"), 0);
	assert_int_equal(desc_type_size("bytes1x"), 0);
	assert_int_equal(desc_type_size("u24"), 0);
}

#define HEAD	"ncl 1\nprogram p 0001\nnode 1 s1 device\n"
#define KERNEL	HEAD "kernel 1 k out 8 - -\n"

static void names_what_is_wrong(void **state)
{
	static const struct { const char *text, *why; } cases[] = {
		{ "", "p.ncd: not a description by nclc, which begins with 'ncl 1'" },
		{ "program p 0001\n", "p.ncd:1: not a description by nclc, which begins with 'ncl 1'" },
		{ "ncl 1\n", "p.ncd: record 'program' is missing" },
		{ "ncl 1\nprogram p 1\n", "p.ncd:2: '1' is no number of four hexadecimal digits" },
		{ "ncl 1\nprogram p 000g\n", "p.ncd:2: '000g' is no number of four hexadecimal digits" },
		{ "ncl 1\nprogram p\n", "p.ncd:2: record 'program' has 2 words, not 3" },
		{ "ncl 1\nprogram p.q 0001\n", "p.ncd:2: program 'p.q': a letter or '_', then letters, "
		  "digits, '_' and '-'" },
		{ HEAD "thing 1\n", "p.ncd:4: unknown record 'thing'" },
		{ HEAD "node 3 s2 device\n", "p.ncd:4: node 3 instead of node 2" },
		{ HEAD "node 2 s2 switch\n", "p.ncd:4: node 'switch' is unknown" },
		{ HEAD "field f u24 0\n", "p.ncd:4: unknown type 'u24'" },
		{ HEAD "field f u32 1441\n", "p.ncd:4: offset '1441' is no number of 0 to 1440" },
		{ HEAD "kernel 0 k out 8 - -\n", "p.ncd:4: kernel 0 does not exist: the first number is 1" },
		{ KERNEL "kernel 1 l out 8 - -\n", "p.ncd:5: kernel 1 is defined twice" },
		{ HEAD "kernel 1 k off 8 - -\n", "p.ncd:4: direction 'off' is unknown" },
		{ HEAD "kernel 1 k out 2000 - -\n", "p.ncd:4: size '2000' is no number of 0 to 1440" },
		{ HEAD "kernel 1 k out 8 1,x -\n",
		  "p.ncd:4: '1,x' is no list of numbers separated by ','" },
		{ HEAD "kernel 1 k out 8 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17 -\n", "p.ncd:4: "
		  "'1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17' has more than 16 numbers" },
		{ KERNEL "arg 2 a u32 0 0\n", "p.ncd:5: no kernel 2 in the lines above" },
		{ KERNEL "arg 1 a u32 2 4\n",
		  "p.ncd:5: argument 'a' ends at byte 12, but the window has 8 bytes" },
		{ KERNEL "arg 1 a u32 0 4 out\n",
		  "p.ncd:5: 'out' after the offset: only 'ext' is allowed" },
		{ KERNEL "pair 1 1\n", "p.ncd:5: kernels 'k' and 'k' are not an incoming and an outgoing kernel" },
		{ HEAD "object s2 s2.o 1 1\n", "p.ncd:4: no device 's2' in the lines above" },
		{ HEAD "object s1 s1.o 1\n", "p.ncd:4: record 'object' has 4 words, not 5 or more" },
		{ HEAD "object s1 s1.o 1 1 fpga\n", "p.ncd:4: target 'fpga' is unknown" },
		{ HEAD "var v s1 tree - u32 - v row 1 4 - -\n", "p.ncd:4: kind 'tree' is unknown" },
		{ HEAD "var v s1 array no u32 - v row 1 4 - -\n",
		  "p.ncd:4: 'no' instead of 'ctrl' or '-'" },
		{ HEAD "var v s1 array - u32 - v heap 1 4 - -\n", "p.ncd:4: layout 'heap' is unknown" },
		{ HEAD "var v s1 array - u32 4 v row 2 4 -\n",
		  "p.ncd:4: variable 'v': 2 elements of 4 bytes do not fit 4 bytes" },
		{ HEAD "var v s1 array - u32 4 v row 0 4 -\n",
		  "p.ncd:4: variable 'v': 0 elements of 4 bytes do not fit 4 bytes" },
		{ HEAD "var v s1 array - u32 4 v column 1 4 -\n",
		  "p.ncd:4: variable 'v': 'column' needs 2 dimensions, not 1" },
		{ HEAD "var v s1 array - u32 4 v row 1 4 lock\n",
		  "p.ncd:4: variable 'v' does not end with 'lock KEY' or '-'" },
		{ HEAD "var v s1 array - u32 4 v row 1 4 - x\n",
		  "p.ncd:4: variable 'v' does not end with 'lock KEY' or '-'" },
		{ HEAD "var v s1 map - u32 4 v hash u32 4 4\n", "p.ncd:4: variable 'v' has 12 words; a hash needs 13 or 14" },
		{ HEAD "var v s1 array - u32 4x4x4x4x4 v row 1 4 -\n",
		  "p.ncd:4: '4x4x4x4x4' has more than 4 numbers" },
	};
	struct desc *d = (void *)1;
	char err[256];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(desc_parse("p.ncd", cases[i].text, &d, err, sizeof(err)), -EINVAL);
		assert_string_equal(err, cases[i].why);
		assert_ptr_equal(d, (void *)1);
	}
}

static void another_version(void **state)
{
	struct desc *d;
	char err[256];

	assert_int_equal(desc_parse("p.ncd", "ncl 2\n", &d, err, sizeof(err)), -EPROTO);
	assert_string_equal(err, "p.ncd:1: the description has version 2, and this program "
			    "reads version 1: compile again");
}

static void no_such_file(void **state)
{
	struct desc *d;
	char err[256];

	assert_int_equal(desc_read("none.ncd", &d, err, sizeof(err)), -ENOENT);
	assert_string_equal(err, "none.ncd: No such file or directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_all_records),
		cmocka_unit_test(an_object_for_each_target),
		cmocka_unit_test(writes_what_it_reads),
		cmocka_unit_test(sizes_of_types),
		cmocka_unit_test(names_what_is_wrong),
		cmocka_unit_test(another_version),
		cmocka_unit_test(no_such_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
