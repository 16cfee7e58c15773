// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * peer_state.c - links between two cards: what is left of a link whose end a card has not
 * confirmed, the windows to a card's memory, and a detach with many links.
 */
#define _GNU_SOURCE
#include "peer_cards.h"

#define LINKS	10
#define PUSH	0x80000u	/* bytes of a card's memory for rings (CHAN_PUSH, fw/chan/chan_int.h) */

/* The registers of windows in configuration space (kmod/pf.c) */
#define CSR		0x400
#define CSR_COUNT	24
#define CSR_MU		(1u << 29 | 7u << 23)	/* BULK, to the memory unit */
#define CSR_WHAT	(7u << 29 | 15u << 23 | 3u << 21)

static int dev[2];

/* Make a link whose ring takes all of B's memory for rings, if there is some. Return its via. */
static int via_of_link(void)
{
	int load = chan_open(dev[0], "load", NFP_CHAN_OPEN_LINK, PUSH);
	int pit = chan_must(dev[1], "pit", 0), link, via;

	link = load < 0 ? -1 : peer_fds(load, pit, 0);
	via = link < 0 ? -errno : (int)link_stat(link).via;
	close(link);
	close(load);
	close(pit);
	return via;
}

static void again(unsigned int which)
{
	char pci[32];

	strcpy(pci, card_info(dev[which]).pci);
	close(dev[which]);
	drive("unbind", pci);
	drive("bind", pci);
	dev[which] = card_nth(which);
}

/* A does not confirm the end of a link: its blocks of B's memory are taken until A has forgotten. */
static void unconfirmed(void)
{
	int load = chan_open(dev[0], "load", NFP_CHAN_OPEN_LINK, PUSH);
	int pit = chan_must(dev[1], "pit", 0), cfg = fault_open(dev[0]), link;

	is(via_of_link(), NFP_CHAN_LINK_PUSHED, "a link by B's memory");
	link = load < 0 ? -1 : peer_fds(load, pit, 0);
	if (link < 0)
		die("link");
	fault(cfg, "mbox-silent:count=1");
	close(link);
	fault(cfg, "off");
	close(load);
	close(pit);
	is(via_of_link(), NFP_CHAN_LINK_STAGED, "A has not confirmed the end: B's memory is taken");
	again(1);
	is(via_of_link(), NFP_CHAN_LINK_STAGED, "also after B was bound again");
	again(0);
	is(via_of_link(), NFP_CHAN_LINK_PUSHED, "A was bound again, and has forgotten it");
	close(cfg);
}

/* Copy the window at register @from to a free register of the same BAR. Return that register. */
static int window_copy(int cfg, int from)
{
	uint32_t csr, other;
	int i;

	for (i = from | 7; i > from; i--) {
		if (pread(cfg, &csr, 4, CSR + 4 * from) != 4 || pread(cfg, &other, 4, CSR + 4 * i) != 4)
			die("configuration space");
		if (!other)
			break;
	}
	if (i == from || pwrite(cfg, &csr, 4, CSR + 4 * i) != 4)
		give_up("window", "no free register");
	return i;
}

/* nfp may reprogram a window that it does not use. So with two windows neither is sure. */
static void second_window(void)
{
	int cfg = fault_open(dev[1]), copies[CSR_COUNT], count = 0;
	uint32_t csr, none = 0;

	for (int i = 0; i < CSR_COUNT; i++) {
		if (pread(cfg, &csr, 4, CSR + 4 * i) != 4)
			die("configuration space");
		if ((le32toh(csr) & CSR_WHAT) == CSR_MU && (!count || i < copies[count - 1]))
			copies[count++] = window_copy(cfg, i);
	}
	ok(count, "a window to the memory unit");
	is(via_of_link(), NFP_CHAN_LINK_STAGED, "two windows have B's memory: the ring is in the host's");
	while (count--)
		pwrite(cfg, &none, 4, CSR + 4 * copies[count]);
	is(via_of_link(), NFP_CHAN_LINK_PUSHED, "one window has it");
	close(cfg);
}

