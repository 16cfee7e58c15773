// SPDX-License-Identifier: BSD-2-Clause
/* rv.c - an ME process whose two channels are rendezvous (rv.chan). */
#include "chan.h"

__export __emem __align8 uint8_t rv_buf[256];

/* Send each message of rv-in back on rv-out. */
void rv_main(void)
{
	unsigned int len;

	chan_attach();
	for (;;) {
		len = chan_recv(CHAN_ID_RV_IN, emem40(rv_buf), sizeof(rv_buf));
		chan_send(CHAN_ID_RV_OUT, emem40(rv_buf), len);
	}
}
