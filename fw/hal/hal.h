/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * hal.h - the firmware of this tree as a board runs it.
 */
#ifndef HAL_H
#define HAL_H

#include "board_fw.h"

/*
 * For board_create(). The firmware's memory is that of the process, so one
 * board at a time runs it; a start before the last one was stopped ends the
 * program.
 */
extern const struct board_fw hal_firmware;

#endif /* HAL_H */
