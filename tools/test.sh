#!/bin/sh
# Every test, the ones with Chromium included, and the builds for the other
# systems. Installs what the tests need. A test that skips counts as a failure:
# here nothing it could miss is missing.
set -eu
cd "$(dirname "$0")/.."

step() { printf '== %s\n' "$*"; }

# make wpt runs the W3C's tests, which are no part of this project.
leave='^TestWPT$'
step "what the tests need"
if command -v apt-get >/dev/null 2>&1; then
	tools/install-deps.sh chromium docs
else
	tools/install-deps.sh chromium
	leave="$leave|^TestManuals\$" # they read what Debian's packages install
fi

step "go vet"
go vet ./...

# Nothing depends on the processor: one build for each system is enough.
for target in darwin/arm64 windows/amd64; do
	step "build for $target"
	CGO_ENABLED=0 GOOS=${target%/*} GOARCH=${target#*/} go build ./...
done

step "go test, Chromium required"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
echo 1 >"$out/status"
# Shows one line per package, what the tests of a package that failed said, the
# name of every test that skipped, and at the end what took the longest.
{
	status=0
	BROWSE_TEST_CHROMIUM=required go test -count=1 -timeout 20m -skip "$leave" -v ./... 2>&1 || status=$?
	echo "$status" >"$out/status"
} | awk -v out="$out" '
	BEGIN { said = out "/said"; printf "" > said }
	/^(    )?--- (PASS|FAIL)/ { at = $NF; gsub(/[()s]/, "", at); print at, $3 > (out "/times") }
	/^ *--- SKIP/ { skipped = skipped $0 "\n"; print $0 > (out "/skips") }
	# What a package says goes to a file: it may be many megabytes.
	!/^=== |^ *--- PASS/ { print $0 > said }
	/^(ok|FAIL|\?)[ \t]/ {
		close(said)
		if ($1 == "FAIL") { fflush(); system("cat " said) } else print $0
		if (skipped != "") printf "%s", skipped
		fflush(); skipped = ""
		printf "" > said
	}
	END { close(said); system("cat " said) }
'
status=$(cat "$out/status")
step "the slowest tests, in seconds"
sort -rn "$out/times" | head -20
if [ -s "$out/skips" ]; then
	echo "test: the tests above were skipped, and none may be" >&2
	status=1
fi
exit "$status"
