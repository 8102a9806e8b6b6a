/* SPDX-License-Identifier: GPL-2.0 */
/*
 * GIDs: repair of the GID table of a device.
 */
#ifndef RXE_GIDS_H
#define RXE_GIDS_H

struct rxe_dev;

/*
 * Add missing GIDs after each change of the table, from now on; end that. The second waits for a
 * running scan, which takes RTNL. Context: process; may sleep.
 */
void rxe_gids_watch(struct rxe_dev *dev);
void rxe_gids_unwatch(struct rxe_dev *dev);

#endif
