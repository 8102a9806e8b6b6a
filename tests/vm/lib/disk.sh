# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# For cases in which host b uses a disk of host a by a protocol of the kernel over RDMA. Needs storage.sh. The case sets
# $disk_pattern, the pattern of the disk's name in /sys/block of host b, and has these functions:
#   serve        makes host a offer the disk
#   connect      makes it appear on host b
#   disconnect   makes it go away again; also after an error

size=${size:-16M}

# disk: prints the path of the disk on host b, if it is there.
disk()
{
	# shellcheck disable=SC2016 # the inner shell's
	host_b sh -c 'for d in /sys/block/'"$disk_pattern"'; do
		if [ "$(cat "$d/size" 2>/dev/null || echo 0)" -gt 0 ]; then echo "/dev/${d##*/}"; break; fi
	done'
}

disk_there()
{
	[[ -n $(disk) ]]
}

disk_gone()
{
	[[ -z $(disk) ]]
}

# disk_up: connects, and waits for the disk.
disk_up()
{
	connect
	wait_for 60 disk_there
}

disk_down()
{
	disconnect
	wait_for 60 disk_gone
}

# Number of writes that host b's disk has completed.
written()
{
	# shellcheck disable=SC2016 # the inner shell's
	host_b sh -c 'set -- $(cat /sys/block/"${0#/dev/}"/stat 2>/dev/null); echo "${5:-0}"' "$(disk)"
}

# Random writes of all of $size, read back and checked. Prints the command.
write_and_verify()
{
	echo fio --name=verify --filename="$(disk)" --rw=randwrite --bsrange=4k-256k \
		--direct=1 --ioengine=libaio --iodepth=16 --size="$size" --verify=crc32c \
		--verify_fatal=1 --do_verify=1 --output=/dev/stdout
}

# exchange COMMAND...: such writes while COMMAND disturbs them.
# shellcheck disable=SC2046 # words
exchange()
{
	during "$@" -- $(write_and_verify)
}

# load_start: starts writes that go on until load_stop, or an error, and waits until they are under way.
load_start()
{
	local before

	before=$(written)
	host_b timeout -k 1 "$storage_limit" fio --name=load --filename="$(disk)" --rw=randwrite \
		--bs=16k --direct=1 --ioengine=libaio --iodepth=16 --size="$size" --time_based \
		--runtime="$storage_limit" >"$OUT/load" 2>&1 &
	load=$!
	wait_for 60 more_than "$((before + 100))" written
}

# load_ends: the writes must end by an error.
load_ends()
{
	wait_for 60 ended "$load"
	refused wait "$load"
}

load_goes_on()
{
	(($(written) > load_mark + 100))
}

# ended_or_goes_on: true when the load has ended, or writes more than $load_mark.
ended_or_goes_on()
{
	ended "$load" || load_goes_on
}

file_system()
{
	# shellcheck disable=SC2016 # the inner shell's
	host_b sh -ec 'mkfs.ext4 -q -F "$0"
		mkdir -p /run/mnt; mount "$0" /run/mnt; cp -r /usr/share/perl5 /run/mnt/; sync
		echo 3 >/proc/sys/vm/drop_caches; diff -r /usr/share/perl5 /run/mnt/perl5
		umount /run/mnt; fsck.ext4 -fn "$0" >/dev/null' "$(disk)"
}

# delete_device a|b: deletes the RDMA device of that host under load, and adds it again. The writes may end by an error,
# or go on after that: the protocol decides. The disk must be usable again, and hold what is written to it.
delete_device()
{
	load_start
	device_del "$1"
	device_add "$1"
	load_mark=$(written)
	wait_for 120 ended_or_goes_on
	if ended "$load"; then
		step "the writes have ended by an error"
		refused wait "$load"
		disconnect || true
		wait_for 60 disk_gone
		disk_up
	else
		step "the writes go on"
		signal "$load"
		wait "$load" || true
	fi
	exchange true
}

# disk_case [PART...]: all of it, or some parts.
disk_case()
{
	needs_program fio clients
	[[ $# -gt 0 ]] || set -- files plain loss flap disconnect delete_b delete_a
	step "serving"
	serve
	step "connecting"
	disk_up
	parts "$@"
	step "disconnecting, and once more"
	disk_down
	disk_up
	disk_down
}

part_files()
{
	step "a file system"
	file_system
}

part_disconnect()
{
	step "disconnecting under load"
	load_start
	disk_down
	load_ends
	disk_up
}

