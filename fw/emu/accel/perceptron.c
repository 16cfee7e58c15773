// SPDX-License-Identifier: BSD-2-Clause
/* perceptron.c - a perceptron with layers of 64, 32 and 10, and small integer weights. */
#include "perceptron.h"

static int32_t hidden(const uint8_t *pixel, unsigned int i)
{
	const struct perceptron_weights *w = &perceptron_weights;
	int32_t sum = w->hidden_bias[i];

	for (unsigned int k = 0; k < PERCEPTRON_PIXELS; k++) {
		uint8_t p = pixel[k] < PERCEPTRON_PIXEL_MAX ? pixel[k] : PERCEPTRON_PIXEL_MAX;

		sum += w->hidden[i][k] * p;
	}
	if (sum < 0)
		return 0;
	sum >>= w->shift;
	return sum < INT8_MAX ? sum : INT8_MAX;
}

unsigned int perceptron(const uint8_t pixel[PERCEPTRON_PIXELS],
			int32_t score[PERCEPTRON_CLASSES])
{
	const struct perceptron_weights *w = &perceptron_weights;
	int32_t h[PERCEPTRON_HIDDEN];
	unsigned int best = 0;

	for (unsigned int i = 0; i < PERCEPTRON_HIDDEN; i++)
		h[i] = hidden(pixel, i);
	for (unsigned int c = 0; c < PERCEPTRON_CLASSES; c++) {
		score[c] = w->out_bias[c];
		for (unsigned int i = 0; i < PERCEPTRON_HIDDEN; i++)
			score[c] += w->out[c][i] * h[i];
		if (score[c] > score[best])
			best = c;
	}
	return best;
}
