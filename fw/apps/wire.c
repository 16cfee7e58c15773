// SPDX-License-Identifier: BSD-2-Clause
/* wire.c - ME processes that send each message as a frame of a wire port (wire.chan). */
#include <pkt/pkt.h>

#include "chan.h"

#define WIRE_MAX	9216	/* bytes of a message: the largest of other processes fits, with a header */
#define SIG_SENT	1

ctassert(WIRE_MAX <= PKT_SEND_MAX);

__export __emem __align64 uint8_t wire_buf[WIRE_MAX];
__export __emem __align64 uint8_t wire1_buf[WIRE_MAX];

/* Send each message of @chan at @port. While the port is paused, messages wait at their senders. */
static __swaps void carry(unsigned int chan, __mem40 uint8_t *buf, unsigned int port)
{
	unsigned int len;
	SIGNAL sent;

	__assign_relative_register(&sent, SIG_SENT);
	chan_attach();
	for (;;) {
		len = chan_recv(chan, buf, WIRE_MAX);
		__pkt_nbi_send(buf, len, port, sig_done, &sent);
		wait_for_all(&sent);
	}
}

void wire_main(void)
{
	carry(CHAN_ID_WIRE, emem40(wire_buf), 0);
}

void wire1_main(void)
{
	carry(CHAN_ID_WIRE1, emem40(wire1_buf), 1);
}
