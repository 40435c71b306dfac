# What a person types. `make` alone lists the targets; each line of that list is the text behind "## " below.
#
# Recipes are written for a plain POSIX shell and any make since 3.81, so that `make run` needs Go, make and git and
# nothing else. The longer steps of `make test` are scripts in .ci/, which need bash.

.DEFAULT_GOAL := help

# --- settings, all of them to be overridden on the command line or in the environment -------------------------------

PORT     ?= 8080
SITE     ?= site
MODEL    ?= assets/models/movielens.msgpack
FUZZTIME ?= 5s

# train-native
DATA     ?= assets/data/ml-latest-small
ITEMS    ?=
OUT      ?= $(MODEL)
# How the committed model is trained, beyond the command's defaults: visitors look for their films, so its catalogue keeps
# what two people liked; it is measured on the test items of the usual split, which have five likes or more.
TRAIN    ?= --measure $(if $(filter assets/data/ml-latest-small,$(DATA)),--min-item 2 --test-min-item 5)

# The licence of the data goes wherever the model goes. The file that is published beside the committed model is that
# of MovieLens; for a model of your own, name the file, or none.
LICENCE  ?= $(if $(filter assets/models/movielens.msgpack,$(MODEL)),assets/data/ml-latest-small/README.txt)

# --- what is the same on every machine --------------------------------------------------------------------------------

# GOFLAGS of the environment holds here, but for where modules come from and for version control: go.mod is complete
# and is never written, and git refuses to answer where another user has cloned. Without a home folder, Go's caches are
# in build/.
export GOFLAGS := $(strip $(filter-out -mod=% -modfile=% -buildvcs=%,$(shell go env GOFLAGS 2>/dev/null)) -mod=readonly -buildvcs=false)
ifeq ($(HOME),)
export HOME := $(CURDIR)/build/home
endif

# --- what they lead to ----------------------------------------------------------------------------------------------

PROGRAM ?= build/app.wasm
# What it is compiled from: ./wasm/embed is the recommender without the page, for other people's JavaScript.
MAIN    ?= ./wasm
# The version that the page shows is the command's. It does not come from git: the program's bytes, and with them its
# name and what visitors have in their caches, would change with every commit.
VERSION := $(shell awk -F '"' '/^var version = / { print $$2 }' core/cmd/pmlam/root.go)

# The page names files that do not lie where it names them: see server/site.
MKSITE_FLAGS = --cache build/compressed \
	--with assets/app.wasm="$(PROGRAM)" \
	--with assets/kernel.wasm=wasm/kernel/kernel.wasm \
	--with assets/js/loader/wasm_exec.js="$$(go env GOROOT)/lib/wasm/wasm_exec.js" \
	--with assets/models/movielens.msgpack=$(MODEL) \
	$(if $(LICENCE),--copy assets/models/README.txt=$(LICENCE)) \
	$(foreach f,$(wildcard LICENSE NOTICE),--copy $(f)=$(f))

# The rooms that hold Go. Not "./...", which would take in what lies about in build/ too.
ROOMS := core server ui wasm docs
PACKAGES := $(ROOMS:%=./%/...)

# The server reads PORT from the environment, and the scripts the rest; this carries `make run PORT=8081` there too.
export PORT FUZZTIME PACKAGES ROOMS

# The oldest Go that go.mod allows.
GO_VERSION := $(shell awk '$$1 == "go" { print $$2 }' go.mod)

# Every target is a name for something to do, never a file.
.PHONY: help doctor ready program tools run site sizes check-sizes train-native check-model reproduce studies measure \
	screenshots icons lighthouse generate check-generated test test-tools test-go gpu test-gpu test-fresh repeat fuzz bench \
	lint clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

doctor: ## what is there and what is missing on this machine for each target, and the command that installs it
	@.ci/tools --doctor

# --- the site ---------------------------------------------------------------------------------------------------------

# Go's own build cache knows best what is up to date, so these always ask it. The tests build the program by this target too.
program: ready ## the browser's program, into build/app.wasm
	@GOOS=js GOARCH=wasm go build -trimpath -ldflags="-s -w -X main.version=$(VERSION)" -o "$(PROGRAM)" $(MAIN)

tools: ready ## the site builder and the server, into build/
	@go build -o build/ ./server/cmd/mksite ./server/cmd/serve

# What cannot work says so before anything is tried.
ready:
	@command -v go >/dev/null || { echo "There is no command go on the PATH. Install Go $(GO_VERSION) or newer: https://go.dev/dl/" >&2; exit 1; }
	@mkdir -p build && [ -w build ] || { echo "build/ cannot be written to, and all that make builds lies there: chown or chmod it, or copy the tree." >&2; exit 1; }

# Into a folder of its own, and compressed quickly: what is looked at once need not be as small as what is published.
# The server takes the place of make's shell, so that Ctrl-C reaches it; a stop that was asked for is no failure.
run: ## build everything and serve the site on http://localhost:8080 (PORT=… for another port)
	@echo "Building the program, the site and the server …"
	@$(MAKE) --no-print-directory program tools || { go list -deps ./wasm ./server/cmd/... >/dev/null 2>&1 || \
		echo "make fetches Go modules the first time, and some could not be fetched: see above. Is there a network?" >&2; exit 1; }
	@build/mksite $(MKSITE_FLAGS) --out build/site --quality 5 >build/mksite.log
	@exec build/serve --folder build/site --log off