/* A refuses its LINK although its probe has worked. B has the link by then, and both pipes are off. */
static void refused(void)
{
	int load = from_open(dev[0], "load"), pit = chan_must(dev[1], "pit", 0);
	int cfg = fault_open(dev[0]);
	char any[64];

	fault(cfg, "mbox-status:after=1:count=1:value=9");
	fails(peer_fds(load, pit, 0), EIO, "A refuses the link after its probe");
	fault(cfg, "off");
	fails(read(load, any, sizeof(any)), EIO, "the end at A is off");
	fails(write(pit, any, sizeof(any)), EIO, "the end at B is off");
	close(cfg);
	close(load);
	close(pit);
}

/* B does not see A's number in the ring. */
static void unseen(void)
{
	int load = from_open(dev[0], "load"), pit = chan_must(dev[1], "pit", 0);
	int cfg = fault_open(dev[1]);

	fault(cfg, "mbox-status:count=1:value=10");
	fails(peer_fds(load, pit, NFP_CHAN_PEER_STAGE), EHOSTUNREACH,
	      "B does not see what A has written to host memory");
	fault(cfg, "off");
	close(cfg);
	close(load);
	close(pit);
}

/* ---- a detach with many links ---- */

static int load[LINKS], pit[LINKS], links[LINKS];

static void links_make(void)
{
	for (unsigned int i = 0; i < LINKS; i++) {
		load[i] = from_open(dev[0], "load");
		pit[i] = chan_must(dev[1], "pit", 0);
		links[i] = peer_fds(load[i], pit[i], NFP_CHAN_PEER_STAGE);
		if (links[i] < 0)
			die("link");
	}
}

static void links_close(void)
{
	for (unsigned int i = 0; i < LINKS; i++) {
		is(link_stat(links[i]).state, NFP_CHAN_LINK_DOWN, "a link is down");
		close(links[i]);
		close(load[i]);
		close(pit[i]);
	}
}

/* How often faults have struck. */
static long hits(int cfg)
{
	uint32_t n;

	if (pread(cfg, &n, 4, FAULT_HITS) != 4)
		die("configuration space");
	return (long)le32toh(n);
}

/* A detach sends one UNLINK and GOODBYE to a card that answers no command. */
static void silent(void)
{
	int cfg = fault_open(dev[0]);
	long before = hits(cfg);
	char pci[32];

	strcpy(pci, card_info(dev[0]).pci);
	links_make();
	fault(cfg, "mbox-silent");
	drive("unbind", pci);
	fault(cfg, "off");
	is(hits(cfg) - before, 2, "a detach sends two commands to a card that does not answer");
	links_close();
	close(cfg);
	close(dev[0]);
	drive("bind", pci);
	dev[0] = card_nth(0);
}

/* A detach waits for no mark of a dead card. Such a wait is thousands of sleeps. */
static void dead(void)
{
	int cfg = fault_open(dev[0]);
	char pci[32];
	long slept;

	strcpy(pci, card_info(dev[0]).pci);
	links_make();
	fault(cfg, "gone");
	slept = sleeps(getpid());
	drive("unbind", pci);
	slept = sleeps(getpid()) - slept;
	printf("# unbind of a dead card with %u links: %ld sleeps\n", LINKS, slept);
	ok(slept < 10 * LINKS, "a detach waits for no mark of a dead card");
	links_close();
	fault(cfg, "off");
	close(cfg);
}

int main(int argc, char **argv)
{
	alarm((unsigned int)PROGRAM_S * 4);
	dev[0] = card_nth(0);
	dev[1] = card_nth(1);
	if (argc > 1 && !strcmp(argv[1], "unseen")) {
		unseen();
		return tap_done();
	}
	/* An earlier program may have left memory of B that A has not confirmed. */
	again(0);
	second_window();
	refused();
	unconfirmed();
	silent();
	dead();
	return tap_done();
}
