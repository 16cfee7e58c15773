/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * routine.h - the functions of a program: who calls whom, and what a call does.
 *
 * Functions are compiled before those that call them. So a caller knows in which registers a function
 * takes its arguments and its return address, and which registers it writes: what else is live stays
 * where it is. Results come in gprA_0 and gprA_1.
 *
 * A function that contexts of several entries run has a frame for each context. Register CTX_BASE has
 * the address of the context's area, in which frames of functions that call each other follow one
 * another, from the callee to the caller. Other frames have fixed addresses.
 */
#ifndef ROUTINE_H
#define ROUTINE_H

#include <llvm-c/Core.h>

#include "encode.h"
#include "mecc.h"

#define CALL_WORDS	8	/* of arguments */
#define AREA_ALIGN	64u

/**
 * struct routine - a function
 * @entries: number of entries that reach it
 * @start: its code address, when it was compiled
 * @param: the registers that get the words of its arguments; EN_NONE: the word is not used
 * @ra: the register that gets the return address
 * @clobbers: registers of bank A and of bank B that it or what it calls writes, a bit each
 * @area: bytes of a context's area that it and what it calls take
 */
struct routine {
	LLVMValueRef fn;
	bool entry;
	unsigned int entries;
	unsigned int start;
	struct en_opnd param[CALL_WORDS], ra;
	uint32_t clobbers[2];
	uint32_t area;
};

/**
 * struct program - all functions, callees first, entries last
 * @calls: there are functions besides the entries
 * @shared: contexts of several entries run one of them
 */
struct program {
	struct routine *r;
	unsigned int n;
	unsigned int entries;
	bool calls;
	bool shared;
	uint32_t area;		/* bytes of each context's area */
	uint32_t areas;		/* address of the first one */
	uint32_t base;		/* address of the area of the entry that is compiled */
};

/* May the function be called, or must it be inlined: by the types of its arguments and its result */
bool routine_callable(LLVMValueRef fn);

void routine_collect(struct program *p, LLVMModuleRef m);
/* Return: the routine that @fn is. */
struct routine *routine_find(struct program *p, LLVMValueRef fn);

/* Does @r call @to? */
bool routine_calls(const struct routine *r, const struct routine *to);

/* Is the function compiled for the frames of the context that runs it? */
static inline bool routine_shared(const struct routine *r)
{
	return r->entries > 1;
}

/* The register with the address of the context's area; registers that code may use without asking */
static inline struct en_opnd ctx_base(void)
{
	return (struct en_opnd){ EN_B, 0, options.gprs - 1 };
}

static inline struct en_opnd scratch(void)
{
	return (struct en_opnd){ EN_A, 0, options.gprs - 1 };
}

#endif /* ROUTINE_H */
