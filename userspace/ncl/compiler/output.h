/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* output.h - the files that nclc writes. */
#ifndef NCLC_OUTPUT_H
#define NCLC_OUTPUT_H

#include <stddef.h>

/* Add a file to those that output_write() writes: @data, or a copy of the file @from. */
void output_add(char *path, char *data, size_t len);
void output_copy(char *path, const char *from);
/* Make the folder of the output, and those above it. */
void output_folder(void);
/* Write all files. After a failure none is left. */
void output_write(void);

#endif /* NCLC_OUTPUT_H */
