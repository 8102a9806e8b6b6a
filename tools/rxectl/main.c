// SPDX-License-Identifier: GPL-2.0
/* rxectl: creates, shows and diagnoses rxe links. */
#include "cmd/commands.h"

int main(int argc, char **argv)
{
	return rxectl(argc, argv, stdout, stderr);
}
