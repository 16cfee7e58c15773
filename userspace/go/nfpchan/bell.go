// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

package nfpchan

// bell stores val to a doorbell, which is a register of the card: one store of
// 32 bits, no load, after all earlier accesses of the program.
//
//go:noescape
func bell(reg *uint32, val uint32)
