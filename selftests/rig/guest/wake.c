// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* wake.c - see wake.h. */
#include "wake.h"

struct nfpchan *wake_tx, *wake_rx;

void wake_request(void)
{
	static const uint8_t buf[64];

	if (nfpchan_send(wake_tx, buf, sizeof(buf), WAIT_NS))
		give_up("echo-in", "not sent");
}

bool wake_take(void)
{
	uint8_t buf[MSG_MAX];

	return nfpchan_recv(wake_rx, buf, sizeof(buf), NFPCHAN_NONBLOCK) == 64;
}

void wake_by_recv(void *unused)
{
	uint8_t buf[MSG_MAX];

	(void)unused;
	wake_request();
	if (nfpchan_recv(wake_rx, buf, sizeof(buf), WAIT_NS) != 64)
		give_up("echo-out", "not received");
}

void wake_by_eventfd(void *efd)
{
	struct pollfd pfd = { .fd = *(int *)efd, .events = POLLIN };
	eventfd_t n;

	nfpchan_arm(wake_rx);
	wake_request();
	while (!wake_take())
		if (poll(&pfd, 1, WAIT_MS) != 1 || eventfd_read(pfd.fd, &n))
			give_up("eventfd", "not signalled");
}

int wake_less(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}
