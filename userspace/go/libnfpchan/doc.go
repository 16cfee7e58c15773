// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

// Package libnfpchan is the C library libnfpchan for Go. It opens every card that
// the C library opens. One of these is "bpf:eth0", whose channels are maps of the
// XDP program that the interface has on the card.
//
// The package needs cgo, a C compiler and libnfpchan (pkg-config libnfpchan).
// Package nfpchan needs none of these. Without cgo this package is empty.
package libnfpchan
