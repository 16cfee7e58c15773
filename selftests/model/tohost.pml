/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * tohost.pml - a pipe to the host, and one thread at its other end that uses
 * the library (ring.c), and waits in one of these ways:
 *
 * SPIN  looks at the record again and again
 * FD    arms (ring_arm()) and waits for the eventfd
 * POLL  waits in poll() (nfpc_pipe_poll())
 *
 * HOLD: messages may stay borrowed for as long as it likes.
 * EARLY: it may arm and wait before it has taken all there is, or looked again.
 */
#include "tohost.h"

mtype = { awake, spins, sleeps };
mtype host_is = awake;

/* ring_flush() */
inline flush()
{
	if
#ifndef BUG_NO_FLUSH
	:: BELL -> bell()
#endif
	:: else
	fi
}

inline check(p)
{
	for (b : (p) .. ((p) + ELEM - 1)) {
		assert(ring[b % LIMIT] == b)	/* BYTES */
	}
	b = 0
}

/* Nothing is new: have the card tell of what comes. */
inline ask()
{
	if
#ifndef BUG_NO_ASK
	:: BELL ->
		bell();
#ifdef HOLD
		asked_at = peer
#endif
#endif
	:: !BELL && HELD ->
		asked_at = peer;
		user_arm(ASK_SEEN)
	:: else
	fi
}

active proctype host()
{
	byte b, old, new, seq;

look:					/* note_load() */
#ifdef NUMBERED
	peer_seq = rec_seq;
#endif
	atomic {
		peer = rec_pos;
		if
		:: pos < peer -> goto using
		:: else -> ask()
		fi;
		if
#ifdef SPIN
		:: goto spinning
#endif
#ifdef FD
		:: goto arming
#endif
#ifdef POLL
		:: goto polling
#endif
		fi
	}

	/* Some is taken, some given back, and the card told or not. */
using:
	atomic {
#ifdef BUG_BELL_FIRST
		released = peer;
		bell();
		skip
	}
	atomic {
#endif
		do
		:: pos < peer -> check(pos); pos = pos + ELEM
		:: released < pos -> check(released); released = released + ELEM
#ifdef HOLD
		:: break
#else
		:: released >= pos -> break
#endif
		od;
#ifdef POLL
		ctl_pos = pos;
#endif
		if
		:: BELL -> bell()
		:: true
		fi;
		if
		:: pos < peer -> goto using
		:: pos == peer -> goto look
#ifdef EARLY
		:: goto arming
#endif
		fi
	}

#ifdef SPIN
spinning:
	host_is = spins;
	atomic {
		rec_pos != peer || BELL || HELD ->
		host_is = awake;
		goto look
	}
#endif

#ifdef FD
arming:					/* nfpchan_arm() */
	atomic {
		flush();
		irq = 0;
#ifdef BUG_ARM_FRESH
		user_arm(rec_seq)
#else
		user_arm(ARM_SEEN)
#endif
	}
	atomic {
		if
#ifndef NO_RECHECK
		:: rec_pos != peer || pos < peer -> goto look
#endif
		:: else -> host_is = sleeps
		fi
	}
#endif

#ifdef POLL
polling:				/* nfpc_pipe_poll() */
	atomic {
		flush();
#ifndef BUG_WAIT_LATE
		irq = 0;
#endif
		skip
	}
#ifdef BUG_POS_BEFORE_SEQ
	if
	:: rec_pos != ctl_pos -> goto look
	:: else
	fi;
	atomic {
		seq = rec_seq;
		kernel_arm(seq);
		seq = 0
	}
#else
	seq = rec_seq;
	atomic {
		if
		:: rec_pos != ctl_pos -> seq = 0; goto look
		:: else -> kernel_arm(seq); seq = 0
		fi
	}
#endif
	atomic {
		if
#ifndef NO_RECHECK
		:: rec_pos != ctl_pos -> goto look
#endif
		:: else -> host_is = sleeps
		fi
	}
#endif

#ifndef SPIN
	atomic {
#ifdef BUG_WAIT_LATE
		irq = 0;
#endif
		irq ->
		irq = 0;
		host_is = awake;
		goto look
	}
#endif
}

/* ---- when nothing moves, but for a sender who may never send again ---- */

#define HOST_RESTS	(host_is == sleeps && !irq || \
			 host_is == spins && rec_pos == peer && !BELL && !HELD)
/* Room that the host has given up: whole units. */
#define GIVEN		(released - released % UNIT)

active proctype rest()
{
	atomic {
		CARD_RESTS && HOST_RESTS &&
		(pos < prod ||
		 prod + ELEM <= TOTAL && !HAS_ROOM(1) &&
		 (prod + ELEM - GIVEN <= LIMIT || released == prod)) ->
		assert(pos == prod);		/* MESSAGE WAITS */
		assert(HAS_ROOM(1))		/* ROOM WAITS */
	}
}
