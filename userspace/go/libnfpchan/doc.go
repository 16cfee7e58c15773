// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

// Package libnfpchan is the C library of that name for Go: it opens each card that
// the C library does, "bpf:eth0" among them, whose channels are maps of the XDP program
// that the interface has on the card.
//
// It needs cgo, a C compiler and libnfpchan (pkg-config libnfpchan), where package
// nfpchan needs none of them. Without cgo the package is empty.
package libnfpchan
