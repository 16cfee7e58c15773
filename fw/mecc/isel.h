/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * isel.h - choose operations for the instructions of an LLVM function.
 *
 * A number of up to 32 bits is in one virtual register, with zeros above its width. One of 33 to 64
 * bits is in two, the low word in the first. A pointer is a number of 32 bits: an address in local
 * memory in bytes, or the low word of an address in EMEM.
 */
#ifndef ISEL_H
#define ISEL_H

#include "mir.h"
#include "place.h"

struct sel {
	struct mfunc *f;
	struct objects *objs;
	LLVMValueRef fn;
	struct mblock *b;	/* where operations are added */
	unsigned int nb;	/* its number */
	struct where at;	/* of the LLVM instruction */
	struct en_opnd ra;	/* the return address */
	struct sel_value {
		LLVMValueRef v;
		unsigned int reg;
	} *map;			/* hash table of LLVM values and their registers */
	unsigned int slots;
	LLVMBasicBlockRef *ir;	/* LLVM blocks, by number */
	struct {
		bool set;
		unsigned int p;	/* register that has the address, plus 1; 0: none */
		uint32_t at;	/* bytes from there */
	} lm0;			/* local memory pointer 0 */
};

/* A number in one or two operands. An operand is a virtual register, or an immediate of 8 bits. */
struct num {
	unsigned int width;
	struct en_opnd lo, hi;
};

/**
 * struct access - memory that a load or a store refers to
 * @fixed: it is at address @addr of local memory
 * @p: else, a register that has the address
 * @known: bits 1:0 of the address are known, and are in @addr
 */
struct access {
	enum space space;
	bool fixed;
	bool known;
	uint32_t addr;
	unsigned int align;
	struct en_opnd p;
};

struct mfunc *isel_function(struct program *p, struct routine *r, struct objects *objs);

/* isel.c: helpers of the other files */
unsigned int sel_width(struct sel *s, LLVMTypeRef t);
struct en_opnd sel_reg(struct sel *s);
struct num sel_value(struct sel *s, LLVMValueRef v);
struct num sel_result(struct sel *s, LLVMValueRef inst);
struct minsn *sel_add(struct sel *s, struct minsn in);
struct en_opnd sel_imm(struct sel *s, uint32_t v);	/* an immediate of 8 bits or a register */
struct en_opnd sel_in_reg(struct sel *s, struct en_opnd o);
void sel_mov(struct sel *s, struct en_opnd d, struct en_opnd v);
void sel_alu(struct sel *s, struct en_opnd d, struct en_opnd a, enum en_alu op, struct en_opnd b);
void sel_shift(struct sel *s, struct en_opnd d, struct en_opnd v, enum en_sc sc, unsigned int n);
void sel_clean(struct sel *s, struct en_opnd d, struct en_opnd v, unsigned int width);
struct en_opnd sel_sext(struct sel *s, struct en_opnd v, unsigned int width);

/* isel_wide.c */
void sel_wide(struct sel *s, LLVMValueRef inst);

/* isel_mul.c. @v is a number of 32 bits, and @of the number that it was made from, or NULL. */
void sel_mul(struct sel *s, struct en_opnd d, LLVMValueRef a, LLVMValueRef b);
void sel_mul_const(struct sel *s, struct en_opnd d, struct en_opnd v, LLVMValueRef of, uint32_t by);

/* isel_cmp.c */
void sel_compare(struct sel *s, LLVMValueRef inst);
void sel_select(struct sel *s, LLVMValueRef inst);
void sel_branch(struct sel *s, LLVMValueRef inst);

/* isel_mem.c */
/* Keep commands away from the transfer registers that the program reads by their numbers. */
void sel_keep_xfers(LLVMModuleRef m, const struct objects *objs);
void sel_load(struct sel *s, LLVMValueRef inst);
void sel_store(struct sel *s, LLVMValueRef inst);
void sel_gep(struct sel *s, LLVMValueRef inst);
struct access sel_access(struct sel *s, LLVMValueRef p, unsigned int align);
/* Return: the address of byte @at of the access, in a register. */
struct en_opnd sel_pointer(struct sel *s, const struct access *a, unsigned int at);
/* Return: the word of local memory in which byte @at of the access is. */
struct en_opnd sel_lm_word(struct sel *s, const struct access *a, unsigned int at);

/* isel_emem.c. A number of @bytes bytes; a copy or fill of whole words. */
void sel_emem_load(struct sel *s, const struct access *a, struct num d, unsigned int bytes);
void sel_emem_store(struct sel *s, const struct access *a, struct num v, unsigned int bytes);
void sel_copy(struct sel *s, LLVMValueRef inst);
/* A command on @units units from byte @at of the access, with registers from $xfer_@first on */
void sel_command(struct sel *s, enum en_cmd cmd, const struct access *a, unsigned int at,
		 unsigned int units, unsigned int first);

/* isel_call.c */
void sel_call(struct sel *s, LLVMValueRef call);
void sel_params(struct sel *s);
void sel_return(struct sel *s, LLVMValueRef inst);

#endif /* ISEL_H */
