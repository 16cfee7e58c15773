/* refused: the file does not include ncl.h */
// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

int main(void)
{
	return 0;
}
