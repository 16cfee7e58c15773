// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan

// bell stores val to a doorbell, a register of the card: once, in 32 bits,
// without a read, and after everything that comes before it in the program.
//
//go:noescape
func bell(reg *uint32, val uint32)
