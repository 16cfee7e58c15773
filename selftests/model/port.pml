/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * port.pml - two pipes to the host that report to a port. Card: chan_port.c, and the parts of
 * chan_note.c, chan_tohost.c and chan_event.c that it needs. One thread of the host looks at the
 * port, and only at the pipes that the port names (port.c).
 *
 * A port's vector is armed as a pipe's is, which tohost.pml models. Here the thread looks at the
 * port's record again and again.
 *
 * WHOLE: the thread takes all messages that it finds in a pipe, not a part of them.
 */
#ifndef LIMIT
#define LIMIT	2		/* messages that a pipe may have outstanding */
#endif
#ifndef TOTAL
#define TOTAL	3		/* most messages that are sent on each pipe */
#endif
#define PIPES	2
#define NONE	255

/* Host memory: the records, and the port's ring. ring_pos: what the record must show at least. */
byte rec[PIPES], port_rec;
byte ring[PIPES] = NONE, ring_pos[PIPES];

/* Units of data doorbells that the card has not looked at. */
byte added[PIPES], port_added;

/* Fields of the card's struct chan_pipe, for the two pipes and for the port */
byte prod[PIPES], cons[PIPES], sent[PIPES];
bit fresh[PIPES], asked[PIPES], pending[PIPES];
byte port_prod, port_cons, port_sent;
bit port_fresh, port_asked, port_pending;

/* Positions in records whose DMA is under way */
byte flight[PIPES] = NONE;

/* Fields of struct chan_port. port_work: the notes context must look at the news. */
bit news[PIPES], told[PIPES], port_work;
byte port_given, whose[PIPES];

bit notes_idle = 1;

/* ---- the card ---- */

/* A message lands. A record is due if the rules of records say so. */
inline sends(p)
{
	prod[p]++;
	fresh[p] = 1;
	if
	:: asked[p] || sent[p] == cons[p] -> pending[p] = 1
	:: else
	fi
}

active proctype to_host()
{
	do
	:: atomic { prod[0] < TOTAL && prod[0] - cons[0] < LIMIT -> sends(0) }
	:: atomic { prod[1] < TOTAL && prod[1] - cons[1] < LIMIT -> sends(1) }
	od
}

inline given(p)
{
	assert(added[p] <= sent[p] - cons[p]);		/* HONEST */
	cons[p] = cons[p] + added[p];
	added[p] = 0;
	asked[p] = 1;
	if
	:: fresh[p] -> pending[p] = 1
	:: else
	fi
}

active proctype events()
{
	do
	:: atomic { added[0] -> given(0) }
	:: atomic { added[1] -> given(1) }
	:: atomic {
		port_added ->
		assert(port_added <= port_sent - port_cons);	/* HONEST */
		port_cons = port_cons + port_added;
		port_added = 0;
		port_asked = 1;
		if
		:: port_fresh -> port_pending = 1
		:: else
		fi;
#ifndef BUG_ROOM_UNSEEN
		if
		:: news[0] || news[1] -> port_work = 1
		:: else
		fi
#endif
	   }
	od
}

active proctype dma()
{
	do
	:: atomic { flight[0] != NONE -> rec[0] = flight[0]; flight[0] = NONE }
	:: atomic { flight[1] != NONE -> rec[1] = flight[1]; flight[1] = NONE }
	od
}

inline begin_record(p)
{
	pending[p] = 0;
	notes_idle = 0;
	fresh[p] = 0;
	moved = prod[p] != sent[p];
	if
	:: moved -> asked[p] = 0
	:: else
	fi;
	sent[p] = prod[p];
	flight[p] = prod[p];
	at = p
}

inline tell(p)
{
	if
#ifdef BUG_NEWS_DROPPED
	:: moved && !told[p] -> news[p] = 1; port_work = 1
#else
	:: moved -> news[p] = 1; port_work = 1
#endif
	:: else
	fi;
	moved = 0
}

/* The host has given elements back. Their pipes may be reported again. */
inline take_back()
{
	do
	:: port_given != port_cons ->
#ifndef BUG_TOLD_FOR_EVER
		told[whose[port_given % PIPES]] = 0;
#endif
#ifdef BUG_NEWS_FORGOTTEN
		news[whose[port_given % PIPES]] = 0;
#endif
		port_given++
	:: else -> break
	od
}

inline element(p)
{
	if
#ifdef BUG_SEVERAL
	:: news[p] ->
#else
	:: news[p] && !told[p] ->
#endif
		assert(port_prod + n - port_cons < PIPES);	/* ROOM */
		news[p] = 0;
		told[p] = 1;
		whose[(port_prod + n) % PIPES] = p;
		stage[n] = p;
		stage_pos[n] = sent[p];
		n++
	:: else
	fi
}

