/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* digits.h - the images of selftests/data/digits.txt. The perceptron was not trained with them. */
#ifndef DIGITS_H
#define DIGITS_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define DIGITS_FILE	"selftests/data/digits.txt"
#define DIGITS_MAX	450

struct digit {
	unsigned int label;	/* digit that the person wrote */
	unsigned int class;	/* class that NumPy computes with the same weights */
	uint8_t pixel[64];
};

/*
 * Read at most DIGITS_MAX images. @accuracy: share of the images that NumPy classifies correctly.
 */
static inline unsigned int digits_read(struct digit *d, double *accuracy)
{
	FILE *f = fopen(DIGITS_FILE, "r");
	char line[128], text[66];
	unsigned int n = 0;

	while (f && fgets(line, sizeof(line), f) && n < DIGITS_MAX) {
		if (sscanf(line, "# accuracy %lf", accuracy) == 1 || *line == '#')
			continue;
		if (sscanf(line, "%u %u %65s", &d[n].label, &d[n].class, text) != 3 ||
		    strlen(text) != 64)
			break;
		for (unsigned int i = 0; i < 64; i++)
			d[n].pixel[i] = text[i] <= '9' ? text[i] - '0' : text[i] - 'a' + 10;
		n++;
	}
	if (f)
		fclose(f);
	return n;
}

#endif /* DIGITS_H */
