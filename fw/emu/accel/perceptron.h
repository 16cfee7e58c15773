/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perceptron.h - recognises the digit in an image of 8 by 8 pixels. The perceptron has layers of
 * 64, 32 and 10. It computes with integers, so the result is the same on every machine.
 */
#ifndef PERCEPTRON_H
#define PERCEPTRON_H

#include <stdint.h>

#define PERCEPTRON_PIXELS	64
#define PERCEPTRON_HIDDEN	32
#define PERCEPTRON_CLASSES	10
#define PERCEPTRON_PIXEL_MAX	16

/* perceptron_weights.c has the weights; train_digits.py writes that file */
struct perceptron_weights {
	int8_t hidden[PERCEPTRON_HIDDEN][PERCEPTRON_PIXELS];
	int32_t hidden_bias[PERCEPTRON_HIDDEN];
	int8_t out[PERCEPTRON_CLASSES][PERCEPTRON_HIDDEN];
	int32_t out_bias[PERCEPTRON_CLASSES];
	unsigned int shift;	/* right shift of a hidden value, which leaves 7 bits */
};

extern const struct perceptron_weights perceptron_weights;

/*
 * Write the scores of the classes to @score. Return the class with the greatest score, the first
 * one if scores are equal. Pixels above PERCEPTRON_PIXEL_MAX are reduced to it.
 */
unsigned int perceptron(const uint8_t pixel[PERCEPTRON_PIXELS],
			int32_t score[PERCEPTRON_CLASSES]);

#endif /* PERCEPTRON_H */
