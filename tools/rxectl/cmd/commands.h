/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Table of all objects of the command line, and the entry point that runs one.
 */
#ifndef RXECTL_COMMANDS_H
#define RXECTL_COMMANDS_H

#include "cli/cli.h"

/* Each is defined in the file of its command. */
extern const struct object apply_object, cdi_object, cq_object, diff_object, doctor_object,
	env_object, gids_object, link_object, map_object, monitor_object, mr_object,
	mtu_object, params_object, pd_object, persist_object, qp_object, report_object,
	stats_object, status_object, test_object, top_object, tune_object;

/* All objects in the order of the help text; NULL ends the array. */
extern const struct object *const objects[];

/**
 * rxectl() - run one command line
 * @argc: number of elements of @argv
 * @argv: the program's name, options, and [OBJECT [COMMAND] [ARGUMENTS]]
 * @out: receives results
 * @err: receives errors and hints
 *
 * Return: the exit status.
 */
int rxectl(int argc, char **argv, FILE *out, FILE *err);

#endif
