# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""The hosts' side of NCL programs, which compute in the network: libncrt in Python.

    import numpy, ncrt

    with ncrt.Session("allreduce.ncd", "net.and", "w1", first=1) as nc:
        data = numpy.arange(4096, dtype=numpy.int32)
        nc.out("allreduce", data, back=True)    # the sums are in data now

        answer = nc.out_window("calc", ord("+"), 2, 3, 0)
        print(answer["r"])

Arrays are whatever has a buffer of numbers in one piece: numpy arrays, array.array,
memoryview, bytearray, and for what is only sent bytes. They are used where they are;
nothing is copied but into windows. Needs libncrt.so.0, and of Python the standard library.

Failures are OSError with libncrt's errno and text, in the subclass that Python has for it:

    BlockingIOError   EAGAIN     no window is there (timeout 0)
    TimeoutError      ETIMEDOUT  a window was not done, or none has come, in time
    OSError           EINVAL, EDOM, ENOENT, EHOSTUNREACH, ...: see ncrt.h

TypeError and ValueError are about arguments that do not reach the library: an object
without a buffer, floats for an argument of integers. Timeouts are seconds; None waits for
ever. One thread of a session may send while another receives. Ctrl-C ends each call.
"""

from .abi import ACK, NONE, REPLY
from .session import Session
from .window import Window

__all__ = ["ACK", "NONE", "REPLY", "Session", "Window"]
