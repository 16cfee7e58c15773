#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
"""Make the perceptron's weights, and what it says of images that it has not seen.

usage: train_digits.py [--check]

The images are the UCI digits that come with Debian's python3-sklearn. 1347 of them train
a perceptron 64-32-10; its weights become integers of 8 bits, and those classify the other
450. Written are perceptron_weights.c and selftests/data/digits.txt, with the accuracy. The
random numbers begin with a fixed seed, so the same machine makes the same files.

  --check   train nothing: classify with the weights that are there, and compare

Run in the root of NCL, which has the packages:

    scripts/in-root --ncl -- fw/emu/accel/train_digits.py

Exit status: 0, 1 for files that say something else.
"""

import math
import os
import re
import sys

os.environ["OPENBLAS_NUM_THREADS"] = "1"
# pylint: disable=wrong-import-position
import numpy as np
from sklearn.datasets import load_digits

HERE = os.path.dirname(os.path.abspath(__file__))
WEIGHTS = os.path.join(HERE, "perceptron_weights.c")
DIGITS = os.path.join(HERE, "../../../selftests/data/digits.txt")
SEED = 27
UNSEEN = 450
HIDDEN = 32
PIXEL = "0123456789abcdefg"     # a pixel of 0 to 16
HEAD = "# SPDX-" + """License-Identifier: CC-BY-4.0
# Images of fw/emu/accel/train_digits.py that trained nothing, and what the perceptron says:
# the digit, the class, 64 pixels of 0 to 16 (g). Of "Optical Recognition of Handwritten
# Digits", E. Alpaydin and C. Kaynak, UCI Machine Learning Repository, as scikit-learn has it.
"""


def train(x, y):
    """Weights and biases of two layers, by gradient descent with momentum."""
    rng = np.random.default_rng(SEED)
    w1 = rng.normal(0, math.sqrt(2 / 64), (64, HIDDEN))
    w2 = rng.normal(0, math.sqrt(2 / HIDDEN), (HIDDEN, 10))
    params = [w1, np.zeros(HIDDEN), w2, np.zeros(10)]
    speed = [np.zeros_like(p) for p in params]
    want = np.eye(10)[y]
    for epoch in range(200):
        rate = 0.05 * (1 - epoch / 200)
        order = rng.permutation(len(x))
        for at in range(0, len(x), 32):
            some = order[at:at + 32]
            w1, b1, w2, b2 = params
            h = np.maximum(x[some] @ w1 + b1, 0)
            out = h @ w2 + b2
            e = np.exp(out - out.max(1, keepdims=True))
            d2 = (e / e.sum(1, keepdims=True) - want[some]) / len(some)
            d1 = (d2 @ w2.T) * (h > 0)
            slope = [x[some].T @ d1 + 1e-3 * w1, d1.sum(0), h.T @ d2 + 1e-3 * w2, d2.sum(0)]
            for p, v, g in zip(params, speed, slope):
                v *= 0.9
                v -= rate * g
                p += v
    return params


def to_integers(params, x):
    """Convert weights for pixels from 0 to 1 into the integers of struct perceptron_weights."""
    w1, b1, w2, b2 = params
    s1 = 127 / np.abs(w1).max()
    s2 = 127 / np.abs(w2).max()
    q = {"hidden": np.rint(w1.T * s1).astype(int),
         "hidden_bias": np.rint(b1 * s1 * 16).astype(int),
         "out": np.rint(w2.T * s2).astype(int)}
    top = (x @ q["hidden"].T + q["hidden_bias"]).max()
    q["shift"] = max(0, math.ceil(math.log2(top / 127)))
    q["out_bias"] = np.rint(b2 * s2 * s1 * 16 / 2 ** q["shift"]).astype(int)
    return q


def scores(q, x):
    """Compute the scores exactly like perceptron.c, with integers."""
    h = np.maximum(x @ q["hidden"].T + q["hidden_bias"], 0) >> q["shift"]
    return np.minimum(h, 127) @ q["out"].T + q["out_bias"]


def numbers(values):
    lines = []
    for at in range(0, len(values), 16):
        lines.append("\t\t" + ", ".join(str(v) for v in values[at:at + 16]) + ",\n")
    return "".join(lines)


def table(name, rows):
    if rows.ndim == 1:
        return f"\t.{name} = {{\n{numbers(rows)}\t}},\n"
    return f"\t.{name} = {{\n" + "".join(
        "\t\t{\n" + numbers(r).replace("\t\t", "\t\t\t") + "\t\t},\n" for r in rows) + "\t},\n"


def weights_text(q, accuracy):
    return ("// SPDX-" "License-Identifier: BSD-2-Clause\n/*\n"
            " * perceptron_weights.c - written by train_digits.py: do not edit.\n *\n"
            f" * Accuracy on {UNSEEN} images that it has not seen: {accuracy:.4f}\n */\n"
            '#include "perceptron.h"\n\nconst struct perceptron_weights perceptron_weights = {\n'
            + table("hidden", q["hidden"]) + table("hidden_bias", q["hidden_bias"])
            + table("out", q["out"]) + table("out_bias", q["out_bias"])
            + f"\t.shift = {q['shift']},\n}};\n")


def weights_read():
    with open(WEIGHTS, encoding="ascii") as f:
        text = f.read()
    q = {}
    for name, shape in (("hidden", (HIDDEN, 64)), ("hidden_bias", (HIDDEN,)),
                        ("out", (10, HIDDEN)), ("out_bias", (10,))):
        part = re.search(rf"\.{name} = {{(.*?)\n\t}},\n", text, re.S).group(1)
        q[name] = np.array([int(n) for n in re.findall(r"-?\d+", part)]).reshape(shape)
    q["shift"] = int(re.search(r"\.shift = (\d+)", text).group(1))
    return q


def digits_text(images, labels, said, accuracy):
    lines = [f"{d} {c} {''.join(PIXEL[p] for p in i)}\n"
             for i, d, c in zip(images, labels, said)]
    return HEAD + f"# accuracy {accuracy:.4f}\n" + "".join(lines)


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        print(__doc__)
        return 2
    digits = load_digits()
    x, y = digits.data.astype(int), digits.target
    order = np.random.default_rng(SEED).permutation(len(x))
    unseen, seen = order[:UNSEEN], order[UNSEEN:]
    check = bool(sys.argv[1:])
    q = weights_read() if check else to_integers(train(x[seen] / 16, y[seen]), x[seen])
    said = scores(q, x[unseen]).argmax(1)
    accuracy = (said == y[unseen]).mean()
    print(f"accuracy {accuracy:.4f} on {UNSEEN} unseen images, "
          f"{(scores(q, x[seen]).argmax(1) == y[seen]).mean():.4f} on those that trained it")
    bad = 0
    for path, text in ((WEIGHTS, weights_text(q, accuracy)),
                       (DIGITS, digits_text(x[unseen], y[unseen], said, accuracy))):
        if not check:
            with open(path, "w", encoding="ascii") as f:
                f.write(text)
            continue
        with open(path, encoding="ascii") as f:
            if f.read() != text:
                print(f"{path} is not what this program writes")
                bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
