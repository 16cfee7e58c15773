// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_and.c - the AND file: what the parser reads, the next hops, and the text of each error. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "and.h"
#include "ncp.h"

#define FILE_NAME	"test_and.tmp"

static void put_file(const char *text)
{
	FILE *f = fopen(FILE_NAME, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

static int to_folder(void **state)
{
	static char path[] = "/tmp/test_and.XXXXXX";

	*state = mkdtemp(path);
	return !*state || chdir(path);
}

static int from_folder(void **state)
{
	unlink(FILE_NAME);
	return rmdir(*state);
}

static struct and_net *read_text(const char *text)
{
	struct and_net *net = NULL;
	char err[256] = "";

	put_file(text);
	if (and_read(FILE_NAME, &net, err, sizeof(err)))
		fail_msg("%s", err);
	return net;
}

static void refuse(const char *text, const char *why)
{
	struct and_net *net = (void *)1;
	char err[256] = "";

	put_file(text);
	assert_int_equal(and_read(FILE_NAME, &net, err, sizeof(err)), -EINVAL);
	assert_string_equal(err, why);
	assert_int_equal(and_read(FILE_NAME, &net, NULL, 0), -EINVAL);
	assert_ptr_equal(net, (void *)1);
}

static const char star[] =
	"# two workers at a device, in front of a server\n"
	"host   w1 10.1.0.11\n"
	"host   w2 10.1.0.12:5000\t# with a port\n"
	"\n"
	"device s1 10.1.0.1\n"
	"host   server 10.1.0.1\n"
	"link   w1 s1\r\n"
	"link   s1 w2";

static void reads_nodes(void **state)
{
	struct and_net *net = read_text(star);
	const struct and_node *n = and_find(net, "s1");

	assert_int_equal(net->nr, 4);
	assert_ptr_equal(n, and_node(net, 3));
	assert_true(n->device);
	assert_int_equal(n->ip, inet_addr("10.1.0.1"));
	assert_int_equal(n->port, NCP_PORT);
	assert_int_equal(n->group, inet_addr("239.78.76.3"));
	assert_int_equal(n->behind, 4);
	n = and_find(net, "w2");
	assert_int_equal(n->id, 2);
	assert_false(n->device);
	assert_int_equal(n->port, 5000);
	assert_int_equal(n->behind, 0);
	assert_int_equal(and_find(net, "server")->behind, 3);
	assert_null(and_find(net, "w3"));
	assert_null(and_node(net, 0));
	assert_null(and_node(net, 5));
	and_free(net);
}

/* Some editors write a byte order mark. In another place it is no mark. */
static void byte_order_mark(void **state)
{
	struct and_net *net = read_text("\xef\xbb\xbfhost w1 10.1.0.11\n");

	assert_int_equal(and_find(net, "w1")->id, 1);
	and_free(net);
	refuse("host w1 10.1.0.11\n\xef\xbb\xbfhost w2 10.1.0.12\n",
	       FILE_NAME ":2: unknown statement '\xef\xbb\xbfhost': a line begins with host, device, link, group or multicast");
	refuse("\xef\xbb\xbf", FILE_NAME ": the file has no host and no device");
	refuse("\xef\xbb", FILE_NAME ":1: unknown statement '\xef\xbb': a line begins with host, device, link, group or multicast");
}

static void group_of_a_device(void **state)
{
	struct and_net *net = read_text("device s1 10.1.0.1\ngroup s1 239.1.2.3\n");

	assert_int_equal(and_node(net, 1)->group, inet_addr("239.1.2.3"));
	and_free(net);
}

static void two_hosts_of_a_machine(void **state)
{
	struct and_net *net = read_text("host a 10.1.0.1:1\nhost b 10.1.0.1:2\n");

	assert_int_equal(net->nr, 2);
	and_free(net);
}

static void most_nodes(void **state)
{
	char text[AND_NODES * 32], *p = text;
	struct and_net *net;
	unsigned int i;

	for (i = 1; i <= AND_NODES; i++)
		p += sprintf(p, "device d%u 10.1.0.%u\n", i, i);
	net = read_text(text);
	assert_int_equal(and_node(net, AND_NODES)->group, inet_addr("239.78.76.254"));
	and_free(net);
}

static void ways_of_a_star(void **state)
{
	struct and_net *net = read_text(star);
	enum { W1 = 1, W2, S1, SERVER };

	assert_int_equal(and_next(net, W1, S1), S1);
	assert_int_equal(and_next(net, W1, W2), S1);
	assert_int_equal(and_next(net, W1, SERVER), S1);
	assert_int_equal(and_next(net, W1, W1), W1);
	assert_int_equal(and_next(net, S1, W2), W2);
	assert_int_equal(and_next(net, S1, SERVER), SERVER);
	/*
	 * SERVER is on the machine of the device, so its packets leave by the device's interface,
	 * and the device's program does not see them.
	 */
	assert_int_equal(and_next(net, SERVER, W1), W1);
	assert_int_equal(and_next(net, SERVER, S1), 0);
	assert_int_equal(and_next(net, W1, 9), 0);
	assert_int_equal(and_next(net, 0, W1), 0);
	and_free(net);
}

/*
 * The shortest way has the fewest links: a - s1 - s2 - b, and two ways of equal length from s1 to
 * c.
 */
static void ways_by_fewest_links(void **state)
{
	struct and_net *net = read_text(
		"host a 10.0.0.1\ndevice s1 10.0.0.2\ndevice s2 10.0.0.3\nhost b 10.0.0.4\n"
		"device s3 10.0.0.5\nhost c 10.0.0.6\nhost lone 10.0.0.7\n"
		"link a s1\nlink s1 s2\nlink s2 b\nlink s1 s3\nlink s3 c\nlink c s2\n");
	enum { A = 1, S1, S2, B, S3, C, LONE };

	assert_int_equal(and_next(net, A, B), S1);
	assert_int_equal(and_next(net, S1, B), S2);
	assert_int_equal(and_next(net, S2, A), S1);
	assert_int_equal(and_next(net, S1, C), S2);
	assert_int_equal(and_next(net, C, A), S2);
	assert_int_equal(and_next(net, A, LONE), 0);
	and_free(net);
}

static void hosts_pass_nothing_on(void **state)
{
	struct and_net *net = read_text("host a 10.0.0.1\nhost b 10.0.0.2\nhost c 10.0.0.3\n"
					"link a b\nlink b c\n");

	assert_int_equal(and_next(net, 1, 2), 2);
	assert_int_equal(and_next(net, 1, 3), 0);
	and_free(net);
}

static void groups_by_number(void **state)
{
	struct and_net *net = read_text("host a 10.0.0.1\ndevice s 10.0.0.2\nhost b 10.0.0.3\n"
					"multicast 42 a b\nmulticast 32767 s b\n");
	const struct and_multicast *hosts = and_multicast(net, 42), *mixed = and_multicast(net, 32767);

	assert_non_null(hosts);
	assert_int_equal(hosts->ip, inet_addr("239.78.128.42"));
	assert_true(hosts->member[1] && !hosts->member[2] && hosts->member[3]);
	assert_false(hosts->devices);
	assert_non_null(mixed);
	assert_int_equal(mixed->ip, inet_addr("239.78.255.255"));
	assert_true(!mixed->member[1] && mixed->member[2] && mixed->member[3]);
	assert_true(mixed->devices);
	assert_null(and_multicast(net, 1));
	and_free(net);
}

static void names_what_is_wrong(void **state)
{
	static const struct { const char *text, *why; } cases[] = {
		{ "", "test_and.tmp: the file has no host and no device" },
		{ "hst a 1.2.3.4\n",
		  "test_and.tmp:1: unknown statement 'hst': a line begins with host, device, link, "
		  "group or multicast" },
		{ "host a\n", "test_and.tmp:1: 'host' has 1 word after it: a label and an address "
		  "are needed" },
		{ "link\n", "test_and.tmp:1: 'link' has 0 words after it: two labels are needed" },
		{ "\nhost a 10.1.0\n", "test_and.tmp:2: '10.1.0' is no IPv4 address" },
		{ "host a 0.0.0.1\n", "test_and.tmp:1: '0.0.0.1' is no unicast address" },
		{ "host a 224.0.0.1\n", "test_and.tmp:1: '224.0.0.1' is no unicast address" },
		{ "host a 1.2.3.4:0\n", "test_and.tmp:1: port '0' is no number from 1 to 65535" },
		{ "host a 1.2.3.4:65536\n",
		  "test_and.tmp:1: port '65536' is no number from 1 to 65535" },
		{ "host a 1.2.3.4:\n", "test_and.tmp:1: port '' is no number from 1 to 65535" },
		{ "device a 1.2.3.4:5\n",
		  "test_and.tmp:1: '1.2.3.4:5': a device always has port 20812; remove the port" },
		{ "host 1a 1.2.3.4\n", "test_and.tmp:1: label '1a': a letter or '_', then letters, "
		  "digits, '_' and '-'" },
		{ "host a.b 1.2.3.4\n", "test_and.tmp:1: label 'a.b': a letter or '_', then letters, "
		  "digits, '_' and '-'" },
		{ "host abcdefghabcdefghabcdefghabcdefgh 1.2.3.4\n", "test_and.tmp:1: label "
		  "'abcdefghabcdefghabcdefghabcdefgh' is longer than 31 characters" },
		{ "host a 1.2.3.4\ndevice a 1.2.3.5\n", "test_and.tmp:2: label 'a' is used in line 1 already" },
		{ "host a 1.2.3.4\nhost b 1.2.3.4\n",
		  "test_and.tmp:2: 'b' has the address and port of 'a' (line 1)" },
		{ "device a 1.2.3.4\ndevice b 1.2.3.4\n",
		  "test_and.tmp:2: 'b' has the address of 'a' (line 1)" },
		{ "device s 1.2.3.4\nhost h 1.2.3.4:5\n", "test_and.tmp:2: 'h' has the address of "
		  "device 's', so its port must be 20812, not 5" },
		{ "host a 1.2.3.4\nlink a b\n",
		  "test_and.tmp:2: no host or device 'b' in the lines above" },
		{ "host a 1.2.3.4\nlink a a\n", "test_and.tmp:2: 'a' is linked to itself" },
		{ "host a 1.2.3.4\ngroup a 239.0.0.1\n",
		  "test_and.tmp:2: 'a' is a host: only a device has a group" },
		{ "device a 1.2.3.4\ngroup a 10.0.0.1\n", "test_and.tmp:2: '10.0.0.1' is no multicast "
		  "address: 224.0.0.0 to 239.255.255.255" },
		{ "device a 1.2.3.4\ngroup a 239.0.0.1\ngroup a 239.0.0.1\n",
		  "test_and.tmp:3: 'a' has a group already, from line 2" },
		{ "host a 1.2.3.4\nmulticast 1\n",
		  "test_and.tmp:2: 'multicast' needs a number and at least one label" },
		{ "host a 1.2.3.4\nmulticast a a\n",
		  "test_and.tmp:2: group 'a' is no number of 0 to 32767" },
		{ "host a 1.2.3.4\nmulticast 0 a\n",
		  "test_and.tmp:2: '0' is no number of a group: the first is 1" },
		{ "host a 1.2.3.4\nmulticast 32768 a\n",
		  "test_and.tmp:2: group '32768' is no number of 0 to 32767" },
		{ "host a 1.2.3.4\nmulticast 5 a\nmulticast 5 a\n",
		  "test_and.tmp:3: group 5 is defined twice" },
		{ "host a 1.2.3.4\nmulticast 5 a b\n",
		  "test_and.tmp:2: no host or device 'b' in the lines above" },
		{ "a b c d e f g h a b c d e f g h a b c d e f g h a b c d e f g h i\n",
		  "test_and.tmp:1: more than 32 words" },
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		refuse(cases[i].text, cases[i].why);
}

static void one_node_too_many(void **state)
{
	char text[(AND_NODES + 1) * 32], *p = text;
	unsigned int i;

	for (i = 1; i <= AND_NODES + 1; i++)
		p += sprintf(p, "device d%u 10.1.%u.1\n", i, i);
	refuse(text, "test_and.tmp:255: 'd255' is one node too many: the limit is 254");
}

static void no_such_file(void **state)
{
	struct and_net *net;
	char err[256];

	assert_int_equal(and_read("none.and", &net, err, sizeof(err)), -ENOENT);
	assert_string_equal(err, "none.and: No such file or directory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_nodes),
		cmocka_unit_test(byte_order_mark),
		cmocka_unit_test(group_of_a_device),
		cmocka_unit_test(two_hosts_of_a_machine),
		cmocka_unit_test(most_nodes),
		cmocka_unit_test(ways_of_a_star),
		cmocka_unit_test(ways_by_fewest_links),
		cmocka_unit_test(hosts_pass_nothing_on),
		cmocka_unit_test(groups_by_number),
		cmocka_unit_test(names_what_is_wrong),
		cmocka_unit_test(one_node_too_many),
		cmocka_unit_test(no_such_file),
	};

	return cmocka_run_group_tests(tests, to_folder, from_folder);
}
