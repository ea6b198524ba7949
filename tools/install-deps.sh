#!/bin/sh
# Installs what this machine lacks, and only that:
#
#   tools/install-deps.sh chromium   a browser, for the demo and the tests
#   tools/install-deps.sh docs       Debian's HTML manuals, real pages for tests
#   tools/install-deps.sh found      nothing; says by its exit code whether a
#                                    browser is there
#
# Debian and Ubuntu install by apt-get, with sudo when not root. Elsewhere an
# installed browser is used, or the command that installs one is printed.
set -eu

say() { printf 'install-deps: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif have sudo; then
		sudo "$@"
	else
		die "needs root and finds no sudo; run as root: $*"
	fi
}

updated=
apt_update() {
	if [ -z "$updated" ]; then
		as_root apt-get update -qq >&2
		updated=yes
	fi
}

apt_install() {
	say "apt-get install $*"
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@" >/dev/null
}

# works PROGRAM: it is there and answers --version. Ubuntu's chromium-browser
# is a script that only asks for the snap, so being on PATH proves nothing.
works() {
	path=$(command -v "$1" 2>/dev/null) && "$path" --version >/dev/null 2>&1
}

# The names that internal/browser looks for, in its order.
find_chromium() {
	if [ -n "${GSTACK_CHROMIUM_PATH:-}" ]; then
		works "$GSTACK_CHROMIUM_PATH" || die "GSTACK_CHROMIUM_PATH=$GSTACK_CHROMIUM_PATH does not run"
		return 0
	fi
	for name in chrome-headless-shell headless-shell chromium-headless-shell \
		chromium chromium-browser google-chrome-stable google-chrome \
		microsoft-edge-stable microsoft-edge brave-browser; do
		works "$name" && return 0
	done
	for app in "Google Chrome" Chromium "Microsoft Edge" "Brave Browser"; do
		for dir in /Applications "$HOME/Applications"; do
			works "$dir/$app.app/Contents/MacOS/$app" && return 0
		done
	done
	return 1
}

# packaged NAME: apt has NAME as a real package, not as a door to the snap.
packaged() {
	apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [0-9]' &&
		! apt-cache show "$1" 2>/dev/null | grep -qi 'snap'
}

# Ubuntu has Chromium as a snap only. A snap needs a running snapd, which
# containers lack, and shares no temp folder with its caller; so Google's own
# package comes first, where it exists.
ubuntu_chromium() {
	if [ "$(dpkg --print-architecture)" = amd64 ]; then
		have curl || apt_install ca-certificates curl
		deb=$(mktemp -d)/google-chrome.deb
		say "Chromium is only a snap here, fetching Google Chrome's package"
		if curl -fsSL -o "$deb" https://dl.google.com/linux/direct/google-chrome-stable_current_amd64.deb; then
			chmod 755 "$(dirname "$deb")"
			apt_install "$deb" fonts-liberation
			rm -r "$(dirname "$deb")"
			return
		fi
		rm -r "$(dirname "$deb")"
	fi
	if have snap && as_root snap install chromium >&2; then
		return
	fi
	die "no Chromium package for this Ubuntu: install one, then set GSTACK_CHROMIUM_PATH to its program"
}

need_chromium() {
	if find_chromium; then
		return
	fi
	case $(uname -s) in
	Darwin)
		die "no browser found; run: brew install --cask google-chrome (or chromium), or set GSTACK_CHROMIUM_PATH" ;;
	Linux) ;;
	*)
		die "no browser found; install Chromium or Chrome, or set GSTACK_CHROMIUM_PATH" ;;
	esac
	if ! have apt-get; then
		for pm in 'dnf install chromium' 'pacman -S chromium' 'apk add chromium' 'zypper install chromium'; do
			have "${pm%% *}" && die "no browser found; run as root: $pm"
		done
		die "no browser found; install Chromium, or set GSTACK_CHROMIUM_PATH"
	fi
	apt_update
	if packaged chromium; then
		apt_install chromium chromium-sandbox fonts-liberation
	else
		ubuntu_chromium
	fi
	find_chromium || die "a browser was installed and still none answers --version"
}

# Container images tell dpkg to leave out /usr/share/doc; for these packages it
# is all that matters.
need_docs() {
	if [ -e /usr/share/doc/python3-doc/html/index.html ] && [ -e /usr/share/doc/debian-handbook/html ]; then
		return
	fi
	have apt-get || die "the manuals come as Debian packages, and this machine has no apt-get"
	apt_update
	apt_install --reinstall -o DPkg::Options::=--path-include='/usr/share/doc/python3*' \
		-o DPkg::Options::=--path-include='/usr/share/doc/debian-handbook/*' \
		python3-doc "$(apt-cache depends python3-doc | sed -n 's/.*Depends: \(python3[.0-9]*-doc\)$/\1/p')" debian-handbook
}

[ $# -gt 0 ] || die "usage: tools/install-deps.sh chromium|docs|found ..."
for what; do
	case $what in
	chromium | docs) "need_$what" ;;
	found) find_chromium ;;
	*) die "unknown part \"$what\", want chromium, docs or found" ;;
	esac
done
