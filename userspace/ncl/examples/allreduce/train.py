#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Logistic regression on handwritten digits, data-parallel: each worker has a part of the
images, and the network adds the gradients.

    train.py --number 1         the first of four workers; NCL_PROGRAM, NCL_AND, NCL_HOST
    train.py --alone            one machine that adds the same integers itself

Each worker has each fourth image. The last line is a hash of the weights: it is the same for all
workers, and for one machine."""

import argparse
import gzip
import hashlib
import importlib.util
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# pylint: disable=wrong-import-position
import numpy as np  # noqa: E402

import blockfloat  # noqa: E402

BLOCK = 16  # integers in a window of allreduce.c
SLOTS = 16
ADD, LARGEST = 0, 1
CLASSES = 10


def digits():
    """Return images of 8 x 8 pixels from 0 to 1, each followed by a 1, and the digits that they show."""
    spec = importlib.util.find_spec("sklearn")  # its data; it is not imported
    path = os.path.join(spec.submodule_search_locations[0], "datasets/data/digits.csv.gz")
    with gzip.open(path, "rt") as f:
        rows = np.loadtxt(f, delimiter=",", dtype=np.float32)
    x = np.hstack([rows[:, :-1] / 16, np.ones((len(rows), 1), np.float32)])
    return x, rows[:, -1].astype(int)


def gradient(weights, x, y):
    score = x @ weights
    p = np.exp(score - score.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    p[np.arange(len(y)), y] -= 1
    return x.T @ p


def train(steps, rate, count, add):
    """Return the weights after @steps steps. add() computes the sum of a gradient over workers."""
    weights = np.zeros((65, CLASSES), np.float32)
    for _ in range(steps):
        weights -= np.float32(rate / count) * add(weights)
    return weights


def alone(workers, part):
    """Compute the sum on one machine, from the integers that the workers would send."""

    def add(weights):
        b = [blockfloat.blocks(gradient(weights, *part(w)), BLOCK) for w in range(workers)]
        e = np.max([blockfloat.exponents(x) for x in b], axis=0)
        q = np.sum([blockfloat.to_int(x, e, workers) for x in b], axis=0, dtype=np.int32)
        return blockfloat.from_int(q, e, workers).reshape(-1)[: weights.size].reshape(weights.shape)

    return add


def network(nc, workers, own):
    """Compute the sum in the network, of this worker's gradient and those of the other workers."""

    def reduce(op, data):
        data = np.ascontiguousarray(data, np.int32)
        nc.out("allreduce", op, data, back=True, quiet=True, pad=True, slots=SLOTS, timeout=60)
        return data

    def add(weights):
        return blockfloat.add(gradient(weights, *own), BLOCK, workers,
                              lambda e: reduce(LARGEST, e), lambda q: reduce(ADD, q))

    return add


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--workers", type=int, default=4)
    p.add_argument("--number", type=int, default=1, help="of this worker, from 1")
    p.add_argument("--first", type=int, default=0, help="number of the first invocation")
    p.add_argument("--steps", type=int, default=20)
    p.add_argument("--rate", type=float, default=2.0)
    p.add_argument("--alone", action="store_true")
    args = p.parse_args()
    x, y = digits()

    def part(worker):
        return x[worker :: args.workers], y[worker :: args.workers]

    if args.alone:
        weights = train(args.steps, args.rate, len(y), alone(args.workers, part))
        name = "one machine"
    else:
        import ncrt  # pylint: disable=import-outside-toplevel

        with ncrt.Session(first=args.first) as nc:
            weights = train(args.steps, args.rate, len(y),
                            network(nc, args.workers, part(args.number - 1)))
            name = nc.label(nc.node())
    right = np.mean((x @ weights).argmax(axis=1) == y)
    print(f"{name}: {args.steps} steps, {right:.1%} of {len(y)} digits are read right")
    print(hashlib.sha256(weights.tobytes()).hexdigest())


if __name__ == "__main__":
    main()
