/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fw_edit.h - change a firmware file in memory, and write it.
 *
 * A file that was not changed is written with the bytes that it had. The writer knows one layout,
 * that of the vendor's files: ELF header, section headers, and the sections' contents in the order
 * of their numbers, each aligned to 8 bytes.
 *
 * Functions return 0, or a negative errno: ENOMEM, or what is said at the function. If one fails,
 * close the image.
 */
#ifndef FW_EDIT_H
#define FW_EDIT_H

#include "fw_image.h"

/* Replace the contents of a section by a copy of @data. NULL: @size bytes of zeros, not stored. */
int fw_edit_set(struct fw_image *img, struct fw_section *s, const void *data, uint64_t size);
/* Get the contents of a section to write to. Return: NULL without memory. */
uint8_t *fw_edit_data(struct fw_image *img, struct fw_section *s);
/*
 * Add a section behind the others, with a copy of the name and the contents of @new. It moves
 * img->section. *@number: the number of the section.
 */
int fw_edit_add(struct fw_image *img, const struct fw_section *new, unsigned int *number);

/* Make the file. The caller frees *@bytes. EINVAL with a reason: the file has an unknown layout. */
int fw_edit_bytes(const struct fw_image *img, uint8_t **bytes, size_t *len, char *err,
		  size_t errlen);

/* ---- symbols: fw_edit_syms.c ---- */

/*
 * Remove the run-time symbols in the local memory of a microengine. The ELF symbols of its sections
 * become empty.
 */
int fw_edit_drop_syms(struct fw_image *img, unsigned int island, unsigned int me);
/* Add run-time symbols, which must not exist yet. */
int fw_edit_add_syms(struct fw_image *img, const struct fw_sym *sym, unsigned int n);
/* Give a run-time symbol in EMEM another place and size. */
int fw_edit_move_sym(struct fw_image *img, const char *name, uint64_t addr, uint64_t size);
/*
 * Move the tables of run-time symbols to address @addr of the MIP's island. The MIP gets the
 * addresses and sizes, and @name.
 */
int fw_edit_mip(struct fw_image *img, uint64_t addr, const char *name);
/* Bytes that both tables need together. The table of names begins at a multiple of 16. */
uint64_t fw_edit_syms_size(const struct fw_image *img);

#endif /* FW_EDIT_H */
