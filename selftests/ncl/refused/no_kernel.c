/* refused: the file has no outgoing kernel */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
#include <ncl.h>

int main(void)
{
	return 0;
}
