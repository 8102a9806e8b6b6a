# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The kernels that the module is built for and tested on. Needs common.sh and debian.sh.
#
# A stock kernel is Debian's image, unpacked into the cache, and a build root: a small
# installation of the kernel's own Debian release with its headers, compiler and make, entered
# with chroot. The headers' build tools need that release's libc, and its compiler is the one
# the kernel was built with.
#
# A name is a version, or "newest" for the newest kernel in the backports of the newest release,
# and may end in -rt, -cloud (Debian's other flavours) or -arm64, for which the module is cross-built.

stock_kernels=(5.10 6.1 6.12 7.2 newest)
stock_flavours=(rt cloud arm64)

# kernel_base NAME: the Debian release (with backports) that carries the kernel.
kernel_base()
{
	case $1 in
	*-rt | *-cloud | *-arm64) kernel_base "${1%-*}" ;;
	5.10) echo bullseye ;;
	6.1 | 6.12) echo bookworm ;;
	7.2 | newest) echo trixie ;;
	*) die "no kernel \"$1\": known are ${stock_kernels[*]}, these with" \
		"$(printf -- '-%s ' "${stock_flavours[@]}")at the end, uml, uml-kasan, uml-lockdep, uml-kcsan, uml-gcov," \
		"uml-apps and uml-ulp" ;;
	esac
}

is_arm64()
{
	[[ $1 == *-arm64 ]]
}

# kernel_arch NAME: its architecture, as Debian names it.
kernel_arch()
{
	case $1 in
	*-arm64) echo arm64 ;;
	*) echo amd64 ;;
	esac
}

# kernel_lists NAME: the name of the package lists (see debian.sh) that the kernel is in.
kernel_lists()
{
	local base

	base=$(kernel_base "$1")
	case $1 in
	*-arm64) echo "$base-arm64" ;;
	*) echo "$base" ;;
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

# release_pattern NAME: an extended expression for the releases that the name stands for.
release_pattern()
{
	local version=${1%%-*} flavour=''

	[[ $version != newest ]] || version='[0-9]+.[0-9]+'
	case $1 in
	*-rt) flavour=rt- ;;
	*-cloud) flavour=cloud- ;;
	esac
	echo "${version//./\\.}\.[0-9.]+(-[0-9]+)?(\+[a-z0-9.]+)?-$flavour$(kernel_arch "$1")"
}

resolve_release()
{
	local lists dir release

	lists=$(kernel_lists "$1")
	dir=$(kernel_dir "$1")
	apt_ready "$lists"
	release=$(private_apt "$lists" apt-cache search --names-only "^linux-(headers|image)-$(release_pattern "$1")\$" |
		newest_complete)
	[[ -n $release ]] || skip "$1: Debian $lists and its backports carry no such kernel"
	mkdir -p "$dir"
	echo "$release" >"$dir/release"
}

# newest_complete: the newest release whose headers and image are both on stdin, a package a line. Signed images come
# into Debian some time after their headers.
newest_complete()
{
	sed -n 's/^linux-\(headers\|image\)-\([^ ]*\).*/\2/p' | sort -V | uniq -d | tail -n 1
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
	base=$(kernel_lists "$1")
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

# The tools to build against the headers of the kernels of that Debian release.
make_root()
{
	local base=$1 dir

	dir=$(root_dir "$base")
	[[ ! -e $dir ]] || return 0
	require_root "making a build root"
	require_command mmdebstrap vm
	apt_ready "$base"
	say "making a build root of Debian $base"
	install_root "$base" "$dir" make,sparse,libelf1,libc6-dev
}

# Sparse of Debian 11, 0.6.3, does not know packed structures: below /opt/sparse is that of Debian 12, with
# the C library that it needs.
add_newer_sparse()
{
	local dir

	dir=$(root_dir bullseye)/opt/sparse
	[[ ! -e $dir ]] || return 0
	apt_ready bookworm
	rm -rf "$dir.new"
	unpack_packages bookworm "$dir.new" sparse libc6
	mv "$dir.new" "$dir"
}

# kernel_sparse NAME: the command of sparse in the kernel's build root.
kernel_sparse()
{
	local at=/opt/sparse

	case $(kernel_base "$1") in
	bullseye)
		echo "$at/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 --library-path $at/lib/x86_64-linux-gnu" \
			"$at/usr/bin/sparse"
		;;
	*) echo sparse ;;
	esac
}

# root_install BASE PACKAGE...: install packages into the build root.
root_install()
{
	local base=$1 dir

	shift
	dir=$(root_dir "$base")
	require_root "installing into a build root"
	apt_ready "$base"
	DEBIAN_FRONTEND=noninteractive logged "$cache/logs/install-$base.log" private_apt "$base" \
		apt-get -q -y -o "Dir::State::status=$dir/var/lib/dpkg/status" \
		-o "DPkg::Options::=--root=$dir" install "$@"
	private_apt "$base" apt-get clean
}

# The build root and, in it, the headers of the kernel.
fetch_headers()
{
	local base release

	base=$(kernel_base "$1")
	release=$(kernel_release "$1")
	make_root "$base"
	[[ $base != bullseye ]] || add_newer_sparse
	[[ ! -e $(root_dir "$base")/usr/src/linux-headers-$release/Makefile ]] || return 0
	say "fetching the headers of Linux $release"
	case $1 in
	*-arm64) fetch_foreign_headers "$1" "$release" ;;
	*) root_install "$base" "linux-headers-$release" ;;
	esac
}

# Headers of another architecture hold no programs: those of kbuild are in a package of their own, of
# which the machine's own architecture is taken.
fetch_foreign_headers()
{
	local base lists release=$2
	local -a kbuild

	base=$(kernel_base "$1")
	lists=$(kernel_lists "$1")
	apt_ready "$lists"
	mapfile -t kbuild < <(private_apt "$lists" apt-cache depends --important "linux-headers-$release" |
		awk '$1 == "Depends:" && $2 ~ /^linux-kbuild-/ { print $2 }')
	root_install "$base" gcc-aarch64-linux-gnu "${kbuild[@]}"
	unpack_packages "$lists" "$(root_dir "$base")" "linux-headers-$release" \
		"linux-headers-${release%-arm64}-common"
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
programs_packages+=,iproute2,iputils-ping,procps,ksmbd-tools

programs_dir()
{
	echo "$cache/roots/programs-$1-$(sha256sum <<<"$programs_packages" | cut -c 1-8)"
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

# layer_dir PACKAGES: the directory of an installation with them, of the Debian release of this machine.
layer_dir()
{
	echo "$cache/roots/layer-$(host_release)-$(sha256sum <<<"$1" | cut -c 1-8)"
}

# layer_ready PACKAGES: make it if needed.
layer_ready()
{
	local dir release

	dir=$(layer_dir "$1")
	release=$(host_release)
	(
		take_lock "$(basename "$dir")"
		[[ ! -e $dir ]] || return 0
		require_root "installing programs of guests"
		require_command mmdebstrap vm
		apt_ready "$release"
		say "installing $1 for guests (a minute, once)"
		install_root "$release" "$dir" "${1// /,}"
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
