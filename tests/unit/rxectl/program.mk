# SPDX-License-Identifier: GPL-2.0
# What the tests of rxectl are linked with: its sources, but for those that the fake kernel replaces.
program := apply.o cli.o conf.o doctor.o doctor_firewall.o doctor_link.o doctor_system.o env.o \
	   errors.o extack.o files.o gid.o gids.o link.o links.o map.o mask.o monitor.o mtu.o \
	   nldev.o output.o persist.o plan.o port.o refusal.o report.o resource.o show.o \
	   stats.o status.o watch.o fake.o
