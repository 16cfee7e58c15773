/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perceptron.h - a digit in an image of 8 by 8 pixels: a perceptron 64-32-10 of small
 * integers, so that every machine computes the same.
 */
#ifndef PERCEPTRON_H
#define PERCEPTRON_H

#include <stdint.h>

#define PERCEPTRON_PIXELS	64
#define PERCEPTRON_HIDDEN	32
#define PERCEPTRON_CLASSES	10
#define PERCEPTRON_PIXEL_MAX	16

/* perceptron_weights.c, which train_digits.py writes */
struct perceptron_weights {
	int8_t hidden[PERCEPTRON_HIDDEN][PERCEPTRON_PIXELS];
	int32_t hidden_bias[PERCEPTRON_HIDDEN];
	int8_t out[PERCEPTRON_CLASSES][PERCEPTRON_HIDDEN];
	int32_t out_bias[PERCEPTRON_CLASSES];
	unsigned int shift;	/* bits that a hidden value loses, so that 7 are left */
};

extern const struct perceptron_weights perceptron_weights;

/*
 * Scores of the classes to @score; the class of the greatest, of equal ones the first. Pixels
 * above PERCEPTRON_PIXEL_MAX count as that.
 */
unsigned int perceptron(const uint8_t pixel[PERCEPTRON_PIXELS],
			int32_t score[PERCEPTRON_CLASSES]);

#endif /* PERCEPTRON_H */
