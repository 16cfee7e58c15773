/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* desc_names.h - keywords of a description, indexed by enum value and ended by NULL. */
#ifndef NCL_DESC_NAMES_H
#define NCL_DESC_NAMES_H

extern const char * const desc_kinds[];		/* enum desc_kind */
extern const char * const desc_layouts[];	/* enum desc_layout */

#endif /* NCL_DESC_NAMES_H */
