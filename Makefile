# Thin on purpose: what takes more than three lines is a script in tools/.
# `make demo` and `make test` are for a newcomer, `make check` is the gate
# before a commit. Every program lands in bin/.

# git may not read a checkout that another user owns (a container's volume);
# the version is passed in below, so the build does not ask it.
export GOFLAGS := -buildvcs=false $(GOFLAGS)

VERSION = $(shell tools/version.sh)
LDFLAGS = -s -w -X gstack/internal/workspace.buildID=$(VERSION)

# Sizes of the long runs: make soak TABS=5000 COMMANDS=100000 FUZZTIME=10m
FUZZTIME ?= 30s
TABS ?= 2000
OPEN ?= 300
COMMANDS ?= 10000

.PHONY: build check test demo gallery bench generate lint fuzz soak wpt clean

build: ## the programs, into bin/
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o bin/ ./cmd/...

check: ## the gate before a commit: format, vet, lint, generated files, tests without a browser
	tools/check.sh

test: build ## every test, the ones with Chromium included; installs what they need
	tools/test.sh

demo: build ## installs a browser if there is none, then shops in a small shop
	tools/install-deps.sh chromium
	go run ./tools/demo

gallery: build ## a page of pictures in every mode, to look at: gallery-out/index.html; ARGS=-only=frames takes some
	tools/install-deps.sh chromium
	go run ./tools/gallery $(ARGS)

bench: build ## the budgets, measured; PEERS=folder with node_modules adds peers, ARGS=-quick is short
	tools/install-deps.sh chromium
	go run ./tools/bench -peers '$(PEERS)' $(ARGS)

generate: ## everything that is generated from the registry
	go generate ./...

lint: bin/tools/golangci-lint ## golangci-lint with .golangci.yml
	bin/tools/golangci-lint run --allow-parallel-runners ./...

bin/tools/golangci-lint: tools/lint/go.mod tools/lint/go.sum
	go build -C tools/lint -trimpath -o '$(CURDIR)/$@' github.com/golangci/golangci-lint/v2/cmd/golangci-lint

fuzz: ## every fuzz target for FUZZTIME
	tools/fuzz.sh $(FUZZTIME)

soak: build ## the long runs: TABS tabs, OPEN of them at once, COMMANDS commands, fuzz targets for FUZZTIME
	tools/install-deps.sh chromium docs
	go run ./tools/soak -tabs $(TABS) -open $(OPEN) -commands $(COMMANDS) $(ARGS)
	tools/fuzz.sh $(FUZZTIME)

wpt: ## W3C accessibility tests, WPT_DIR=folder of the tests
	tools/install-deps.sh chromium
	BROWSE_TEST_CHROMIUM=required WPT_DIR='$(WPT_DIR)' go test -count=1 -run WPT -v ./...

clean: ## what was built and written
	rm -rf bin demo-out gallery-out bench-out
