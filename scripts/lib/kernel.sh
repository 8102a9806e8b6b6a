# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The kernels that the module is built for and tested on. Needs common.sh and debian.sh.
#
# A stock kernel is Debian's image, unpacked into the cache, and a build root: a small
# installation of the kernel's own Debian release with its headers, compiler and make, entered
# with chroot. The headers' build tools need that release's libc, and its compiler is the one
# the kernel was built with.

stock_kernels=(6.1 6.12 7.2)

# kernel_base VERSION: the Debian release (with backports) that carries the kernel.
kernel_base()
{
	case $1 in
	6.1 | 6.12) echo bookworm ;;
	7.2) echo trixie ;;
	*) die "no kernel \"$1\": ${stock_kernels[*]}, uml and uml-kasan are known" ;;
	esac
}

kernel_dir()
{
	echo "$cache/kernels/$1"
}

root_dir()
{
	echo "$cache/roots/$1"
}

# kernel_release VERSION: its full release, as uname -r prints it.
kernel_release()
{
	local dir

	dir=$(kernel_dir "$1")
	[[ -s $dir/release ]] || resolve_release "$1"
	cat "$dir/release"
}

resolve_release()
{
	local base dir package

	base=$(kernel_base "$1")
	dir=$(kernel_dir "$1")
	apt_ready "$base"
	package=$(newest_package "$base" \
		"linux-headers-${1//./\\.}\.[0-9.]+(-[0-9]+)?(\+[a-z0-9]+)?-amd64" || true)
	[[ -n $package ]] || die "Debian $base and its backports carry no kernel $1"
	mkdir -p "$dir"
	echo "${package#linux-headers-}" >"$dir/release"
}

# Newer releases split the image into the packages linux-base-*, -binary-* and -modules-*.
image_packages()
{
	private_apt "$1" apt-cache depends --important "linux-image-$2" |
		awk -v release="$2" '$1 == "Depends:" && $2 ~ /^linux-/ &&
			substr($2, length($2) - length(release) + 1) == release { print $2 }'
	echo "linux-image-$2"
}

# Create DIR/vmlinuz and DIR/lib/modules from the unpacked packages of any release.
arrange_image()
{
	local dir=$1 release=$2 vmlinuz

	[[ ! -d $dir/usr/lib/modules ]] || mv "$dir/usr/lib/modules" "$dir/lib/"
	for vmlinuz in "$dir/boot/vmlinuz-$release" "$dir/lib/modules/$release/vmlinuz"; do
		[[ ! -e $vmlinuz ]] || ln -f "$vmlinuz" "$dir/vmlinuz"
	done
	[[ -s $dir/vmlinuz ]] || die "the packages of Linux $release hold no vmlinuz"
	depmod -b "$dir" "$release"
}

fetch_image()
{
	local base dir release
	local -a names

	dir=$(kernel_dir "$1")
	[[ ! -e $dir/image ]] || return 0
	base=$(kernel_base "$1")
	release=$(kernel_release "$1")
	apt_ready "$base"
	say "fetching the image of Linux $release"
	mapfile -t names < <(image_packages "$base" "$release")
	rm -rf "$dir/image.new"
	mkdir -p "$dir/image.new/lib"
	unpack_packages "$base" "$dir/image.new" "${names[@]}"
	arrange_image "$dir/image.new" "$release"
	mv "$dir/image.new" "$dir/image"
}

# kernel_modules VERSION: the directory that belongs at /lib/modules/RELEASE.
kernel_modules()
{
	echo "$(kernel_dir "$1")/image/lib/modules/$(kernel_release "$1")"
}

kernel_image()
{
	echo "$(kernel_dir "$1")/image/vmlinuz"
}

# The headers of every kernel of that Debian release, and the tools to build against them.
make_root()
{
	local base=$1 dir version include=make,sparse,libelf1,libc6-dev

	dir=$(root_dir "$base")
	[[ ! -e $dir ]] || return 0
	require_root "making a build root"
	require_command mmdebstrap vm
	apt_ready "$base"
	for version in "${stock_kernels[@]}"; do
		[[ $(kernel_base "$version") != "$base" ]] ||
			include+=,linux-headers-$(kernel_release "$version")
	done
	say "making a build root of Debian $base"
	install_root "$base" "$dir" "$include"
}

# install_root BASE DIRECTORY PACKAGE,...: a small installation of a Debian release.
install_root()
{
	local base=$1 dir=$2 apt

	apt=$(apt_dir "$base")
	rm -rf "$dir.new"
	mkdir -p "$(dirname "$dir")"
	apt_proxies >"$apt/proxies"
	logged "$cache/logs/$(basename "$dir").log" mmdebstrap --variant=essential --mode=root \
		--aptopt="$apt/proxies" --include="$3" "$base" "$dir.new" "$apt/sources.list"
	mv "$dir.new" "$dir"
}

# Programs of other Debian releases that cases run.
programs_packages=python3-pyverbs,rdma-core,ibverbs-providers,ibverbs-utils,rdmacm-utils,perftest
programs_packages+=,iproute2,iputils-ping,procps

programs_dir()
{
	echo "$cache/roots/programs-$1"
}

# programs_ready BASE: the release's RDMA programs and libraries are installed in programs_dir.
programs_ready()
{
	local dir

	dir=$(programs_dir "$1")
	(
		take_lock "programs-$1"
		[[ ! -e $dir ]] || return 0
		require_root "installing programs of Debian $1"
		require_command mmdebstrap vm
		apt_ready "$1"
		say "installing RDMA programs of Debian $1"
		install_root "$1" "$dir" "$programs_packages"
	)
}

# kernel_kdir VERSION: the KDIR, as seen inside the build root.
kernel_kdir()
{
	echo "/usr/src/linux-headers-$(kernel_release "$1")"
}

# in_root BASE DIRECTORY COMMAND...: runs COMMAND inside the build root, with the host's
# DIRECTORY as its working directory and nothing else of the host.
in_root()
{
	local root=$1 dir=$2

	shift 2
	root=$(root_dir "$root")
	require_root "building in a build root"
	mkdir -p "$root$dir"
	# shellcheck disable=SC2016 # expanded by the inner shell
	unshare --mount sh -eu -c '
		root=$1 dir=$2; shift 2
		mount --bind "$dir" "$root$dir"
		mount --bind /dev "$root/dev"
		mount -t proc proc "$root/proc"
		exec chroot "$root" sh -c "cd \"\$1\" && shift && exec \"\$@\"" sh "$dir" "$@"
	' sh "$root" "$dir" "$@"
}
