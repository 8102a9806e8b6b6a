/* SPDX-License-Identifier: GPL-2.0 */
/* Why DKMS has built no module for the running kernel. */
#ifndef RXECTL_DOCTOR_DKMS_H
#define RXECTL_DOCTOR_DKMS_H

#include "doctor/exam.h"

/**
 * doctor_report_not_built() - report that the module is not installed for the running kernel
 * @exam: the examination
 * @severity: SEVERITY_*
 * @state: which module is loaded, if any; begins the reason
 * @change: command that loads the module once it is built
 */
void doctor_report_not_built(struct exam *exam, enum severity severity, const char *state,
			     const char *change);

#endif
