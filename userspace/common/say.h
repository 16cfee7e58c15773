/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* say.h - keep messages of libbpf, the verifier and drivers until something fails. */
#ifndef SAY_H
#define SAY_H

#include <stdbool.h>

#define SAY_LINE	256

/* Empty the log, and keep the messages that follow. */
void say_begin(void);

/* Print the log to stderr, with its lines indented. */
void say_print(void);

/*
 * Find the line that most likely tells why an operation failed: the last line of a driver, or
 * else the last line of the kernel about an interface, or else the last line of the verifier that
 * is no statistics, or else the last line. false: the log is empty. Empties the log.
 */
bool say_worst(char line[SAY_LINE]);

#endif /* SAY_H */
