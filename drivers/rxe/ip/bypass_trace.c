// SPDX-License-Identifier: GPL-2.0
/*
 * Definition of the trace event rxe_bypass.
 */
#include <linux/string.h>

#define CREATE_TRACE_POINTS
#include "ip/bypass_trace.h"
