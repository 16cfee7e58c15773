#!/bin/sh
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
# check: vm 6.12 7 debug kcsan
# boot:
# Interrupts signal eventfds, epoll works on channels, the host signals ME processes, and the end of
# an ME process reaches the host.
exec build/guest/test/chan_event
