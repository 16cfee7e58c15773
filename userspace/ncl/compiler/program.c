// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* Read kernels, variables and window fields from the module of the user's file. */
#include "types.h"
#include "annotate.h"
#include "kernels.h"
#include "vars.h"
#include "program.h"

#define OWN_FIELDS	5	/* index of the first member after 'to' in struct ncl_window */

/* Read the program's own fields of the window (NCL_WINDOW). */
static void read_fields(struct program *p)
{
	LLVMValueRef global = LLVMGetNamedGlobal(p->module, "ncl_window_type_");
	di var = global ? di_of_global(global) : NULL;
	di type = var ? di_peel(di_operand(var, DI_VAR_TYPE)) : NULL;
	di list = di_operand(type, DI_TYPE_ELEMENTS);
	unsigned int i, off = 0;

	if (!list)
		fail(EXIT_REFUSED, "%s: the file does not include ncl.h", options.file);
	for (i = OWN_FIELDS; i < di_operands(list); i++) {
		di member = di_operand(list, i);
		struct field *f = grow(&p->field, &p->fields, sizeof(*f));

		f->name = di_string(member, DI_NAME);
		if (!type_of(di_operand(member, DI_TYPE_BASE), &f->type) || f->type.kind == BYTES)
			refuse(NULL, "field '%s' of NCL_WINDOW is no number; a field must be one", f->name);
		f->offset = off = (off + f->type.align - 1) / f->type.align * f->type.align;
		off += f->type.size;
	}
}

void program_check(const struct program *p)
{
	unsigned int i;

	for (i = 0; i < p->kernels; i++)
		if (p->kernel[i].out && !p->kernel[i].places)
			refuse(&p->kernel[i].at, "kernel '%s' runs at no device, because no device has all its variables: give variables and kernels the same _at_()",
			       p->kernel[i].name);
}

void program_read(struct program *p)
{
	annotate_all(p);
	read_fields(p);
	kernels_read(p);
	vars_read(p);
}
