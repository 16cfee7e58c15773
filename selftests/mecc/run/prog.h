/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * prog.h - what test programs of mecc include.
 *
 * An entry is a function void NAME(void) that reads in[] and writes out[]. ENTRIES(X) of the
 * program lists the entries.
 */
#ifndef PROG_H
#define PROG_H

#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#ifndef __MECC__
#define __emem
#define __lmem
#endif

u32 in[8], out[8];

#endif /* PROG_H */
