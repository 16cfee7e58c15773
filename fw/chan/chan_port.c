// SPDX-License-Identifier: BSD-2-Clause
/*
 * chan_port.c - ports. A port is a pipe to the host whose elements say which other pipes have
 * news, so that a process can wait for all these pipes in one place.
 *
 * An element is sent after the record that it announces. A pipe has at most one element in the
 * ring of the port. News that come before the host gives the element back are announced by the
 * next element. So the ring cannot overflow, and there are fewer elements under load.
 *
 * The control context opens and closes. The notes context does everything else.
 */
#include <nfp/me.h>
#include <nfp/mem_bulk.h>
#include <nfp/pcie.h>
#include <nfp/remote_me.h>

#include "chan_int.h"

#define ELEM		((uint32_t)sizeof(struct nfp_chan_port_event))
#define UNIT_SHIFT	3	/* an element is given back by itself */

ctassert(ELEM == 1 << UNIT_SHIFT);
ctassert(CHAN_PIPES * ELEM <= 4096);	/* the smallest ring */

/**
 * struct chan_port - the elements in the ring of a port
 * @given: position up to which the elements that the host gave back were handled
 * @told: bit mask of pipes that have an element in the ring. If the number of a pipe has a new
 *	owner, the new pipe waits until the old element is given back
 * @pipe: the pipe of each element, by the low bits of the element's number
 */
struct chan_port {
	uint64_t given;
	uint32_t told;
	uint32_t rsvd;
	uint8_t pipe[CHAN_PIPES];
};

__export __emem __align8 struct chan_port chan_port[CHAN_PIPES];
__export __emem __le64 chan_cookie[CHAN_PIPES];
__export __ctm __align64 struct nfp_chan_port_event port_stage[CHAN_PIPES];

/* Is @req a valid port, or a pipe that may report to the port that it names? */
int chan_port_ok(const struct nfp_chan_fw_req *req, unsigned int chan)
{
	unsigned int port = le16_to_cpu(req->port);
	const struct chan_pipe *p;

	if (chan == CHAN_PORT)
		return !port && req->unit_shift == UNIT_SHIFT;
	if (!port)
		return 1;
	if (port > CHAN_PIPES)
		return 0;
	p = &chan_pipe[port - 1];
	return p->state != PIPE_FREE && p->chan == CHAN_PORT;
}

void chan_port_open(unsigned int pipe, unsigned int port, __le64 cookie)
{
	__xwrite __le64 out;

	chan_pipe[pipe].port = (uint8_t)port;
	out = cookie;
	mem_write64(&out, emem40(&chan_cookie[pipe]), sizeof(out));
	mem_zero(emem40(&chan_port[pipe]), sizeof(chan_port[pipe]));
}

/* @pipe closes: it reports to no port, and no pipe reports to it. */
void chan_port_close(unsigned int pipe)
{
	unsigned int i;

	chan_port_news &= ~(1u << pipe);
	chan_port_pending &= ~(1u << pipe);
	if (chan_pipe[pipe].chan != CHAN_PORT)
		return;
	for (i = 0; i < CHAN_PIPES; i++) {
		if (chan_pipe[i].port != pipe + 1)
			continue;
		chan_pipe[i].port = 0;
		chan_port_news &= ~(1u << i);
	}
}

/* The record of @pipe, which has a port, shows something new. */
void chan_port_tell(unsigned int pipe)
{
	chan_port_news |= 1u << pipe;
	chan_port_pending |= 1u << (chan_pipe[pipe].port - 1);
}

/* The host has given elements back. Without news, there is nothing to do before the next news. */
void chan_port_room(unsigned int port)
{
	if (!chan_port_news)
		return;
	chan_port_pending |= 1u << port;
	signal_ctx(CHAN_CTX_NOTE, SIG_WAKE);
}

static void take_back(const struct chan_pipe *p, struct chan_port *port)
{
	for (; port->given != p->cons; port->given += ELEM)
		port->told &= ~(1u << port->pipe[port->given / ELEM % CHAN_PIPES]);
}

/*
 * Stage elements for pipes that have news and no element in the ring, up to the ring's end.
 * Return: the number of elements.
 */
static __swaps uint32_t fill(unsigned int index, struct chan_port *port)
{
	const struct chan_pipe *p = &chan_pipe[index];
	uint32_t size = 1u << p->ring_shift, i, n = 0;
	uint32_t left = chan_port_news & ~port->told;
	__xread __le64 in;
	__xwrite __le64 out;

	for (; left && ((uint32_t)p->prod & (size - 1)) + n * ELEM < size; left &= left - 1) {
		i = ffs(left);
		if (chan_pipe[i].port != index + 1)
			continue;
		chan_port_news &= ~(1u << i);
		port->told |= 1u << i;
		port->pipe[(p->prod / ELEM + n) % CHAN_PIPES] = (uint8_t)i;
		mem_read64(&in, emem40(&chan_cookie[i]), sizeof(in));
		out = in;
		mem_write64(&out, ctm40(&port_stage[n]), sizeof(out));
		n++;
	}
	return n;
}

static __swaps void announce(unsigned int index)
{
	struct chan_pipe *p = &chan_pipe[index];
	__xread struct chan_port in;
	__xwrite struct chan_port out;
	struct chan_port port;
	uint32_t size = 1u << p->ring_shift, n;
	SIGNAL sig;

	p->busy++;
	mem_read64(&in, emem40(&chan_port[index]), sizeof(in));
	port = in;
	take_back(p, &port);
	n = fill(index, &port);
	out = port;
	mem_write64(&out, emem40(&chan_port[index]), sizeof(out));
	if (n) {
		__assign_relative_register(&sig, SIG_NOTE);
		chan_dma_host(1, PCIE_DMA_CFG_NOTE, p->ring + ((uint32_t)p->prod & (size - 1)),
			      ctm40(port_stage), n * ELEM, &sig);
		wait_for_all(&sig);
		p->prod += n * ELEM;
		p->seq += n;
		chan_news(index);
		/* Elements that did not fit before the end of the ring come next. */
		if (!(p->prod & (size - 1)))
			chan_port_pending |= 1u << index;
	}
	p->busy--;
	if (p->state == PIPE_CLOSING)
		chan_settle();
}

/* Send the elements of all ports that may have some. */
void chan_port_announce(void)
{
	uint32_t ports = chan_port_pending;
	unsigned int i;

	chan_port_pending = 0;
	for (; ports; ports &= ports - 1) {
		i = ffs(ports);
		if (chan_pipe[i].state == PIPE_OPEN)
			announce(i);
	}
}
