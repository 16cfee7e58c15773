/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * rendezvous.pml - messages to the NFP that the host may take back. Card: chan_ctl.c (CANCEL),
 * chan_lost.c, chan_tonfp.c. Host: nfpc_pipe_write(), nfpchan_send(). A message is one unit. With
 * INLINE, the host may also write a message to the inline page.
 */
#ifndef TOTAL
#define TOTAL	4
#endif
#ifndef NUMBERS
#define NUMBERS	3		/* values of a message's number in its header, 2^16 in the ABI */
#endif

#include "pipe.h"

/* The messages in the ring and in the inline page, and the number in the page's header. */
byte ring_msg;
byte page_msg, page_nr = NONE;

byte received[TOTAL + 1], cancelled[TOTAL + 1];
bit busy, hold, settled;
bit request, mbox_pending, response, taken;

active proctype events()
{
	do
	:: atomic {
		data_added ->
		prod = prod + data_added;
		data_added = 0
	   }
	:: atomic {
		arm_event ->
		arm_taken()
	   }
	:: atomic {
		request ->
		request = 0;
#ifndef BUG_NOT_SETTLED
		prod = prod + data_added + data_behind;
		data_added = 0;
		data_behind = 0;
#endif
		mbox_pending = 1
	   }
	od
}

/* Take the message from the page if the number there is due, otherwise from the ring. */
inline deliver()
{
	msg = (page_nr == (cons + 1) % NUMBERS -> page_msg : ring_msg);
	assert(msg == cons + 1)				/* BYTES */
}

active proctype to_nfp()
{
	byte msg;

	do
	:: atomic {
		prod > cons && !hold ->
		busy = 1;
		deliver()
	   }
	   atomic {
		deliver();
		assert(!cancelled[msg]);		/* CANCELLED */
		assert(!received[msg]);			/* ONCE */
		received[msg] = 1;
#ifndef BUG_NOT_PASSED
		cons = cons + 1;
#endif
		note_pending = 1;
		msg = 0;
		busy = 0
	   }
	od
}

inline choose(p, seq)
{
	p = cons;
	seq = cons
}

active proctype notes()
{
	byte npos, nseq;

	notes_loop()
}

/* The control context handles CANCEL of the message that was sent last. */
active proctype control()
{
	do
	:: atomic {
		mbox_pending ->
		mbox_pending = 0;
		hold = 1
	   }
#ifndef BUG_NO_HOLD
	   (!busy && notes_idle);
#endif
	   atomic {
		taken = cons == prod;
		if
		:: !taken -> cons = prod; note_pending = 1
		:: else
		fi
	   }
#ifndef BUG_ANSWER_FIRST
	   (!note_pending && notes_idle);
#endif
	   atomic {
		hold = 0;
		response = 1
	   }
	od
}

/* ---- the host ---- */

byte pos, peer, seen;
mtype = { awake, sleeps };
mtype host_is = awake;

active proctype host()
{
	byte old, new;

	do
	:: pos < TOTAL ->
		/* Write the message, perhaps copy it to the page, and ring the doorbell. */
		ring_msg = pos + 1;
#ifdef INLINE
		if
		:: atomic { page_msg = 0; page_nr = NONE };
		   atomic { page_msg = pos + 1; page_nr = (pos + 1) % NUMBERS }
		:: atomic {
			true;
#ifndef BUG_PAGE_STALE
			if
			:: page_nr == (pos + 1) % NUMBERS -> page_nr = NONE
			:: else
			fi
#endif
		   }
		fi;
#endif
		atomic { pos = pos + 1; data_doorbell(1) }
wait:
		seen = rec_seq;
		atomic { peer = rec_pos; (peer <= pos) }
		if
		:: peer == pos -> goto sent
		:: peer != pos -> goto cancel
		:: peer != pos ->
			atomic { irq = 0; user_arm(seen) }
			atomic {
				if
				:: rec_pos != peer -> goto wait
				:: else -> host_is = sleeps
				fi
			}
			if
			:: atomic { irq -> irq = 0; host_is = awake; goto wait }
			:: atomic { host_is = awake; goto cancel }
			fi
		fi;
cancel:
		atomic { request = 1; response = 0 }
		atomic {
			response -> response = 0;
			assert(rec_pos == pos);		/* SHOWN */
			if
			:: taken -> goto sent
			:: else -> cancelled[pos] = 1; assert(!received[pos])	/* TAKEN BACK */
			fi;
			goto next
		}
sent:
		assert(received[pos]);			/* RECEIVED */
next:
		skip
	:: else -> break
	od
}

#define CARD_RESTS	(!data_added && !arm_event && !note_pending && !fire_pending && \
			 notes_idle && !busy && !request && !mbox_pending && !hold)

/*
 * If the card rests and the message was received, the host must not be asleep. A host that does
 * not give up would never wake.
 */
active proctype rest()
{
	atomic {
		CARD_RESTS && host_is == sleeps && !irq && cons == pos ->
		assert(cons != pos)			/* ANSWER WAITS */
	}
}