site: program tools ## write the complete static folder, ready for any host, into site/ (SITE=… MODEL=…)
	@build/mksite $(MKSITE_FLAGS) --out $(SITE)
	@echo "The site is in $(SITE)/; docs/deploy.md says where it can go."

sizes: program tools ## the size of every file of the site, raw and compressed, beside the budgets
	@build/mksite $(MKSITE_FLAGS) --out $(SITE) --sizes

check-sizes: program tools ## fail where the site is over a size budget
	@build/mksite $(MKSITE_FLAGS) --out build/check/site --budget

# --- the model --------------------------------------------------------------------------------------------------------

train-native: ## train on the embedded MovieLens and write the model of the site (DATA=… ITEMS=… OUT=… for other data)
	@mkdir -p $(dir $(OUT))
	go run ./core/cmd/pmlam train --data $(DATA) $(if $(ITEMS),--items $(ITEMS)) $(TRAIN) --out $(OUT)

# The committed model is what train-native writes, byte for byte.
check-model: ## train the committed model again and compare it byte for byte
	@$(MAKE) --no-print-directory train-native DATA=assets/data/ml-latest-small ITEMS= OUT=build/check/movielens.msgpack
	@cmp build/check/movielens.msgpack assets/models/movielens.msgpack || \
		{ echo "The committed model is not what train-native writes: run make train-native and commit the result."; exit 1; }

# The paper's tables and figures. It can be stopped at any time, and goes on where it was: make reproduce ARGS="--max-time 1h --jobs 2".
REPRODUCE ?= all
reproduce: ## make the paper's tables and figures from real runs: DATA="one another", REPRODUCE=table2, ARGS (docs/reproduction.md; hours)
	@mkdir -p build/measure
	@go build -o build/measure/pmlam ./core/cmd/pmlam
	build/measure/pmlam reproduce $(REPRODUCE) $(foreach d,$(DATA),--data $(d)) --known docs/results --out build/measure/reproduction $(ARGS)

# What docs/RESULTS.md, docs/uncertainty.md and docs/gpu.md state, the page's pictures and icons: the studies have a Makefile of
# their own, whose targets can be made from here.
studies: ## list the studies: what measures the figures of the documents
	@$(MAKE) --no-print-directory -f docs/bench/Makefile help

measure screenshots icons lighthouse:
	@$(MAKE) --no-print-directory -f docs/bench/Makefile $@

measure-%:
	@$(MAKE) --no-print-directory -f docs/bench/Makefile $@

# --- generated files --------------------------------------------------------------------------------------------------

generate: ## write all generated files again: components, codecs, the helper script, the kernel where clang-19 is there
	@.ci/generate

check-generated: ## fail where a generated file is not what its source generates
	@.ci/check-generated

# --- tests ------------------------------------------------------------------------------------------------------------

# In order of what tells most for the least time. Each can be made alone.
TEST_STEPS := test-tools lint check-generated test-go test-gpu test-fresh check-sizes fuzz check-model

test: ## everything that continuous integration runs; what was skipped is listed last
	@.ci/steps $(TEST_STEPS)

test-tools: ## install what the tests need beyond Go, or say what is missing
	@.ci/tools

test-go: ## go test of every package, under node and in a browser too
	@.ci/gotest $(PACKAGES)

# The packages that the build tag gpu adds to, and their tests that it adds. With PMLAM_GPU=1 they run on the machine's own GPU where they can.
GPU := ./core/internal/cuda/... ./core/pmlam ./core/cmd/pmlam
gpu: ## the command with training on NVIDIA's GPUs, into build/pmlam (Linux)
	@mkdir -p build
	go build -tags gpu -o build/pmlam ./core/cmd/pmlam

test-gpu: ## the training on a GPU, without one: its kernels run on the processor (g++)
	@go vet -tags gpu ./core/...
	@.ci/gotest -tags gpu -run 'Device|Open|StandIn|Noise|Module' $(GPU)

# Downloads modules into caches of its own.
test-fresh: ## make run on a machine that has never seen the project, as far as temporary folders can be one, and a visit to its page
	@.ci/gotest -tags fresh -run 'RunFromNothing|WhatCannotRunSaysSo' ./ui/e2e

# REPEAT names the packages, RUN the tests.
repeat: ## run the tests of the page, the program and the server TIMES (30) in a row, every other time on a busy machine (hours)
	@.ci/repeat

fuzz: ## every fuzz target of every package for FUZZTIME (5s) each; FUZZTIME=1m looks longer
	@.ci/fuzz

bench: ## every benchmark, without the tests
	go test -run='^$$' -bench=. -benchmem $(PACKAGES)

lint: ## formatting, go vet for this machine and for the browser, syntax of the scripts
	@.ci/lint

# Not in `make test`: what it says depends on the day and the network, not on the code.
.PHONY: audit
audit: ready ## known faults, licences and newer versions of everything that is linked, as a report (a network; VULNDB=… for a copy of the database)
	@.ci/audit

clean: ## remove what make built (not the model, not the generated sources)
	rm -rf build site bin
