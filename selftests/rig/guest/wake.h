/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* wake.h - a message goes to the card and back, while the receiver waits to be woken. */
#ifndef WAKE_H
#define WAKE_H

#include "chan_test.h"

/* The channels "echo-in" and "echo-out", which the program opens */
extern struct nfpchan *wake_tx, *wake_rx;

void wake_request(void);
bool wake_take(void);

/* Wake-ups, one each. *@efd: of wake_rx (nfpchan_eventfd()) */
void wake_by_recv(void *unused);
void wake_by_eventfd(void *efd);

/* Sort numbers of type double by qsort(). */
int wake_less(const void *a, const void *b);

#endif /* WAKE_H */
