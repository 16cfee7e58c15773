// SPDX-License-Identifier: BSD-2-Clause
/* signals.c - ME processes that send a message when the host signals them (signals.chan). */
#include "chan.h"
#include "test_apps.h"

/* Send a count for each signal of the host. Signals that come together count as one. */
static __swaps void count_signals(unsigned int chan)
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
