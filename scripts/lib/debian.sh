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

# A new installation of Debian has sources, but no lists, without which apt reports no origins.
ensure_host_lists()
{
	[[ -z $(host_repository '^[a-z]+$') ]] || return 0
	require_root "fetching apt's package lists"
	logged "$cache/logs/apt-host.log" apt-get -q update
}

# debian_sources BASE: sources.list lines of a release with its updates, fixes and backports.
debian_sources()
{
	local base=$1 main security suite signed=''

	main=$(host_repository '^[a-z]+$')
	[[ -n $main ]] ||
		die "apt knows no Debian repository: check /etc/apt/sources.list*, then run apt-get update"
	security=$(host_repository '^[a-z]+-security$')
	[[ ! -e $keyring ]] || signed="[signed-by=$keyring] "
	for suite in "$base" "$base-updates" "$base-backports"; do
		echo "deb $signed$main $suite main"
	done
	[[ -z $security ]] || echo "deb $signed$security $base-security main"
}

apt_dir()
{
	echo "$cache/apt/$1"
}

# private_apt BASE TOOL ARGS...: apt-get or apt-cache over BASE's private state.
private_apt()
{
	local dir tool=$2

	dir=$(apt_dir "$1")
	shift 2
	APT_CONFIG=$dir/apt.conf "$tool" "$@"
}

# apt_ready BASE: writes the private configuration and fetches the lists, once a day.
apt_ready()
{
	local base=$1 dir

	dir=$(apt_dir "$base")
	[[ -z $(find "$dir/updated" -mtime -1 2>/dev/null) ]] || return 0
	say "fetching the package lists of Debian $base"
	mkdir -p "$dir/state/lists/partial" "$dir/cache/archives/partial"
	: >"$dir/status"
	ensure_host_lists
	debian_sources "$base" >"$dir/sources.list"
	cat >"$dir/apt.conf" <<-END
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

# newest_package BASE PATTERN: the newest package whose name matches the extended expression.
newest_package()
{
	private_apt "$1" apt-cache pkgnames | grep -Ex "$2" | sort -V | tail -n 1
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
	for deb in "$download"/*.deb; do
		dpkg -x "$deb" "$dir"
	done
	rm -rf "$download"
}
