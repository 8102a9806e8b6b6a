# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Host b mounts a directory of host a by NFS over RDMA, with the commands of the guide for storage. Needs storage.sh.

nfs_root=/nfs-root

# NFSv4 exports all directories above an exported one, too, and the root of the guest cannot be exported. So the server
# has a root of its own, on a disk.
nfs_server_root()
{
	local name

	truncate -s 384M /run/nfs-disk
	# Without a journal, for which each small file would wait.
	mkfs.ext4 -q -F -O ^has_journal /run/nfs-disk
	modprobe loop
	mkdir -p "$nfs_root"
	mount -o loop /run/nfs-disk "$nfs_root"
	for name in bin sbin lib lib64 usr etc var proc sys dev run tmp; do
		if [[ -L /$name ]]; then
			cp -d "/$name" "$nfs_root/$name"
		elif [[ -d /$name ]]; then
			mkdir "$nfs_root/$name"
			mount --rbind "/$name" "$nfs_root/$name"
		fi
	done
}

# nfs_serve [3]: an NFS server as a distribution starts it, and the commands of the guide. Version 3 needs more of mountd.
nfs_serve()
{
	local -a without=(--no-nfs-version 3)

	[[ ${1:-} != 3 ]] || without=()
	mkdir -p /var/lib/nfs/v4recovery /var/lib/nfs/rpc_pipefs /run/sendsigs.omit.d
	[[ -d /proc/fs/nfsd/pool_threads ]] || mount -t nfsd nfsd /proc/fs/nfsd || true
	nfs_server_root
	: >/etc/exports
	rpcbind -w 2>/dev/null || true
	chroot "$nfs_root" rpc.mountd "${without[@]}" || chroot "$nfs_root" rpc.mountd
	# Without clients of an earlier server, nobody needs the 90 s in which they may claim their locks.
	echo 10 >/proc/fs/nfsd/nfsv4gracetime
	chroot "$nfs_root" rpc.nfsd "${without[@]}" 4
	storage_commands NFS 1
	# shellcheck disable=SC2154 # set by storage_commands
	host_a chroot "$nfs_root" sh -ec "$block"
}

nfs_mount()
{
	storage_commands NFS 2
	host_b timeout 120 sh -ec "$block"
}

# shellcheck disable=SC2016,SC2034 # the inner shell's; used by cases
# Writes the tree, drops the caches, and reads it again.
nfs_copy='set -e; rm -rf /mnt/tree; cp -r "$0" /mnt/tree; sync; echo 3 >/proc/sys/vm/drop_caches
	diff -r "$0" /mnt/tree'

nfs_stop()
{
	host_a sh -c 'echo 0 >/proc/fs/nfsd/threads'
}

nfs_needs()
{
	local program

	for program in exportfs rpc.nfsd rpc.mountd mount.nfs4; do
		needs_program "$program" clients
	done
}
