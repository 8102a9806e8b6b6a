# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Host b uses a disk of host a by NVMe over RDMA, which the commands of the guide for storage serve: what disk.sh needs.
# shellcheck disable=SC2154 # ip_a: hosts.sh

# shellcheck disable=SC2034 # used by disk.sh
disk_pattern='nvme0n1'
subsystem=rxe-test
nvmet=/sys/kernel/config/nvmet
queues=nr_io_queues=2

serve()
{
	mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
	truncate -s 64M /run/nvme-disk
	modprobe loop
	losetup /dev/loop0 /run/nvme-disk
	storage_commands "NVMe over Fabrics" 1
	# shellcheck disable=SC2154 # set by storage_commands
	host_a sh -ec "$block"
}

# A port listens on the device that has its address, and not on a new one.
# shellcheck disable=SC2034 # used by disk.sh
serve_again=again
again()
{
	[[ $1 == a ]] || return 0
	rm "$nvmet/ports/1/subsystems/$subsystem"
	ln -s "$nvmet/subsystems/$subsystem" "$nvmet/ports/1/subsystems/"
}

# fabric NQN OPTIONS: connects, by the options that nvme-cli writes.
fabric()
{
	host_b sh -ec "echo nqn=$1,transport=rdma,traddr=$ip_a,trsvcid=4420,$2 >/dev/nvme-fabrics"
}

connect()
{
	fabric "$subsystem" "$queues,reconnect_delay=1,ctrl_loss_tmo=300,keep_alive_tmo=${keep_alive:-5}"
}

disconnect()
{
	host_b sh -c 'echo 1 >/sys/class/nvme/nvme0/delete_controller'
}
