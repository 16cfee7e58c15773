/* refused: 8: kernel 'k' has an argument that is passed by value and is no number */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

struct pair {
	uint64_t word[2];
};
_net_ _out_ void k(struct pair b)
{
	if (b.word[0])
		_drop();
}
