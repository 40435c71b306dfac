# `make` lists the targets: each line of that list is the text behind "## " here. `make run` needs Go, make, git and a
# POSIX shell; any make since 3.81 will do. The longer steps of `make test` are scripts in .ci/, which need bash.
.DEFAULT_GOAL := help

# --- settings: give them on the command line or in the environment ----------------------------------------------------
PORT     ?= 8080
SITE     ?= site
MODEL    ?= assets/models/movielens.msgpack
PROGRAM  ?= build/app.wasm
MAIN     ?= ./wasm
PROJECT  ?= pmlam.toml
QUALITY  ?= 11
PACKAGE  ?= build/package
EMBEDDED ?= build/embed.wasm
FUZZTIME ?= 5s
# train-native. The committed model has every film that two people liked, so that visitors find theirs; it is measured
# on the test items of the usual split, which have five likes or more.
DATA     ?= assets/data/ml-latest-small
ITEMS    ?=
OUT      ?= $(MODEL)
TRAIN    ?= --measure $(if $(filter assets/data/ml-latest-small,$(DATA)),--min-item 2 --test-min-item 5)
# The licence of the data, which is published beside the model. For a model of your own, name another file, or none.
LICENCE  ?= $(if $(filter assets/models/movielens.msgpack,$(MODEL)),assets/data/ml-latest-small/README.txt)

# --- the same on every machine ----------------------------------------------------------------------------------------
# go.mod is complete and never written; git is not asked, since it refuses to answer where another user has cloned.
export GOFLAGS := $(strip $(filter-out -mod=% -modfile=% -buildvcs=%,$(shell go env GOFLAGS 2>/dev/null)) \
	-mod=readonly -buildvcs=false)
ifeq ($(HOME),)
export HOME := $(CURDIR)/build/home
endif
# "./..." would take in what lies in build/ too. go test begins in this order: what takes longest is first.
FOLDERS  := ui wasm core server
PACKAGES := $(FOLDERS:%=./%/...)
export PORT FUZZTIME PACKAGES FOLDERS LAB

# The page shows the command's version. One of git would change the program's bytes, and its name, with every commit.
VERSION := $(shell awk -F '"' '/^var Version = / { print $$2 }' core/train/options.go)
# What `make site` publishes besides the page that the command carries.
SITE_FLAGS = --model $(MODEL) $(if $(LICENCE),--copy assets/models/README.txt=$(LICENCE)) --quality $(QUALITY)
MKPAGE = go run ./server/cmd/mkpage --cache build/compressed --program "$(PROGRAM)" \
	--wasm-exec "$$(go env GOROOT)/lib/wasm/wasm_exec.js"
# The laboratory, a module of its own: go in its folder knows its packages as ./...
LAB := core/lab
# The packages that the build tag gpu adds to, and those of the laboratory.
GPU   := ./core/internal/cuda/... ./core/pmlam ./core/cmd/pmlam
GPU_LAB := ./reproduce ./cmd/pmlam-lab
BENCH := --no-print-directory -f $(LAB)/Makefile

# Every target is something to do, never a file.
.PHONY: $(shell awk -F ':' '/^[a-z][a-z -]*:/ { print $$1 }' Makefile)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
doctor: ## what is there and what is missing on this machine for each target, and the command that installs it
	@.ci/tools --doctor

# --- the site ---------------------------------------------------------------------------------------------------------
ready:
	@.ci/ready
# The page's components are not inlined, which takes 48 KB off the program as brotli sends it.
program: ready ## the browser's program, into build/app.wasm
	@GOOS=js GOARCH=wasm go build -trimpath -gcflags="$$(go list -m)/ui/...=-l" \
		-ldflags="-s -w -X main.version=$(VERSION)" -o "$(PROGRAM)" $(MAIN)
# Compressed quickly, and without the package for other pages. The server replaces make's shell, so that Ctrl-C reaches it.
run: ready ## build everything and serve the site on http://localhost:8080 (PORT=… for another port)
	@echo "Building the program and the command …"
	@$(MAKE) --no-print-directory program || .ci/ready --modules
	@$(MKPAGE) --quality 5 && go build -o build/pmlam ./core/cmd/pmlam || .ci/ready --modules
	@build/pmlam site $(SITE_FLAGS) --quality 5 --out build/site >build/site.log
	@exec build/pmlam serve --folder build/site --log off
pmlam: program package ## the command pmlam, which carries the page, into build/pmlam
	@$(MKPAGE) --package $(PACKAGE)
	@CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o build/pmlam ./core/cmd/pmlam
# As npm has it, and as a site publishes it in its folder embed.
package: ready ## the npm package @pmlam/recommender, into build/package/
	@$(MAKE) --no-print-directory program MAIN=./wasm/embed PROGRAM=$(EMBEDDED)
	@.ci/package $(PACKAGE) $(EMBEDDED)
site: pmlam ## write the complete static folder, ready for any host, into site/ (SITE=… MODEL=…)
	@build/pmlam site $(SITE_FLAGS) --out $(SITE)
	@echo "docs/deploy.md says which hosts can serve it."
bundle: pmlam ## write the site that a pmlam.toml describes (PROJECT=…/pmlam.toml; docs/owners.md)
	@build/pmlam site --quality $(QUALITY) --project $(PROJECT)
sizes: pmlam ## the size of every file of the site, raw and compressed, next to the budgets
	@build/pmlam site $(SITE_FLAGS) --out $(SITE) --sizes
check-sizes: pmlam ## fail if the site exceeds a size budget
	@build/pmlam site $(SITE_FLAGS) --out build/check/site --budget

