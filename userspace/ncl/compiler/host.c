// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* The object of the hosts' code. */
#include "nclc.h"

void host_object(struct program *p, const char *desc)
{
	(void)p;
	(void)desc;
}
