/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is wrong on this machine, and the command that mends it.
 */
#ifndef RXECTL_EXAM_H
#define RXECTL_EXAM_H

#include "link/links.h"

struct json_object;

enum severity { SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_ERROR };

/**
 * struct exam - what the checks look at, and what they found
 * @links: the rxe devices; empty if there is no RDMA core
 * @rdma_error: -errno of the way to it
 * @check: name of the running check
 * @rows: findings
 * @worst: of all findings; -1 without any
 */
struct exam {
	struct links links;
	int rdma_error;
	const char *check;
	struct json_object *rows;
	int worst;
};

/**
 * doctor_add_finding() - add a finding
 * @remedy: a command that can be pasted into a root shell, or NULL if there is none
 * @fmt: the reason
 */
void doctor_add_finding(struct exam *exam, enum severity severity, const char *remedy,
			const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/**
 * struct check - one thing that may be wrong
 * @name: of the finding, which scripts may go by
 */
struct check {
	const char *name;
	void (*run)(struct exam *exam);
};

/* Each ended by an entry without a name, in the order in which trouble is best removed. */
extern const struct check doctor_system_checks[];
extern const struct check doctor_link_checks[];
extern const struct check doctor_firewall_checks[];

#endif
