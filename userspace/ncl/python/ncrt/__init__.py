# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""The hosts' side of NCL programs, which compute in the network: libncrt in Python.

    import numpy, ncrt

    with ncrt.Session("allreduce.ncd", "net.and", "w1", first=1) as nc:
        data = numpy.arange(4096, dtype=numpy.int32)
        nc.out("allreduce", data, back=True)    # now data has the sums
        answer = nc.out_window("calc", ord("+"), 2, 3, 0)
        print(answer["r"])

An array is any object with a contiguous buffer of numbers: a numpy array, array.array, memoryview,
bytearray, or bytes if it is only sent. The library uses the buffer in place; it copies only into
windows. The package needs libncrt.so.0 and Python's standard library.

Failures are OSError with libncrt's errno and text, in the subclass that Python has for it:

    BlockingIOError   EAGAIN     no window is there (timeout 0)
    TimeoutError      ETIMEDOUT  a window was not done in time, or none has come in time
    OSError           EINVAL, EDOM, ENOENT, EHOSTUNREACH, ...: see ncrt.h

TypeError and ValueError are raised for arguments that cannot be passed to the library: an object
without a buffer, floats for an argument of integers. Timeouts are seconds; None has no limit. One
thread of a session may send while another thread receives. Ctrl-C ends each call.
"""

from .abi import ACK, NONE, REPLY
from .session import Session
from .window import Window

__all__ = ["ACK", "NONE", "REPLY", "Session", "Window"]
