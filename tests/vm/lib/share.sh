# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For cases in which host b mounts a directory of host a by a protocol of the kernel over RDMA. Needs storage.sh. The
# case has these functions:
#   serve       makes host a offer /run/export
#   mount_it    mounts it on /run/mnt of host b
# and, if there is something to do when a device is added again after its deletion, under load:
#   $serve_again a|b

tree=${tree:-/usr/share/perl5}
# MiB of the file.
large=${large:-16}

# shellcheck disable=SC2016 # the inner shell's
# Writes the tree and a large file, drops the caches, and reads them again.
copy='set -e; rm -rf /run/mnt/tree; cp -rL "$0" /run/mnt/tree; cp /run/large /run/mnt/large; sync
	echo 3 >/proc/sys/vm/drop_caches; diff -r "$0" /run/mnt/tree; cmp /run/large /run/mnt/large
	rm /run/mnt/large'

copied()
{
	during "$@" -- sh -c "$copy" "$tree"
}

# load_start: writes of files that go on, also after errors, until load_stop.
load_start()
{
	host_b rm -f /run/load.stop
	# shellcheck disable=SC2016 # the inner shell's
	host_b timeout -k 1 "$storage_limit" sh -c 'until [ -e /run/load.stop ]; do
		cp /run/large /run/mnt/load && cat /run/mnt/load >/dev/null; done' >"$OUT/load" 2>&1 &
	load=$!
	wait_for 60 grows /run/export/load
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
	rm -f /run/export/load
}

unmount()
{
	host_b timeout 120 umount "$@" /run/mnt
}

share_case()
{
	local part

	[[ $# -gt 0 ]] || set -- plain loss flap disconnect delete_b delete_a
	host_b sh -ec "head -c ${large}M /dev/urandom >/run/large"
	step "serving"
	serve
	step "mounting"
	mount_it
	for part in "$@"; do
		"part_$part"
	done
	step "unmounting"
	unmount
}

part_plain()
{
	step "a tree and a large file there and back"
	copied true
}

part_loss()
{
	step "the same with 1 % loss"
	netem a loss 1%
	netem b loss 1%
	copied true
	netem a off
	netem b off
}

part_flap()
{
	step "the same through a link that goes down"
	copied flap 3
}

part_disconnect()
{
	step "unmounting under load"
	load_start
	unmount -l
	load_stop
	mount_it
	copied true
}

part_delete_b()
{
	step "deleting the client's device under load"
	delete_device b
}

part_delete_a()
{
	step "deleting the server's device under load"
	delete_device a
}

# delete_device a|b: deletes the RDMA device of that host under load, and adds it again. Then the mount must be of use
# again, or a new one.
delete_device()
{
	local pid

	load_start
	link_del "$1" &
	pid=$!
	wait_for 60 ended "$pid"
	wait "$pid"
	step "deleted"
	link_add "$1"
	wait_for 60 gids_ready "$1"
	[[ -z ${serve_again:-} ]] || "$serve_again" "$1"
	load_stop
	step "the load has ended"
	copied true
}
