/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * front.h - the board as a device of the vfio-user server.
 */
#ifndef FRONT_H
#define FRONT_H

#include "vfio_user.h"

/*
 * The operations of the board for vfio_user_new() and vfio_user_listen(); their ctx is a struct
 * board.
 */
extern const struct vfio_user_dev front_board;

#endif /* FRONT_H */
