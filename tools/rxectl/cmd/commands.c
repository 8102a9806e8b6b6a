// SPDX-License-Identifier: GPL-2.0
/* Table of the objects and commands of the command line. */
#include "cmd/commands.h"

const struct object *const objects[] = {
	&link_object,	&status_object,	 &gids_object, &map_object,    &mtu_object,
	&qp_object,	&mr_object,	 &cq_object,   &pd_object,     &stats_object,
	&top_object,	&monitor_object, &test_object, &doctor_object, &apply_object,
	&diff_object,	&persist_object, &tune_object, &env_object,    &cdi_object,
	&params_object,	 &report_object, NULL,
};

int rxectl(int argc, char **argv, FILE *out, FILE *err)
{
	return cli_run(objects, argc, argv, out, err);
}
