// SPDX-License-Identifier: BSD-2-Clause
/* echo.c - an ME process that sends back what it receives (echo.chan). */
#include <nfp/mem_bulk.h>

#include "chan.h"

__export __emem __align8 uint8_t echo_buf[2048];

/* Send each message of echo-in back on echo-out. */
void echo_main(void)
{
	unsigned int len;

	chan_attach();
	for (;;) {
		len = chan_recv(CHAN_ID_ECHO_IN, emem40(echo_buf), sizeof(echo_buf));
		chan_send(CHAN_ID_ECHO_OUT, emem40(echo_buf), len);
	}
}
