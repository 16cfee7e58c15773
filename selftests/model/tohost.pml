/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * tohost.pml - a pipe to the host. One thread of the host uses the library (ring.c), and waits in
 * one of these ways:
 *
 * SPIN  looks at the record again and again
 * FD    arms (ring_arm()) and waits for the eventfd
 * POLL  waits in poll() (nfpc_pipe_poll())
 *
 * Other options:
 *
 * HOLD        the thread may keep borrowed messages for as long as it likes
 * EARLY       the thread may arm and wait before it has taken all messages, or looked again
 * NUMBERED    the count in the record is the record's number, as of a stream of bytes
 * NO_RECHECK  the thread does not look at the record again after it has armed
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

/* The host has found nothing new. It asks the card for the next record (PROTOCOL.rst, Records). */
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

	/* Take some messages, give some back, and ring the data doorbell or not. */
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

/* ---- nothing moves any more, and the sender may never send again ---- */

#define HOST_RESTS	(host_is == sleeps && !irq || \
			 host_is == spins && rec_pos == peer && !BELL && !HELD)
/* Position up to which the host has given room back: whole units */
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
