/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * threads.pml - a pipe to the host, and two threads of the host. The poller waits in poll(), in
 * the kernel. The worker uses the library's ring whenever it likes, and may stop at any time. Both
 * arm.
 */
#include "tohost.h"

bit sleeping, working;

/* The worker takes some or all messages, may arm, and goes away. */
active proctype worker()
{
	byte old, new;

away:
	working = 0;
#ifdef NUMBERED
	atomic {
		rec_pos != peer || pos < peer || BELL || HELD -> working = 1
	}
	peer_seq = rec_seq;
	atomic {
		peer = rec_pos;
#else
	atomic {
		rec_pos != peer || pos < peer || BELL || HELD ->
		working = 1;
		peer = rec_pos;
#endif
		do
		:: pos < peer -> pos = pos + ELEM
		:: break
		od;
		ctl_pos = pos;
#ifdef HOLD
		do
		:: released < pos -> released = released + ELEM
		:: break
		od;
#else
		released = pos;
#endif
		if
		:: BELL ->
			bell();
			#ifdef HOLD
			asked_at = (pos == peer -> peer : asked_at)
#endif
		:: !BELL && HELD && pos == peer -> asked_at = peer; goto asking
		:: else
		fi;
		if
		:: goto away
		:: asked_at != peer -> asked_at = peer; goto arming
		fi
	}
asking:
	user_arm(ASK_SEEN);
	goto away;
arming:					/* nfpchan_arm() */
	user_arm(ARM_SEEN);
	goto away
}

active proctype poller()
{
	byte old, new, seq;

again:
	atomic {
		irq = 0;		/* the poller is in the wait queue from here on */
		seq = rec_seq
	}
#ifndef BUG_STALE_SEQ
fresh_seq:
#endif
	atomic {
		if
		:: rec_pos != ctl_pos -> seq = 0; goto again
		:: else
		fi
	}
	kernel_arm(seq);
	atomic {
		if
#ifndef BUG_STALE_SEQ
		:: rec_seq != seq -> seq = rec_seq; goto fresh_seq
#endif
		:: else
		fi;
		seq = 0;
		if
		:: rec_pos != ctl_pos -> goto again
		:: else -> sleeping = 1
		fi
	}
	atomic {
		irq ->
		sleeping = 0;
		goto again
	}
}

active proctype rest()
{
	atomic {
		CARD_RESTS && sleeping && !irq && !working && pos < prod ->
		assert(pos == prod)	/* MESSAGE WAITS */
	}
}
