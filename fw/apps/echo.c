// SPDX-License-Identifier: BSD-2-Clause
/* echo.c - small ME processes for tests and examples (echo.chan). */
#include <nfp/mem_bulk.h>

#include "chan.h"
#include "test_apps.h"

__export __emem __align8 uint8_t echo_buf[2048];
__export __emem __align8 uint8_t rv_buf[256];

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

/* Send each message of rv-in back on rv-out; both channels are rendezvous. */
void rv_main(void)
{
	unsigned int len;

	chan_attach();
	for (;;) {
		len = chan_recv(CHAN_ID_RV_IN, emem40(rv_buf), sizeof(rv_buf));
		chan_send(CHAN_ID_RV_OUT, emem40(rv_buf), len);
	}
}

/* Send a count for each signal of the host. Signals that come together count as one. */
static void count_signals(unsigned int chan)
{
	struct echo_count msg;
	uint64_t count = 0;
	SIGNAL sig;

	chan_attach();
	chan_signal_bind(&sig);
	for (;;) {
		wait_for_all(&sig);
		msg.count = cpu_to_le64(++count);
		chan_send_regs(chan, &msg, sizeof(msg));
	}
}

void tick_main(void)
{
	count_signals(CHAN_ID_TICK);
}

void own_main(void)
{
	count_signals(CHAN_ID_OWN);
}

/* Send one message for the first signal, then end the channel. */
void once_main(void)
{
	struct echo_count msg;
	SIGNAL sig;

	chan_attach();
	chan_signal_bind(&sig);
	wait_for_all(&sig);
	msg.count = cpu_to_le64(1);
	chan_send_regs(CHAN_ID_ONCE, &msg, sizeof(msg));
	chan_end(CHAN_ID_ONCE);
}
