// SPDX-License-Identifier: BSD-2-Clause
/*
 * chan_gather.c - small messages to the host are gathered in a buffer of the card, and one DMA
 * writes all of them.
 *
 * A message has its place in the pipe's ring when it joins a buffer. Its sender continues when the
 * message is in the buffer. The buffer goes out when the next record of its pipe may show the
 * messages, or when it is nearly full. Until then the host has not asked for them (chan_news()), so
 * the DMA would show nobody anything. Of one pipe a buffer waits for the DMA of the buffer before it,
 * so the messages that come during a DMA share the next one.
 *
 * A buffer belongs to a pipe while chan_flight[] has it under way. Contexts copy messages into it
 * at the same time (@writers). The context that closes the buffer, or the last writer of a closed
 * buffer, does the DMA.
 */
#include <nfp/me.h>
#include <nfp/mem_bulk.h>

#include "chan_int.h"

/* struct chan_gather.state */
#define GATHER_OPEN	0	/* messages of the pipe may join */
#define GATHER_CLOSED	1	/* goes out when the last writer has ended */
#define GATHER_GOES	2	/* the DMA is under way */

#define FLIGHT(g)	chan_flight[CHAN_HOST_CTXS + (g)]

__shared __lmem struct chan_gather chan_gather[CHAN_GATHERS];
__export __ctm __align64 uint8_t chan_gather_buf[CHAN_GATHERS][CHAN_GATHER_SIZE];

/* Return: the buffer of @pipe in that state, or CHAN_NONE. The open buffers of CHAN_NONE are free. */
static unsigned int find(unsigned int pipe, unsigned int state)
{
	unsigned int g;

	for (g = 0; g < CHAN_GATHERS; g++)
		if (FLIGHT(g).pipe == pipe && chan_gather[g].state == state)
			return g;
	return CHAN_NONE;
}

/* Do messages of @pipe wait in a buffer? */
int chan_gathers(unsigned int pipe)
{
	return find(pipe, GATHER_OPEN) != CHAN_NONE;
}

/*
 * Reserve @bytes of a buffer for the message that gets the place @pos of @pipe and the number @seq,
 * with its header and padding. Return: the buffer, or CHAN_NONE if none is free. *@at: where the
 * message goes in the buffer.
 */
unsigned int chan_gather_join(unsigned int pipe, uint64_t pos, uint32_t seq, uint32_t bytes,
			      uint32_t *at)
{
	unsigned int g = find(pipe, GATHER_OPEN);

	if (g == CHAN_NONE) {
		g = find(CHAN_NONE, GATHER_OPEN);
		if (g == CHAN_NONE)
			return CHAN_NONE;
		FLIGHT(g).pipe = (uint8_t)pipe;
		FLIGHT(g).pos = pos;
		FLIGHT(g).seq = seq;
		chan_gather[g].fill = 0;
		chan_gather[g].writers = 0;
		chan_pipe[pipe].busy++;
	}
	*at = chan_gather[g].fill;
	chan_gather[g].fill += (uint16_t)bytes;
	chan_gather[g].writers++;
	if (chan_gather[g].fill > CHAN_GATHER_SIZE - CHAN_STAGE)
		chan_gather[g].state = GATHER_CLOSED;
	return g;
}

/* A message that does not join takes the next place of @pipe. No message joins after it. */
void chan_gather_close(unsigned int pipe)
{
	unsigned int g = find(pipe, GATHER_OPEN);

	if (g != CHAN_NONE)
		chan_gather[g].state = GATHER_CLOSED;
}

/* Must the open buffer @g go out now? */
static int due(unsigned int g)
{
	const struct chan_pipe *p = &chan_pipe[FLIGHT(g).pipe];

	if (!chan_wanted(p) && p->state == PIPE_OPEN && !p->hold)
		return 0;
	return find(FLIGHT(g).pipe, GATHER_GOES) == CHAN_NONE;
}

/* Send buffer @g if it is due or closed, and then each that became due during the DMA. */
static __swaps void go(unsigned int g)
{
	unsigned int pipe = FLIGHT(g).pipe;
	SIGNAL sig;

	__assign_relative_register(&sig, SIG_DMA);
	while (g != CHAN_NONE) {
		if (chan_gather[g].state == GATHER_OPEN && due(g))
			chan_gather[g].state = GATHER_CLOSED;
		if (chan_gather[g].state != GATHER_CLOSED || chan_gather[g].writers)
			return;
		chan_gather[g].state = GATHER_GOES;
		chan_dma(&chan_pipe[pipe], 1, FLIGHT(g).pos, ctm40(chan_gather_buf[g]),
			 chan_gather[g].fill, &sig);
		wait_for_all(&sig);
		FLIGHT(g).pipe = CHAN_NONE;
		chan_gather[g].state = GATHER_OPEN;
		chan_landed(pipe);
		g = find(pipe, GATHER_OPEN);
	}
}

/* The message that joined @g is in the buffer. */
void chan_gather_joined(unsigned int g)
{
	chan_gather[g].writers--;
	go(g);
}

/* Send what is due of the pipes of @chan. */
void chan_gather_flush(unsigned int chan)
{
	unsigned int g;

	for (g = 0; g < CHAN_GATHERS; g++)
		if (FLIGHT(g).pipe != CHAN_NONE && chan_pipe[FLIGHT(g).pipe].chan == chan)
			go(g);
}
