# SPDX-License-Identifier: GPL-2.0
# What the tests of rxectl are linked with: its sources, but for those that the fake kernel replaces.
program := addition.o apply.o cli.o conf.o doctor.o doctor_firewall.o doctor_link.o doctor_system.o env.o \
	   errors.o extack.o files.o gid.o gids.o link.o links.o load.o map.o mask.o monitor.o \
	   mtu.o nldev.o output.o persist.o plan.o port.o profile.o ready.o refusal.o report.o \
	   resource.o setting.o show.o stats.o status.o terminal.o test.o top.o tune.o watch.o \
	   why.o fake.o
