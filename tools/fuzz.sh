#!/bin/sh
# Runs every fuzz target of the module for the given time each (default 30s),
# then the long forms of the tests that change pages by chance, with so many
# steps (default 10000):
#
#   tools/fuzz.sh 5m
#   tools/fuzz.sh 1s 50000
#
# go test takes one target of one package at a time, so the targets are looked
# up in the sources. A crash leaves its input in the package's testdata/fuzz;
# commit it with the fix. A run by chance prints the seed that repeats it.
set -eu
cd "$(dirname "$0")/.."

fuzztime=${1:-30s}
steps=${2:-10000}
found=
status=0
for file in $(grep -rl --include='*_test.go' '^func Fuzz' .); do
	for target in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$file"); do
		found=yes
		echo "fuzz: $target in $(dirname "$file"), $fuzztime"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$fuzztime" "$(dirname "$file")" || status=1
	done
done
for file in $(grep -rl --include='*_test.go' 'BROWSE_FUZZ_STEPS' .); do
	for test in $(sed -n '/^func Test/h; /Getenv("BROWSE_FUZZ_STEPS")/{g; s/^func \(Test[A-Za-z0-9_]*\)(.*/\1/p}' "$file"); do
		echo "fuzz: $test in $(dirname "$file"), $steps steps"
		BROWSE_FUZZ_STEPS=$steps BROWSE_TEST_QUIET=1 go test -count=1 -timeout 4h -run "^$test\$" -v "$(dirname "$file")" || status=1
	done
done
[ -n "$found" ] || { echo "fuzz: no target found" >&2; exit 1; }
exit "$status"
