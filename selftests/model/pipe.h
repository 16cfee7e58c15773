/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * pipe.h - the parts that pipes of both directions have, by uapi/PROTOCOL.rst: record, arm
 * register, vector.
 *
 * A byte is a slot. A DMA lands at any time after it has begun. A context of the card is atomic
 * between two waits. A doorbell is in the card's register at once, and the card looks at the
 * register at any later time. This covers posted writes that arrive late, except that a data
 * doorbell does not pass an arm doorbell. An "atomic" sequence has one access to what the other
 * party sees. Its other steps are private.
 */
#ifndef COUNTS
#define COUNTS	8		/* values of the count in the arm register, 2^16 in the ABI */
#endif
#define TOGGLE	COUNTS
#define REGS	(2 * COUNTS)	/* values of the arm register */
#define NONE	255

/* Host memory: the two words of the record, and the control page. irq: the vector was raised. */
byte rec_pos, rec_seq;
byte ctl_pos, ctl_arm;
bit irq;

/*
 * Queue controllers. data_added: units that the host has added, and that the card has not looked
 * at. data_behind: the same, but added after an arm doorbell that the card has not looked at.
 * arm_event: the card has not looked at the arm register. An addition of 0 may cause no event.
 */
byte data_added, data_behind;
byte arm_reg;
bit arm_event;

/* Fields of the card's struct chan_pipe */
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

/* The notes context. choose() chooses what the record shows. It depends on the direction. */
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

/*
 * The library arms (ring.c): it reads and exchanges ctl.arm in one step, then rings the doorbell.
 */
inline user_arm(count)
{
	atomic {
		old = ctl_arm;
		new = (count) % COUNTS + FLIP(old);
		ctl_arm = new
	}
	arm_doorbell()
}

/* The kernel arms (pipe_io.c): it reads ctl.arm, exchanges it later, then rings the doorbell. */
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
