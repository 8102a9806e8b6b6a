/* SPDX-License-Identifier: GPL-2.0 */
/* Framework of the checks of rxectl doctor. */
#ifndef RXECTL_EXAM_H
#define RXECTL_EXAM_H

#include "link/links.h"

struct json_object;

enum severity { SEVERITY_SKIPPED, SEVERITY_INFO, SEVERITY_WARNING, SEVERITY_ERROR };

/**
 * struct exam - input and findings of the checks
 * @links: the rxe devices; empty without ib_core
 * @rdma_error: -errno of listing them
 * @check: name of the running check
 * @rows: findings
 * @worst: highest severity of all findings; -1 without findings
 * @checks: number of checks that have run, without the skipped ones
 * @skipped: number of skipped checks
 * @problems: number of findings of severity warning and error
 */
struct exam {
	struct links links;
	int rdma_error;
	const char *check;
	struct json_object *rows;
	int worst;
	unsigned int checks;
	unsigned int skipped;
	unsigned int problems;
};

/**
 * doctor_add_finding() - add a finding of the running check
 * @exam: the examination
 * @severity: SEVERITY_*
 * @remedy: command for a root shell, or NULL if none is known
 * @fmt: the reason
 */
void doctor_add_finding(struct exam *exam, enum severity severity, const char *remedy,
			const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* Report that the running check cannot be made, and why. */
void doctor_skip(struct exam *exam, const char *why);

/**
 * struct check - a check
 * @name: of its findings; scripts depend on it
 * @run: performs the check
 */
struct check {
	const char *name;
	void (*run)(struct exam *exam);
};

/*
 * Each array ends with an entry without a name. The order is that in which problems should be
 * fixed.
 */
extern const struct check doctor_system_checks[];
extern const struct check doctor_link_checks[];
extern const struct check doctor_firewall_checks[];

/* The UDP port of RoCEv2. */
#define DOCTOR_PORT "4791"

/* Why a check is skipped that needs privileges. */
#define DOCTOR_AS_ROOT "run as root"

/* The check of firewalld, one of doctor_firewall_checks. */
void doctor_check_firewalld(struct exam *exam);

#endif
