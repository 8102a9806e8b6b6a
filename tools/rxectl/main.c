// SPDX-License-Identifier: GPL-2.0
#include "cmd/commands.h"

int main(int argc, char **argv)
{
	return rxectl(argc, argv, stdout, stderr);
}
