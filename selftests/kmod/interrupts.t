#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# boot:
# MSI-X interrupts to eventfds, epoll, signals to ME processes, an ME process that ends.
exec build/guest/test/chan_event
