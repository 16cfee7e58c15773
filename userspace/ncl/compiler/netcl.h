/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* netcl.h - what only NetCL's dialect has. */
#ifndef NCLC_NETCL_H
#define NCLC_NETCL_H

#include "nclc.h"
#include "di.h"

/* Label of the device that a number in _at() names */
const char *device_label(const struct and_net *net, LLVMValueRef number, const struct where *at);
/* Number in _kernel(), checked */
unsigned int kernel_number(const struct kernel *k, LLVMValueRef number);
/* Argument of ncl_device_(), ncl_host_() or ncl_group_(); checked if it is a constant */
LLVMValueRef checked_number(const struct and_net *net, LLVMValueRef call, const char *name);
/*
 * Make static variables of kernels and of _net_ functions variables of the network. Then drop the
 * functions that are not kernels from the list of kernels.
 */
void read_functions(struct program *p);
/* Is @v a const _lookup_ table? It becomes comparisons in the kernel, and gets no map. */
bool is_constant_table(const struct var *v, LLVMValueRef global);
void read_table(struct var *v, di type);

#endif /* NCLC_NETCL_H */
