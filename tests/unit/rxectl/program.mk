# SPDX-License-Identifier: GPL-2.0
# Objects that the tests of rxectl link: its sources, except those that the fake kernel replaces.
program := cli/args.o cli/cli.o cli/errors.o cli/output.o cli/watch.o cmd/apply.o cmd/cdi.o cmd/commands.o cmd/doctor.o cmd/env.o cmd/gids.o \
	   cmd/hostinfo.o cmd/link.o cmd/map.o cmd/metrics.o cmd/monitor.o cmd/mtu.o cmd/params.o cmd/persist.o cmd/report.o cmd/resource.o \
	   cmd/stats.o cmd/status.o cmd/test.o cmd/top.o cmd/tune.o config/conf.o config/plan.o \
	   config/profile.o config/setting.o doctor/dkms.o doctor/exam.o doctor/firewall.o doctor/firewalld.o doctor/link.o \
	   doctor/system.o link/create.o link/diagnose.o link/gid_owner.o link/links.o link/sample.o link/show.o \
	   link/wait.o sys/distro.o sys/extack.o sys/gid.o sys/gid_table.o sys/modprobe.o sys/nldev.o sys/mtu_calc.o sys/pmtu.o sys/port_names.o util/errbuf.o \
	   util/files.o util/redact.o util/terminal.o fake.o
