/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * front.h - the board as a device of the vfio-user server.
 */
#ifndef FRONT_H
#define FRONT_H

#include "vfio_user.h"

/* For vfio_user_new() and vfio_user_listen(); the device is a struct board. */
extern const struct vfio_user_dev front_board;

#endif /* FRONT_H */
