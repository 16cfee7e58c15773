/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* peer_cards.h - helpers for tests of links between two cards. */
#ifndef PEER_CARDS_H
#define PEER_CARDS_H

#include <nfpchan/nfp_chan_peer.h>
#include "link_fds.h"

/* Registers in configuration space: selftests/kmod/FAULTS.rst */
#define FAULT		0x5c0
#define FAULT_HITS	0x5c8

/* Open the node of card @n. */
int card_nth(unsigned int n);
struct nfp_chan_query query(int dev, const char *name);
int peer_fds(int from, int to, unsigned int flags);

static inline const char *via_name(unsigned int flags)
{
	return flags & NFP_CHAN_PEER_STAGE ? "staging" : "push";
}

void drive(const char *how, const char *pci);

/* How often a process has slept. A wait for a mark of a card (kmod/peer.c) is thousands of sleeps. */
long sleeps(pid_t pid);

/* A detach may take so much longer: one command of 1 s, on a busy machine. */
#define MORE_MS	slowly(5000)

long unbind_ms(const char *pci);

/* Open the configuration space of a card, to which faults are written. */
int fault_open(int dev);

/* Write a fault's text to the register, four characters at a time, with a NUL at the end. */
void fault(int cfg, const char *text);

#endif /* PEER_CARDS_H */
