// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* redirect.c - a redirect to another interface */
#include "../programs/diff.h"

SEC("xdp") int redirect(struct xdp_md *ctx)
{
	return bpf_redirect(2, 0);	/* refused: helper */
}
