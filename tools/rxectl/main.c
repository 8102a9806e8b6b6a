// SPDX-License-Identifier: GPL-2.0
#include "cli/cli.h"

int main(int argc, char **argv)
{
	return rxectl(argc, argv, stdout, stderr);
}
