# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# What differs between kernels for the stock nfp driver. Sourced.

# Since 6.13 netdev_alloc_frag() has nothing larger than a page once its chunk of
# 32 KiB is used up (__page_frag_alloc_align()): nfp, which takes receive buffers from
# there, refuses an MTU above 3626 with ENOMEM, and stays as it is.
small_frags() { [ "$(printf '6.13\n%s\n' "$(uname -r)" | sort -V | head -n 1)" = 6.13 ]; }
