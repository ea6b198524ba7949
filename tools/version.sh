#!/bin/sh
# Prints what tells this build from others: the commit as git describes it, and
# in a changed work tree a digest of the changes too, so that a client notices
# a daemon that was built a minute before it.
set -eu
cd "$(dirname "$0")/.."

version=$(git describe --tags --always --dirty 2>/dev/null) || version=devel
case $version in
*-dirty) version=$version.$(git diff HEAD | git hash-object --stdin | cut -c1-7) ;;
esac
echo "$version"
