/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * tohost.h - a pipe to the host: the card's half (chan_tohost.c, chan_gather.c, chan_note.c,
 * chan_event.c), and the variables of the host's half that all its threads use. The value of a byte in
 * the ring is its position, or NONE while the card writes it.
 *
 * GATHER=n: messages join a buffer, whose DMA begins when the record is wanted, or with n messages.
 */
#ifndef ELEM
#define ELEM	1		/* bytes of a message, or of a stream's element */
#endif
#ifndef UNIT
#define UNIT	1		/* bytes that one count of the data queue stands for */
#endif
#ifndef LIMIT
#define LIMIT	3		/* bytes that may be outstanding: the ring's size */
#endif
#ifndef TOTAL
#define TOTAL	6		/* most bytes that are sent */
#endif
#ifndef PART
#define PART	1		/* most elements of one DMA */
#endif
#ifndef FLIGHTS
#define FLIGHTS	2		/* most DMAs that are under way */
#endif

#include "pipe.h"

byte ring[LIMIT];
byte flight[FLIGHTS] = NONE, flight_end[FLIGHTS];
#ifdef GATHER
bit open[FLIGHTS];
#endif
byte sent_pos;
bit fresh, asked;
#ifdef NUMBERED
byte records;
#endif

#define COUNT(p)	((p) / ELEM)

#define FREE(f)		(flight[f] == NONE)
#ifdef BUG_NO_CREDITS
#define HAS_ROOM(n)	(prod + (n) * ELEM <= TOTAL)
#else
#define HAS_ROOM(n)	(prod + (n) * ELEM <= TOTAL && prod + (n) * ELEM - cons <= LIMIT)
#endif

#ifdef BUG_NEWS_EXACT
#define DRY		(sent_pos == cons)
#else
#define DRY		(sent_pos - cons < UNIT)
#endif

#define WANTED		(asked || armed || DRY)
#ifdef GATHER
#define OPEN(f)		(open[f])
#define GOES(f)		(!FREE(f) && !open[f])
#define FULL(f)		(flight_end[f] - flight[f] >= GATHER * ELEM)
#ifdef BUG_GATHER_KEPT
#define DUE(f)		(OPEN(f) && (FULL(f) || DRY && !GOES(FLIGHTS - 1 - (f))))
#else
#define DUE(f)		(OPEN(f) && (FULL(f) || WANTED && !GOES(FLIGHTS - 1 - (f))))
#endif
#define NONE_OPEN	(!OPEN(0) && !OPEN(FLIGHTS - 1))
#else
#define OPEN(f)		false
#define GOES(f)		(!FREE(f))
#define DUE(f)		false
#define NONE_OPEN	true
#endif

inline news()
{
	fresh = 1;
	if
	:: WANTED -> note_pending = 1
	:: else
	fi
}

inline card_asked()
{
#ifndef BUG_ASK_NOT_KEPT
	asked = 1;
#endif
	if
	:: fresh && NONE_OPEN -> note_pending = 1
	:: else
	fi
}

inline take_place(f, n)
{
	flight_end[f] = prod + (n) * ELEM;
	for (b : prod .. (prod + (n) * ELEM - 1)) {
		ring[b % LIMIT] = NONE
	}
	b = 0;
	prod = prod + (n) * ELEM
}

inline reserve(f, n)
{
	d_step {
		flight[f] = prod;
		take_place(f, n)
#ifdef GATHER
		;
		open[f] = 1
#endif
	}
}

/* A message joins the buffer @f. */
inline join(f)
{
	d_step {
		take_place(f, 1)
	}
}

inline land(f)
{
	d_step {
		for (b : flight[f] .. (flight_end[f] - 1)) {
			ring[b % LIMIT] = b
		}
		b = 0;
		flight[f] = NONE;
		flight_end[f] = 0;
		news()
	}
}

/* The card's contexts that send to the host. Their DMAs land in any order. */
active proctype to_host()
{
	byte b;

	do
	:: atomic { FREE(0) && NONE_OPEN && HAS_ROOM(1) -> reserve(0, 1) }
	:: atomic { GOES(0) -> land(0) }
#ifdef GATHER
	:: atomic { OPEN(0) && !FULL(0) && HAS_ROOM(1) -> join(0) }
	:: atomic { DUE(0) -> open[0] = 0 }
#endif
#if PART > 1
	:: atomic { FREE(0) && HAS_ROOM(PART) -> reserve(0, PART) }
#endif
#if FLIGHTS > 1
	:: atomic { !FREE(0) && FREE(1) && NONE_OPEN && HAS_ROOM(1) -> reserve(1, 1) }
	:: atomic { GOES(1) -> land(1) }
#ifdef GATHER
	:: atomic { OPEN(1) && !FULL(1) && HAS_ROOM(1) -> join(1) }
	:: atomic { DUE(1) -> open[1] = 0 }
#endif
#if PART > 1
	:: atomic { !FREE(0) && FREE(1) && HAS_ROOM(PART) -> reserve(1, PART) }
#endif
#endif
	od
}

active proctype events()
{
	do
	:: atomic {
		data_added ->
		assert(data_added <= sent_pos - cons);	/* HONEST */
		cons = cons + data_added;
		data_added = 0;
		card_asked()
	   }
	:: atomic {
		arm_event ->
		arm_taken();
		card_asked()
	   }
	od
}

/* Choose what the record shows: all bytes up to the first one that has not landed. */
inline choose(p, seq)
{
	p = prod;
#ifndef BUG_UNLANDED
	for (i : 0 .. (FLIGHTS - 1)) {
		if
		:: flight[i] < p -> p = flight[i]
		:: else
		fi
	}
	i = 0;
#endif
	fresh = 0;
	if
	:: p != sent_pos ->
		asked = 0;
#ifdef NUMBERED
		records++
#endif
	:: else ->
#ifdef BUG_ASK_FORGOTTEN
		asked = 0
#endif
	fi;
#ifdef NUMBERED
	seq = records;
#else
	seq = COUNT(p);
#endif
	sent_pos = p
}

active proctype notes()
{
	byte npos, nseq, i;

	notes_loop()
}

#define CARD_RESTS	(!data_added && !arm_event && !note_pending && !fire_pending && \
			 notes_idle && !GOES(0) && !GOES(FLIGHTS - 1) && !DUE(0) && \
			 !DUE(FLIGHTS - 1))

/* ---- the host's half: ring.c ---- */

byte pos, peer, released, rung;
#ifdef NUMBERED
byte peer_seq;
#endif
byte asked_at = NONE;

#define BELL	(released - rung >= UNIT)
#ifdef BUG_NO_ASK
#define HELD	false
#else
#define HELD	(pos - rung >= UNIT && asked_at != peer)
#endif

inline bell()
{
	d_step {
		data_doorbell((released - rung) / UNIT * UNIT);
		rung = rung + (released - rung) / UNIT * UNIT
	}
}

/* The count that an arm doorbell calls seen: to ask for a record, and before a wait. */
#ifdef NUMBERED
#define ASK_SEEN	peer_seq
#ifdef BUG_SEEN_UNREAD
#define ARM_SEEN	peer_seq
#else
#define ARM_SEEN	(peer_seq + COUNTS - (pos < peer))
#endif
#else
#define ASK_SEEN	COUNT(pos)
#define ARM_SEEN	COUNT(pos)
#endif
