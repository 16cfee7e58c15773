# shellcheck shell=bash
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# Differences of the stock nfp driver between kernels. Tests source this file.

# Since 6.13 netdev_alloc_frag() returns no more than a page once its chunk of 32 KiB is used up
# (__page_frag_alloc_align()). nfp allocates receive buffers with it, so nfp refuses an MTU above
# 3626 with ENOMEM, and keeps the old MTU.
small_frags() { [ "$(printf '6.13\n%s\n' "$(uname -r)" | sort -V | head -n 1)" = 6.13 ]; }
