#!/bin/sh
# Runs every fuzz target of the module for the given time each (default 30s):
#
#   tools/fuzz.sh 5m
#
# go test takes one target of one package at a time, so the targets are looked
# up in the sources. A crash leaves its input in the package's testdata/fuzz;
# commit it with the fix.
set -eu
cd "$(dirname "$0")/.."

fuzztime=${1:-30s}
found=
status=0
for file in $(grep -rl --include='*_test.go' '^func Fuzz' .); do
	for target in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$file"); do
		found=yes
		echo "fuzz: $target in $(dirname "$file"), $fuzztime"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$fuzztime" "$(dirname "$file")" || status=1
	done
done
[ -n "$found" ] || { echo "fuzz: no target found" >&2; exit 1; }
exit "$status"