inline land()
{
	i = 0;
	do
	:: i < n ->
		ring[(port_prod + i) % PIPES] = stage[i];
		ring_pos[(port_prod + i) % PIPES] = stage_pos[i];
		stage[i] = 0;
		stage_pos[i] = 0;
		i++
	:: else -> break
	od;
	i = 0;
	port_prod = port_prod + n;
	if
	:: n ->
		port_fresh = 1;
		if
		:: port_asked || port_sent == port_cons -> port_pending = 1
		:: else
		fi
	:: else
	fi;
	n = 0
}

/*
 * The notes context: it writes one record at a time, and then notes the pipe's news for the port.
 */
active proctype notes()
{
	byte at, n, i, stage[PIPES], stage_pos[PIPES];
	bit moved;

	do
	:: atomic {
		if
		:: pending[0] && flight[0] == NONE -> begin_record(0)
		:: pending[1] && flight[1] == NONE -> begin_record(1)
		fi
	   }
#ifndef BUG_UNLANDED_TOLD
	   atomic { flight[at] == NONE -> tell(at); at = 0; notes_idle = 1 }
#else
	   atomic { tell(at); at = 0; notes_idle = 1 }
#endif
	:: atomic {
		port_work ->
		port_work = 0;
		notes_idle = 0;
		take_back();
		element(0);
		element(1)
	   }
	   atomic { land(); notes_idle = 1 }
	:: atomic {
		port_pending ->
		port_pending = 0;
		port_fresh = 0;
		notes_idle = 0;
		if
		:: port_prod != port_sent -> port_asked = 0
		:: else
		fi;
		port_sent = port_prod
	   }
	   atomic { port_rec = port_sent; notes_idle = 1 }
	od
}

/* ---- the host ---- */

byte pos[PIPES], rung[PIPES];
byte port_pos, port_rung;
bit spins;

inline port_bell()
{
	port_added = port_added + port_pos - port_rung;
	port_rung = port_pos
}

active proctype host()
{
	byte p, peer, port_peer;
#ifdef BUG_LOOK_FIRST
	byte seen[PIPES];
#endif

look:
#ifdef BUG_LOOK_FIRST
	atomic { seen[0] = rec[0]; seen[1] = rec[1] }
#endif
	atomic {
		port_peer = port_rec;
		if
		:: port_pos == port_peer -> goto waiting
		:: else
		fi
	}

next:
	atomic {
		p = ring[port_pos % PIPES];
		assert(p != NONE);				/* BYTES */
		assert(rec[p] >= ring_pos[port_pos % PIPES]);	/* RECORD FIRST */
		ring[port_pos % PIPES] = NONE;
		port_pos++;
		/* Give the element back before the work on its pipe, or after it. */
		if
		:: port_bell()
		:: true
		fi
	}

work:
	atomic {
#ifdef BUG_LOOK_FIRST
		peer = seen[p];
#else
		peer = rec[p];
#endif
		if
		:: pos[p] < peer ->
			if
			:: pos[p] = peer
#ifndef WHOLE
			:: pos[p]++
#endif
			fi;
			if
			:: added[p] = added[p] + pos[p] - rung[p]; rung[p] = pos[p]
			:: true
			fi;
			peer = 0;
			goto work
		:: else
		fi;
#ifndef BUG_NOT_RUNG
		/*
		 * The host has found nothing new. It gives all units back (PROTOCOL.rst, Records).
		 */
		added[p] = added[p] + pos[p] - rung[p];
		rung[p] = pos[p];
#endif
		peer = 0;
		p = 0;
		if
		:: port_bell()
		:: true
		fi;
		if
		:: port_pos < port_peer -> goto next
		:: else -> goto look
		fi
	}

waiting:
	atomic {
#ifndef BUG_ELEMENT_KEPT
		port_bell();
#endif
		spins = 1
	}
	atomic { port_rec != port_pos -> spins = 0; port_peer = 0; goto look }
}

/* ---- nothing moves any more, and the senders may never send again ---- */

active proctype rest()
{
	atomic {
		spins && port_rec == port_pos && notes_idle && !port_work && !port_pending &&
		!port_added && !added[0] && !added[1] && !pending[0] && !pending[1] &&
		flight[0] == NONE && flight[1] == NONE &&
		(pos[0] < prod[0] || pos[1] < prod[1]) ->
		assert(pos[0] == prod[0] && pos[1] == prod[1])	/* MESSAGE WAITS */
	}
}
