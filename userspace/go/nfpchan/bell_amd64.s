// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

#include "textflag.h"

// The ring is write-back memory, the doorbell is not. amd64 keeps stores in
// program order between the two (SDM vol. 3, 9.2.2), and loads before stores.
//
// func bell(reg *uint32, val uint32)
TEXT ·bell(SB), NOSPLIT, $0-12
	MOVQ	reg+0(FP), AX
	MOVL	val+8(FP), CX
	MOVL	CX, (AX)
	RET
