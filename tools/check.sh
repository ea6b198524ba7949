#!/bin/sh
# The gate before a commit: format, vet, lint, generated files, and the tests
# that need no browser. With a C compiler at hand the tests run under the race
# detector, which needs cgo.
set -eu
cd "$(dirname "$0")/.."

step() { printf '== %s\n' "$*"; }

step gofmt
unformatted=$(git ls-files -co --exclude-standard '*.go' | xargs gofmt -l)
if [ -n "$unformatted" ]; then
	printf '%s\n' "$unformatted"
	echo "check: not formatted; run: gofmt -w FILES" >&2
	exit 1
fi

step go vet
go vet ./...

step lint
make -s lint

step generate
before=$(git status --porcelain; git diff)
go generate ./...
after=$(git status --porcelain; git diff)
if [ "$before" != "$after" ]; then
	git status --short
	echo "check: go generate changed files; look at them and commit them" >&2
	exit 1
fi

# The daemon's scripts hold whole processes to times that the race detector
# makes them miss.
timed=gstack/internal/daemon
race=
if command -v cc >/dev/null 2>&1; then
	race=-race
	export CGO_ENABLED=1
fi
export BROWSE_TEST_CHROMIUM=off
step "go test $race, without a browser"
go test $race $(go list ./... | grep -vx "$timed")
go test "$timed"
