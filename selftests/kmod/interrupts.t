#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# boot:
# MSI-X to eventfd, epoll, signals to ME processes, the end of one.
exec build/guest/test/chan_event
