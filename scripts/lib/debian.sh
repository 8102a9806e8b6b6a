# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Debian releases other than the machine's own: a private apt state in the cache, fed from the
# mirror that the machine's own apt configuration names. The host's packages stay untouched.

keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# host_repository RELEASE-PATTERN: URI of the machine's Debian repository of such a release.
host_repository()
{
	# shellcheck disable=SC2016 # apt's own variables
	apt-get indextargets --format '$(ORIGIN) $(COMPONENT) $(RELEASE) $(REPO_URI)' \
		'Created-By: Packages' 2>/dev/null |
		awk -v release="$1" '$1 == "Debian" && $2 == "main" && $3 ~ release { print $4; exit }'
}

# The Debian release of this machine.
host_release()
{
	sed -n 's/^VERSION_CODENAME=//p' /etc/os-release
}

# A new installation of Debian has sources, but no lists, without which apt reports no origins.
ensure_host_lists()
{
	[[ -z $(host_repository '^[a-z]+$') ]] || return 0
	require_root "fetching apt's package lists"
	logged "$cache/logs/apt-host.log" apt-get -q update
}

# has_suite URI SUITE: whether the repository has the suite.
has_suite()
{
	local file status=0

	file=$(mktemp)
	/usr/lib/apt/apt-helper download-file "${1%/}/dists/$2/InRelease" "$file" >/dev/null 2>&1 || status=1
	rm -f "$file"
	return "$status"
}

# debian_sources BASE: sources.list lines of a release with its updates, fixes and backports. A suite that
# the mirror has not, or no longer, is left out.
debian_sources()
{
	local base=$1 main security suite signed=''

	main=$(host_repository '^[a-z]+$')
	[[ -n $main ]] ||
		die "apt knows no Debian repository: check /etc/apt/sources.list*, then run apt-get update"
	security=$(host_repository '^[a-z]+-security$')
	[[ ! -e $keyring ]] || signed="[signed-by=$keyring] "
	has_suite "$main" "$base" || skip "Debian $base is not on the mirror, or the mirror cannot be reached"
	echo "deb $signed$main $base main"
	for suite in "$base-updates" "$base-backports"; do
		has_suite "$main" "$suite" || { say "the mirror has no $suite: left out"; continue; }
		echo "deb $signed$main $suite main"
	done
	[[ -z $security ]] || ! has_suite "$security" "$base-security" ||
		echo "deb $signed$security $base-security main"
}

apt_dir()
{
	echo "$cache/apt/$1"
}

# private_apt LISTS TOOL ARGS...: apt-get or apt-cache over a private state. LISTS is a release, for
# packages of amd64, or a release with -arm64 behind it.
private_apt()
{
	local dir tool=$2

	dir=$(apt_dir "$1")
	shift 2
	APT_CONFIG=$dir/apt.conf "$tool" "$@"
}

# apt_ready LISTS: writes the private configuration and fetches the lists, once a day.
apt_ready()
{
	local status

	(
		take_lock "apt-$1"
		apt_update "$1"
	)
	# Callers may have errexit off.
	status=$?
	[[ $status -eq 0 ]] || exit "$status"
}

apt_update()
{
	local base=$1 dir arch=amd64

	[[ $1 != *-arm64 ]] || arch=arm64
	dir=$(apt_dir "$base")
	[[ -z $(find "$dir/updated" -mtime -1 2>/dev/null) ]] || return 0
	say "fetching the package lists of Debian $base"
	mkdir -p "$dir/state/lists/partial" "$dir/cache/archives/partial"
	: >"$dir/status"
	ensure_host_lists
	debian_sources "${base%-arm64}" >"$dir/sources.list.new"
	mv "$dir/sources.list.new" "$dir/sources.list"
	cat >"$dir/apt.conf" <<-END
		APT::Architecture "$arch";
		APT::Architectures { "$arch"; };
		Dir::State "$dir/state";
		Dir::State::status "$dir/status";
		Dir::Cache "$dir/cache";
		Dir::Etc::sourcelist "$dir/sources.list";
		Dir::Etc::sourceparts "/dev/null";
		APT::Install-Recommends "false";
		APT::Sandbox::User "root";
		#clear APT::Update;
		#clear DPkg::Post-Invoke;
	END
	logged "$cache/logs/apt-$base.log" private_apt "$base" apt-get -q update
	touch "$dir/updated"
}

# The machine's proxies, for tools that do not read apt's configuration themselves.
apt_proxies()
{
	apt-config dump | grep -E '^Acquire::[a-z]+::Proxy' || true
}

# unpack_packages BASE DIRECTORY PACKAGE...: downloads packages and unpacks them below DIRECTORY.
unpack_packages()
{
	local base=$1 dir=$2 download deb

	shift 2
	mkdir -p "$dir"
	download=$(mktemp -d "$cache/download.XXXXXX")
	(
		cd "$download"
		logged "$cache/logs/download-$base.log" private_apt "$base" apt-get -q download "$@"
	)
	# Not dpkg -x, which would replace a link such as /lib by a directory of the package.
	for deb in "$download"/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" | tar -x --keep-directory-symlink -C "$dir"
	done
	rm -rf "$download"
}
