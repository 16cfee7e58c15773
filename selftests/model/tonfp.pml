/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * tonfp.pml - a pipe to the NFP. Card: chan_tonfp.c, chan_event.c, chan_note.c. One thread of the
 * host sends with the library, and waits for room in one of the ways of tohost.pml: SPIN, FD,
 * POLL.
 *
 * The value of a byte in the ring is its position once the host has written it.
 */
#ifndef ELEM
#define ELEM	1		/* bytes of a message, or of a stream's element */
#endif
#ifndef LIMIT
#define LIMIT	3		/* bytes that may be outstanding: the ring's size */
#endif
#ifndef TOTAL
#define TOTAL	8		/* most bytes that are sent */
#endif
#ifndef PART
#define PART	1		/* most bytes that the card takes at a time */
#endif

#include "pipe.h"

byte ring[LIMIT] = NONE;

#define COUNT(p)	((p) / ELEM)

/* ---- the card ---- */

bit busy;

active proctype events()
{
	do
	:: atomic {
		data_added ->
		assert(data_added <= LIMIT - (prod - cons));	/* HONEST */
		prod = prod + data_added;
		data_added = 0
	   }
	:: atomic {
		arm_event ->
		arm_taken()
	   }
	od
}

inline fetched(p)
{
	assert(ring[(p) % LIMIT] == (p))		/* BYTES */
}

/*
 * An ME process may receive a message at any time, or never again. The DMA reads the ring at any
 * time between the first check of the bytes and the last one.
 */
active proctype to_nfp()
{
	byte end;

	do
	:: atomic {
		prod > cons ->
		busy = 1;
		end = cons + ELEM;
#if PART > 1
		if
		:: prod - cons >= PART -> end = cons + PART
		:: true
		fi;
#endif
		fetched(cons);
		fetched(end - 1)
#ifdef BUG_TAKEN_EARLY
		;
		cons = end;
		note_pending = 1
#endif
	   }
	   atomic {
#ifdef BUG_TAKEN_EARLY
		fetched(end - 1);
#else
		fetched(cons);
		fetched(end - 1);
		cons = end;
		note_pending = 1;
#endif
		end = 0;
		busy = 0
	   }
	od
}

inline choose(p, seq)
{
	p = cons;
	seq = COUNT(cons)
}

active proctype notes()
{
	byte npos, nseq;

	notes_loop()
}

/* ---- the host: ring.c, pipe_io.c ---- */

byte pos, peer, peer_seq, rung;
mtype = { awake, spins, sleeps };
mtype host_is = awake;

#ifdef BUG_NO_CREDITS
#define FITS		(pos + ELEM <= TOTAL)
#else
#define FITS		(pos + ELEM <= TOTAL && pos + ELEM - peer <= LIMIT)
#endif

inline write_one()
{
	for (b : pos .. (pos + ELEM - 1)) {
		ring[b % LIMIT] = b
	}
	b = 0;
	pos = pos + ELEM
}

inline bell(upto)
{
	data_doorbell((upto) - rung);
	rung = (upto)
}

active proctype host()
{
	byte b, old, new, seq;

look:					/* note_load() */
	peer_seq = rec_seq;
	atomic {
		peer = rec_pos;
		if
		:: FITS -> goto writing
		:: !FITS && pos + ELEM <= TOTAL
		fi;
		if
#ifdef SPIN
		:: host_is = spins; goto spinning
#endif
#ifdef FD
		:: goto arming
#endif
#ifdef POLL
		:: goto polling
#endif
		fi
	}

	/* Write as many elements as have room. One doorbell may stand for several of them. */
writing:
#ifdef BUG_BELL_FIRST
	atomic { bell(pos + ELEM) }
#endif
	atomic { write_one() }
	atomic {
		if
#ifndef BUG_BELL_FIRST
		:: FITS -> goto writing
#endif
		:: true -> bell(pos); ctl_pos = pos; goto look
		fi
	}

#ifdef SPIN
spinning:
	atomic {
		rec_pos != peer ->
		host_is = awake;
		goto look
	}
#endif

#ifdef FD
arming:					/* ring_arm() */
	atomic {
		irq = 0;
#ifdef BUG_ARM_FRESH
		user_arm(rec_seq)
#else
		user_arm(peer_seq)
#endif
	}
	atomic {
		if
#ifndef NO_RECHECK
		:: rec_pos != peer -> goto look
#endif
		:: else -> host_is = sleeps
		fi
	}
#endif

#ifdef POLL
#define WRITABLE	(ctl_pos + ELEM - rec_pos <= LIMIT)
polling:				/* nfpc_pipe_poll() */
	atomic {
		irq = 0;
		seq = rec_seq
	}
	atomic {
		if
		:: WRITABLE -> seq = 0; goto look
		:: else -> kernel_arm(seq)
		fi
	}
	atomic {
		seq = 0;
		if
#ifndef NO_RECHECK
		:: WRITABLE -> goto look
#endif
		:: else -> host_is = sleeps
		fi
	}
#endif

#ifndef SPIN
	atomic {
		irq ->
		irq = 0;
		host_is = awake;
		goto look
	}
#endif
}

/* ---- nothing moves any more, and the ME process may never receive again ---- */

#define CARD_RESTS	(!data_added && !arm_event && !note_pending && !fire_pending && \
			 notes_idle && !busy)
#define HOST_RESTS	(host_is == sleeps && !irq || host_is == spins && rec_pos == peer)

active proctype rest()
{
	atomic {
		CARD_RESTS && HOST_RESTS &&
		(pos != prod || pos + ELEM - cons <= LIMIT) ->
		assert(pos == prod);			/* MESSAGE WAITS */
		assert(pos + ELEM - cons > LIMIT)	/* ROOM WAITS */
	}
}
