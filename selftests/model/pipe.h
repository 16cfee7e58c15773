/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * pipe.h - what both directions of a pipe have: record, arm register, vector, by
 * uapi/PROTOCOL.rst.
 *
 * Bytes are single slots, a DMA lands at any time after it was begun, contexts
 * of the card are atomic between two waits. Doorbells are in the card's
 * registers at once, and it looks at them at any time later, which is what
 * posted writes come to; but room given back does not overtake an arm. A
 * sequence that is "atomic" is one access to what others see, with steps of
 * its own around it.
 */
#ifndef COUNTS
#define COUNTS	8		/* values of an arm's count, 2^16 in the ABI */
#endif
#define TOGGLE	COUNTS
#define REGS	(2 * COUNTS)	/* values of the arm register */
#define NONE	255

/* Host memory: the record's two words, the control page; what the vector woke. */
byte rec_pos, rec_seq;
byte ctl_pos, ctl_arm;
bit irq;

/*
 * Queue controllers: what was added and not been looked at, of the data queue
 * also what is behind an arm. Who adds 0 may cause no event.
 */
byte data_added, data_behind;
byte arm_reg;
bit arm_event;

/* struct chan_pipe */
byte prod, cons, arm_seq, shown_seq;
bit armed, note_pending, fire_pending;
bit notes_idle = 1;

inline raise_vector()
{
	assert(rec_seq % COUNTS != arm_seq);	/* VECTOR */
	armed = 0;
	arm_seq = 0;
	irq = 1
}

inline fire()
{
	if
	:: armed && shown_seq % COUNTS != arm_seq -> raise_vector()
	:: else
	fi
}

inline data_doorbell(n)
{
	if
	:: arm_event -> data_behind = data_behind + n
	:: else -> data_added = data_added + n
	fi
}

inline arm_taken()
{
	arm_event = 0;
	data_added = data_added + data_behind;
	data_behind = 0;
	arm_seq = arm_reg % COUNTS;
	armed = 1;
#ifndef BUG_ARM_UNCHECKED
	fire_pending = 1
#endif
}

/* The notes context. What it shows is chosen by choose(), of the direction. */
inline notes_loop()
{
	do
	:: atomic {
		fire_pending ->
		fire_pending = 0;
		fire()
	   }
	:: atomic {
		note_pending ->
		note_pending = 0;
		notes_idle = 0;
#ifndef BUG_FIRE_SKIPPED
		fire();
#endif
		choose(npos, nseq);
#ifdef BUG_EARLY_VECTOR
		shown_seq = nseq;
		fire()
#endif
	   }
#ifdef BUG_WORDS_SWAPPED
	   rec_seq = nseq;
	   rec_pos = npos;
#else
	   rec_pos = npos;
	   rec_seq = nseq;
#endif
	   atomic {
		shown_seq = nseq;
		npos = 0;
		nseq = 0;
		fire();
		notes_idle = 1
	   }
	od
}

/* ---- the host arms ---- */

#ifdef BUG_NO_TOGGLE
#define FLIP(word)	0
#else
#define FLIP(word)	(TOGGLE - (word) / TOGGLE * TOGGLE)
#endif

inline arm_doorbell()
{
	atomic {
		arm_reg = (arm_reg + REGS + new - old) % REGS;
		arm_event = arm_event || new != old;
		old = 0;
		new = 0
	}
}

/* ring.c: compare and exchange, then the doorbell. */
inline user_arm(count)
{
	atomic {
		old = ctl_arm;
		new = (count) % COUNTS + FLIP(old);
		ctl_arm = new
	}
	arm_doorbell()
}

/* pipe_io.c: an exchange for a bit that was read before. */
inline kernel_arm(count)
{
	new = (count) % COUNTS + FLIP(ctl_arm);
#ifdef BUG_ARM_NOT_EXCHANGED
	old = ctl_arm;
	ctl_arm = new;
#else
	atomic {
		old = ctl_arm;
		ctl_arm = new
	}
#endif
	arm_doorbell()
}
