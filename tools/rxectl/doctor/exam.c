// SPDX-License-Identifier: GPL-2.0
/* Framework of the checks of rxectl doctor: findings. */
#include <json-c/json.h>
#include <stdarg.h>
#include <stdio.h>

#include "cli/output.h"
#include "doctor/exam.h"

static const char *const severities[] = {
	[SEVERITY_SKIPPED] = "skipped",
	[SEVERITY_INFO] = "info",
	[SEVERITY_WARNING] = "warning",
	[SEVERITY_ERROR] = "error",
};

void doctor_add_finding(struct exam *exam, enum severity severity, const char *remedy,
			const char *fmt, ...)
{
	struct json_object *row = json_object_new_object();
	char reason[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(reason, sizeof(reason), fmt, ap);
	va_end(ap);
	json_object_object_add(row, "severity", json_object_new_string(severities[severity]));
	json_object_object_add(row, "check", json_object_new_string(exam->check));
	json_object_object_add(row, "reason", json_object_new_string(reason));
	json_object_object_add(row, "remedy", output_string(remedy));
	json_object_array_add(exam->rows, row);
	if ((int)severity > exam->worst)
		exam->worst = severity;
	exam->problems += severity >= SEVERITY_WARNING;
}

void doctor_skip(struct exam *exam, const char *why)
{
	doctor_add_finding(exam, SEVERITY_SKIPPED, NULL, "%s", why);
	exam->skipped++;
}
