/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* fdinfo.h - /proc/PID/fdinfo of open channels. */
#ifndef FDINFO_H
#define FDINFO_H

#include <glob.h>
#include "calls.h"

/* Return the number after a key in the fdinfo of @fd, or -2 if there is no such key. */
long fdinfo_number(int fd, const char *key);
bool fdinfo_has(int fd, const char *text);

/* Count the lines of fdinfo that contain @text, for all files of @pid: "self" or "[0-9]*" (all). */
long fdinfo_lines(const char *pid, const char *text);

#endif /* FDINFO_H */
