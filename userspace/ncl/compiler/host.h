/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* host.h - the hosts' object. */
#ifndef NCLC_HOST_H
#define NCLC_HOST_H

#include "nclc.h"

/* Returns the path of the object, a temporary file. */
char *host_object(struct program *p, const char *desc);

#endif /* NCLC_HOST_H */
