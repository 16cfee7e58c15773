# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Sums of floats, computed as sums of integers: blockfloat.h for numpy arrays of float32."""

import numpy as np

BIAS = 150


def blocks(x, size):
    """Return the array with one block in each row. Zeros fill the last row."""
    rows = -(-x.size // size)
    out = np.zeros((rows, size), np.float32)
    out.reshape(-1)[: x.size] = x.reshape(-1)
    return out


def exponents(x):
    """Return an exponent for each block: its floats are below 2 ** (exponent - BIAS)."""
    if not np.isfinite(x).all():
        raise ValueError("a float is not finite")
    largest = np.abs(x).max(axis=1)
    return np.where(largest > 0, np.frexp(largest)[1] + BIAS, 0).astype(np.int32)


def _shift(exponent, workers):
    return (30 - (workers - 1).bit_length() - (exponent - BIAS))[:, None]


def to_int(x, exponent, workers):
    return np.rint(np.ldexp(x.astype(np.float64), _shift(exponent, workers))).astype(np.int32)


def from_int(q, exponent, workers):
    return np.ldexp(q.astype(np.float64), -_shift(exponent, workers)).astype(np.float32)


def add(x, size, workers, largest, total):
    """Return the sum of the arrays of all workers; @x is this worker's array. total() and largest()
    compute the sum and the maximum of an integer array over all workers."""
    b = blocks(x, size)
    e = largest(exponents(b))
    q = total(to_int(b, e, workers).reshape(-1)).reshape(b.shape)
    return from_int(q, e, workers).reshape(-1)[: x.size].reshape(x.shape)
