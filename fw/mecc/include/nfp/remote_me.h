/* SPDX-License-Identifier: BSD-2-Clause */
/* nfp/remote_me.h - reflect commands: none is supported yet. The managers of channels need them. */
#ifndef NFP_REMOTE_ME_H
#define NFP_REMOTE_ME_H

#include <nfp.h>

#endif /* NFP_REMOTE_ME_H */
