// SPDX-License-Identifier: GPL-2.0-only
/*
 * trace.c - the bodies of the tracepoints.
 */
#ifndef __CHECKER__
#define CREATE_TRACE_POINTS
#include "trace.h"
#endif
