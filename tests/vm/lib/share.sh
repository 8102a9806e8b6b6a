# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For cases in which host b mounts a directory of host a by a protocol of the kernel over RDMA. Needs storage.sh. The
# case has these functions:
#   serve       makes host a offer $exported
#   mount_it    mounts it on $mounted of host b

tree=${tree:-/usr/share/perl5}
# MiB of the file.
large=${large:-16}
exported=${exported:-/run/export}
mounted=${mounted:-/run/mnt}

# shellcheck disable=SC2016 # the inner shell's
# Writes the tree and a large file, drops the caches, and reads them again.
copy='set -e; cd "$1"; rm -rf tree; cp -rL "$0" tree; cp /run/large large; sync
	echo 3 >/proc/sys/vm/drop_caches; diff -r "$0" tree; cmp /run/large large; rm large'

# exchange COMMAND...: does so while COMMAND disturbs it.
exchange()
{
	during "$@" -- sh -c "$copy" "$tree" "$mounted"
}

# load_start: writes of files that go on, also after errors, until load_stop.
load_start()
{
	host_b rm -f /run/load.stop
	# shellcheck disable=SC2016 # the inner shell's
	host_b timeout -k 1 "$storage_limit" sh -c 'until [ -e /run/load.stop ]; do
		cp /run/large "$0/load" && cat "$0/load" >/dev/null; done' "$mounted" >"$OUT/load" 2>&1 &
	load=$!
	wait_for 60 grows "$exported/load"
}

# grows FILE: true if the file on host a is there, and not empty.
grows()
{
	[[ -s $1 ]]
}

load_stop()
{
	host_b touch /run/load.stop
	wait_for 120 ended "$load"
	wait "$load" || true
	rm -f "$exported/load"
}

unmount()
{
	host_b timeout 120 umount "$@" "$mounted"
}

share_case()
{
	[[ $# -gt 0 ]] || set -- plain loss flap disconnect delete_b delete_a
	host_b sh -ec "head -c ${large}M /dev/urandom >/run/large"
	step "serving"
	serve
	step "mounting"
	mount_it
	parts "$@"
	step "unmounting"
	unmount
}

part_disconnect()
{
	step "unmounting under load"
	load_start
	unmount -l
	load_stop
	mount_it
	exchange true
}

# delete_device a|b: deletes the RDMA device of that host under load, and adds it again. Then the mount must be of use
# again, or a new one.
delete_device()
{
	load_start
	device_del "$1"
	device_add "$1"
	load_stop
	step "the load has ended"
	exchange true
}
