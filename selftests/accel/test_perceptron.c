// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_perceptron.c - the classifier gives each image the class that NumPy computes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "digits.h"
#include "perceptron.h"

static struct digit digits[DIGITS_MAX];

static void as_numpy(void **state)
{
	int32_t score[PERCEPTRON_CLASSES];
	unsigned int right = 0, n;
	double accuracy = 0;

	n = digits_read(digits, &accuracy);
	assert_int_equal(n, DIGITS_MAX);
	for (unsigned int i = 0; i < n; i++) {
		unsigned int class = perceptron(digits[i].pixel, score);

		assert_int_equal(class, digits[i].class);
		right += class == digits[i].label;
	}
	print_message("# %u of %u images are what their writers meant\n", right, n);
	assert_true(fabs((double)right / n - accuracy) < 0.0001);
	assert_true(accuracy > 0.97);
}

/*
 * The class has the largest score. A pixel above PERCEPTRON_PIXEL_MAX counts as
 * PERCEPTRON_PIXEL_MAX.
 */
static void scores(void **state)
{
	int32_t a[PERCEPTRON_CLASSES], b[PERCEPTRON_CLASSES];
	uint8_t bright[PERCEPTRON_PIXELS], wrong[PERCEPTRON_PIXELS];
	unsigned int class;

	memset(bright, PERCEPTRON_PIXEL_MAX, sizeof(bright));
	memset(wrong, 0xff, sizeof(wrong));
	class = perceptron(bright, a);
	assert_true(class < PERCEPTRON_CLASSES);
	for (unsigned int c = 0; c < PERCEPTRON_CLASSES; c++)
		assert_true(c < class ? a[c] < a[class] : a[c] <= a[class]);
	assert_int_equal(perceptron(wrong, b), class);
	assert_memory_equal(a, b, sizeof(a));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_numpy),
		cmocka_unit_test(scores),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
