/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* soak.h - the workers of a soak. */
#ifndef SOAK_H
#define SOAK_H

#include "traffic.h"

#define SOAK_KINDS	25
#define PORT_REQS	4	/* requests outstanding on a port, in each direction */
#define SINK_PART	5000	/* largest part of a stream that is sent at once */
#define READY		3	/* workers that must be ready before frames are sent */
#define WIRE		"wire"	/* name of the worker that sends frames; it has no channel */
#define METER		"flows"	/* the flow meter's channel, whose count is of frames */

extern const struct kind soak_kinds[SOAK_KINDS];

extern atomic_uint *ready;	/* how many of links, flow meter and XDP program are ready; shared memory */

#endif /* SOAK_H */
