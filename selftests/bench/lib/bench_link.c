// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* bench_link.c - see bench_link.h. */
#include "bench/bench_link.h"

static uint64_t link_tlps(const struct board_tlp_count *c)
{
	return c->host_posted + c->host_nonposted + c->dev_posted + c->dev_nonposted +
	       c->completions;
}

/*
 * Return the round trips of one message to the card and back. All posted writes in one direction
 * count as half a round trip, because none waits for another. Each read counts as one, because the
 * reader waits for the answer.
 */
static double link_round_trips(const struct board_tlp_count *c)
{
	return 0.5 * !!c->host_posted + 0.5 * !!c->dev_posted +
	       (double)(c->dev_nonposted + c->host_nonposted);
}

void link_sum(const struct board *b, struct board_tlp_count *sum)
{
	struct board_tlp_count c;

	*sum = (struct board_tlp_count){ 0 };
	for (int i = 0; i < BOARD_TLP_PURPOSES; i++) {
		board_tlp_get(b, i, &c);
		sum->host_posted += c.host_posted;
		sum->host_nonposted += c.host_nonposted;
		sum->dev_posted += c.dev_posted;
		sum->dev_nonposted += c.dev_nonposted;
		sum->completions += c.completions;
		sum->payload += c.payload;
		sum->overhead += c.overhead;
	}
}

void link_print_sum(const char *name, const struct board_tlp_count *sum, unsigned int msgs)
{
	printf("%s_tlps %.6g\n", name, (double)link_tlps(sum) / msgs);
	printf("%s_link_bytes %.6g\n", name, (double)(sum->payload + sum->overhead) / msgs);
}

void link_print_trip(const char *name, const struct board_tlp_count *sum)
{
	printf("%s_pcie_round_trips %.1f\n", name, link_round_trips(sum));
	printf("%s_cpu_nonposted_reads %llu\n", name, (unsigned long long)sum->host_nonposted);
	link_print_sum(name, sum, 1);
}

static void link_key(const struct link_use *u, const char *what, double value)
{
	printf("pcie_%s_%s %.6g\n", u->name, what, value);
}

void link_print(const struct board *b, const struct link_use *u)
{
	struct board_tlp_count sum, bell, note, irq;
	double msgs = (double)u->msgs, all;

	link_sum(b, &sum);
	board_tlp_get(b, BOARD_TLP_DOORBELL, &bell);
	board_tlp_get(b, BOARD_TLP_NOTE, &note);
	board_tlp_get(b, BOARD_TLP_MSIX, &irq);
	all = (double)(sum.payload + sum.overhead);
	link_key(u, "metadata", (all - (double)u->bytes - (double)u->framing) / all);
	link_key(u, "overhead", (all - (double)u->bytes) / all);
	link_key(u, "link_bytes", all / msgs);
	link_key(u, "tlps", (double)link_tlps(&sum) / msgs);
	link_key(u, "doorbells", (double)bell.host_posted / msgs);
	link_key(u, "records", (double)note.dev_posted / msgs);
	link_key(u, "irqs", (double)irq.dev_posted / msgs);
	link_key(u, "cpu_reads", (double)sum.host_nonposted / msgs);
}