# --- the model --------------------------------------------------------------------------------------------------------
train-native: ## train on the embedded MovieLens and write the model of the site (DATA=… ITEMS=… OUT=… for other data)
	@mkdir -p $(dir $(OUT))
	go run ./core/cmd/pmlam train --data $(DATA) $(if $(ITEMS),--items $(ITEMS)) $(TRAIN) --out $(OUT)
check-model: ## train the committed model again and compare it byte for byte
	@$(MAKE) --no-print-directory train-native DATA=assets/data/ml-latest-small ITEMS= OUT=build/check/movielens.msgpack
	@cmp build/check/movielens.msgpack assets/models/movielens.msgpack || \
		{ echo "The committed model is not what train-native writes: run make train-native and commit it."; exit 1; }
# It can be stopped at any time and goes on where it was: make reproduce ARGS="--max-time 1h --jobs 2".
REPRODUCE ?= all
reproduce: ## the paper's tables and figures from real runs: DATA="one another", REPRODUCE=table2, ARGS (hours)
	@mkdir -p build/measure
	@go build -C $(LAB) -o $(CURDIR)/build/measure/ ./cmd/pmlam-lab
	build/measure/pmlam-lab reproduce $(REPRODUCE) $(foreach d,$(DATA),--data $(d)) --known core/lab/results \
		--out build/measure/reproduction $(ARGS)
# What the documents state is measured by core/lab/Makefile, whose targets can be made from here.
studies: ## list the studies: what measures the figures of the documents
	@$(MAKE) $(BENCH) help
measure screenshots icons lighthouse:
	@$(MAKE) $(BENCH) $@
measure-%:
	@$(MAKE) $(BENCH) $@

# --- generated files --------------------------------------------------------------------------------------------------
generate: ## write all generated files again: components, codecs, the kernels where clang-19 is there
	@.ci/generate
check-generated: ## fail where a generated file is not what its source generates
	@.ci/check-generated

# --- tests, the quickest first; each can be made alone ----------------------------------------------------------------
test: FUZZTIME = 1s
test: ## everything that continuous integration runs; what was skipped is listed last
	@.ci/steps test-tools lint check-generated test-go test-lab test-gpu test-fresh check-sizes fuzz check-model
test-product: ## what `make test` runs of the product alone, without fuzzing and the fresh clone
	@.ci/steps test-tools lint check-generated test-go check-sizes check-model
test-tools: ## say what the tests need beyond Go and is missing; installs it where you agree, or where CI is set
	@.ci/tools
test-go: ## go test of every package, under node and in a browser too
	@.ci/gotest $(PACKAGES)
test-lab: ## go test of the laboratory
	@MODULE=$(LAB) .ci/gotest ./...
gpu: ## the command with training on NVIDIA's GPUs, into build/pmlam (Linux)
	@mkdir -p build
	go build -tags gpu -o build/pmlam ./core/cmd/pmlam
test-gpu: ## the training on a GPU, without one: its kernels run on the processor (g++); PMLAM_GPU=1 takes the GPU
	@go vet -tags gpu ./core/... && go vet -C $(LAB) -tags gpu ./...
	@.ci/gotest -tags gpu -run 'Device|Open|StandIn|Noise|Module' $(GPU)
	@MODULE=$(LAB) .ci/gotest -tags gpu -run 'Device' $(GPU_LAB)
test-fresh: ## make run in a fresh clone with empty caches, and a visit to its page (a network)
	@.ci/gotest -tags fresh -run 'RunFromNothing|WhatCannotRunSaysSo' ./ui/e2e
# Not in `make test`: its dependencies, and the server that it asks, are those of a module of its own.
test-postgres: ## the tests of server/postgres against PostgreSQL with pgvector (npm; PMLAM_POSTGRES=URL asks another)
	@.ci/test-postgres
# Nor these: Apache Beam is large, and Flink needs Maven and a JVM.
test-batch: ## the tests of server/batch on this machine, with Beam's own runner
	@.ci/test-flink prism
test-flink: ## the same, and then on a real Apache Flink (Maven, a JVM 17; FLINK=HOST:PORT asks another job server)
	@.ci/test-flink
test-flink-cluster: ## the pipelines on a Flink of several processes, one of which is killed (pip, Maven, a JVM 17)
	@.ci/test-flink-cluster
repeat: ## the tests of page, program and server, TIMES (30) in a row, half of them under load (REPEAT, RUN; hours)
	@.ci/repeat
fuzz: ## every fuzz target of every package for FUZZTIME (5s) each; FUZZTIME=1m looks longer
	@.ci/fuzz
bench: ## every benchmark, without the tests
	go test -run='^$$' -bench=. -benchmem $(PACKAGES)
	go test -C $(LAB) -run='^$$' -bench=. -benchmem ./...
lint: ## formatting, line lengths, go vet and staticcheck, prettier and eslint for the scripts
	@.ci/lint
# Not in `make test`: what it says depends on the day and the network.
audit: ready ## known faults, licences and newer versions of what is linked (a network; VULNDB=… for a local database)
	@.ci/audit
# Only names that make itself writes: measurements, rounds of tests and anybody's own files stay.
BUILT := app.wasm embed.wasm site.log pmlam govulncheck staticcheck fuzzer compressed/*.br \
	compressed/*.gz check/movielens.msgpack
clean: ## remove programs and compressed forms that make built; sites, packages and measurements stay
	rm -f $(BUILT:%=build/%)
	@for d in site build bin; do [ ! -e $$d ] || echo "$$d/ may hold more: look, and remove it by hand"; done
