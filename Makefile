# What a person types. `make` alone lists the targets; each line of that list is the text behind "## " below.
#
# Recipes are written for a plain POSIX shell and any make since 3.81, so that `make run` needs Go, make and git and
# nothing else. The longer steps of `make test` are scripts in .ci/, which need bash.

.DEFAULT_GOAL := help

# --- settings, all of them to be overridden on the command line or in the environment -------------------------------

PORT     ?= 8080
SITE     ?= site
MODEL    ?= assets/models/movielens.msgpack
FUZZTIME ?= 20s

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
	--with assets/js/wasm_exec.js="$$(go env GOROOT)/lib/wasm/wasm_exec.js" \
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
.PHONY: help doctor ready run site sizes test-fresh repeat test train-native generate check-generated check-model check-sizes test-tools test-go \
	fuzz bench lint clean tools program

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

# Every figure of docs/RESULTS.md on MovieLens small, by the commands that anyone can type.
LENS    := --data assets/data/ml-latest-small
MEASURE := build/measure
.PHONY: reproduce measure measure-paper measure-data measure-engine measure-uncertainty measure-together measure-map measure-catalogues \
	screenshots icons lighthouse
measure: ## measure what docs/RESULTS.md states, on MovieLens small (half an hour)
	@mkdir -p $(MEASURE)
	@go build -o $(MEASURE)/pmlam ./core/cmd/pmlam
	$(MEASURE)/pmlam evaluate $(LENS) --fold 0 --baselines popularity,itemknn,weighted,ease
	$(MEASURE)/pmlam train $(LENS) --fold 0 --preset hybrid
	$(MEASURE)/pmlam train $(LENS) --fold 0 --preset composed --precision float32 --out $(MEASURE)/float32.msgpack
	$(MEASURE)/pmlam train $(LENS) --fold 0 --preset composed --precision float16 --out $(MEASURE)/float16.msgpack
	$(MEASURE)/pmlam train $(LENS) --fold 0 --preset composed --precision int8 --out $(MEASURE)/int8.msgpack
	@# A visitor's path: everybody inferred from their training items, from each precision.
	for p in float32 float16 int8; do $(MEASURE)/pmlam evaluate $(LENS) --fold 0 --model $(MEASURE)/$$p.msgpack; done
	$(MEASURE)/pmlam train $(LENS) --min-item 2 --test-min-item 5 --fold 0 --out $(MEASURE)/shipped.msgpack
	$(MEASURE)/pmlam unseen $(LENS) --preset composed
	$(MEASURE)/pmlam unseen $(LENS) --auto=false --share 0.02 --draws 50

measure-paper: ## measure the paper's preset, with adaptive and with fixed margins, on MovieLens small (minutes)
	@mkdir -p $(MEASURE)
	@go build -o $(MEASURE)/pmlam ./core/cmd/pmlam
	$(MEASURE)/pmlam train $(LENS) --preset paper --fold 0
	$(MEASURE)/pmlam train $(LENS) --preset paper --fold 0 --alpha 0.1 --negatives 2 --epochs 300 --validation 0.1 --every 20
	$(MEASURE)/pmlam train $(LENS) --preset paper --fold 0 --margin fixed --margin-value 2 --relations none --epochs 300 --validation 0.1 --every 20

# The settings are those that docs/RESULTS.md explains.
HYBRID := --preset hybrid --auto=false --batch 4000 --lr 0.02
ON_CDS := $(HYBRID) --relations fixed --relation-weight 0.1 --item-lambda 20 --item-weight 11.3
measure-data: ## measure the hybrid and plain methods on CDs, dpq-electronics and Gowalla in PMLAM_DATA (an hour)
	@mkdir -p $(MEASURE)
	@go build -o $(MEASURE)/pmlam ./core/cmd/pmlam
	$(MEASURE)/pmlam evaluate --data $(PMLAM_DATA)/amazon-cds-pmlam-partial --fold 0 --baselines itemknn,weighted,ease
	$(MEASURE)/pmlam evaluate --data $(PMLAM_DATA)/dpq-electronics --baselines itemknn,weighted,ease
	$(MEASURE)/pmlam evaluate --data $(PMLAM_DATA)/gowalla-lightgcn --baselines itemknn,weighted
	$(MEASURE)/pmlam train --data $(PMLAM_DATA)/amazon-cds-pmlam-partial --fold 0 $(ON_CDS)
	$(MEASURE)/pmlam unseen --data $(PMLAM_DATA)/amazon-cds-pmlam-partial $(ON_CDS)
	$(MEASURE)/pmlam train --data $(PMLAM_DATA)/dpq-electronics $(HYBRID)
	$(MEASURE)/pmlam train --data $(PMLAM_DATA)/gowalla-lightgcn $(HYBRID) --dim 100 --temperature 0.5

# The figures of docs/uncertainty.md. The people of MovieLens small are left out in turn; with other kinds of users, and on CDs
# and Gowalla, where nobody rated, it is about σ alone: an ensemble of models that are trained first.
OF_GOWALLA := --preset best --auto=false --calibrate=false --batch 4000 --lr 0.02 --dim 100 --temperature 0.5 --epochs 8
UNSURE     := $(MEASURE)/uncertainty
measure-uncertainty: ## measure what docs/uncertainty.md states; PMLAM_DATA names the folder with CDs and Gowalla, if they are there (an hour)
	@mkdir -p $(UNSURE)
	@go build -o $(MEASURE)/pmlam ./core/cmd/pmlam
	$(MEASURE)/pmlam evaluate --uncertainty $(LENS) --auto=false --plots $(UNSURE)/hybrid
	for users in "" --free-users "--free-users --user-weight 0"; do \
		for s in 1 2 3 4 5; do $(MEASURE)/pmlam train $(LENS) --fold 0 --preset composed $$users --calibrate=false --with-users --precision float32 --seed $$s --out $(UNSURE)/lens$$s || exit; done; \
		$(MEASURE)/pmlam evaluate --uncertainty $(LENS) --fold 0 --model $(UNSURE)/lens1 --ensemble $(UNSURE)/lens2,$(UNSURE)/lens3,$(UNSURE)/lens4,$(UNSURE)/lens5 || exit; \
	done
	if [ -n "$(PMLAM_DATA)" ]; then \
		$(MEASURE)/pmlam evaluate --uncertainty --data $(PMLAM_DATA)/ml-100k --auto=false --tenths 3 --seeds 1 || exit; \
		$(MEASURE)/pmlam evaluate --uncertainty --data $(PMLAM_DATA)/amazon-cds-pmlam-partial $(ON_CDS) --epochs 15 --calibrate=false --tenths 1 --seeds 1 || exit; \
		for s in 1 2 3; do $(MEASURE)/pmlam train --data $(PMLAM_DATA)/amazon-cds-pmlam-partial --fold 0 $(ON_CDS) --epochs 15 --calibrate=false --with-users --precision float32 --seed $$s --out $(UNSURE)/cds$$s || exit; done; \
		$(MEASURE)/pmlam evaluate --uncertainty --data $(PMLAM_DATA)/amazon-cds-pmlam-partial --fold 0 --model $(UNSURE)/cds1 --ensemble $(UNSURE)/cds2,$(UNSURE)/cds3 || exit; \
		for s in 1 2 3; do $(MEASURE)/pmlam train --data $(PMLAM_DATA)/gowalla-lightgcn $(OF_GOWALLA) --with-users --precision float32 --seed $$s --out $(UNSURE)/gowalla$$s || exit; done; \
		$(MEASURE)/pmlam evaluate --uncertainty --data $(PMLAM_DATA)/gowalla-lightgcn --model $(UNSURE)/gowalla1 --ensemble $(UNSURE)/gowalla2,$(UNSURE)/gowalla3; \
	fi

# docs/baselines.md: what others published, and the same methods here. NAMES="cml bprmf" does some of them.
.PHONY: measure-published
measure-published: ## train the methods that PMLAM is compared with on the published Gowalla split in PMLAM_DATA; SLICE=8m to stop and go on (hours)
	@mkdir -p $(MEASURE)
	@go build -o $(MEASURE)/pmlam ./core/cmd/pmlam
	docs/bench/published.sh $(MEASURE)/pmlam $(PMLAM_DATA)/gowalla-lightgcn $(MEASURE)/published $(NAMES)

# The paper's tables and figures. It can be stopped at any time, and goes on where it was: make reproduce ARGS="--max-time 1h --jobs 2".
REPRODUCE ?= all
reproduce: ## make the paper's tables and figures from real runs: DATA="one another", REPRODUCE=table2, ARGS (docs/reproduction.md; hours)
	@mkdir -p $(MEASURE)
	@go build -o $(MEASURE)/pmlam ./core/cmd/pmlam
	$(MEASURE)/pmlam reproduce $(REPRODUCE) $(foreach d,$(DATA),--data $(d)) --known docs/results --out $(MEASURE)/reproduction $(ARGS)

measure-engine: ## measure the training engine; PMLAM_DATA names the folder with CDs and Gowalla (minutes, a quiet machine)
	go test -run '^$$' -bench Epoch -benchtime 10x -timeout 30m ./core/pmlam
	go test -run '^$$' -bench . -benchtime 0.1s ./core/internal/vec/...
	PMLAM_BIG=1 go test -count=1 -run Big -v ./core/relation
	go test -run '^$$' -bench Evaluate -benchtime 1x ./core/eval

# docs/gpu.md says what each is for. PYTHON is one that has torch.
.PHONY: measure-gpu
measure-gpu: gpu ## measure the training on a GPU; PMLAM_DATA names the folder with CDs (minutes, a GPU, a quiet machine)
	PMLAM_GPU=1 go test -tags gpu -count=1 -v -run 'DeviceLearns|DeviceBits|DeviceRanksAs|DeviceCheckpoints' ./core/pmlam
	DEVICE=cuda:0 EPOCHS=10 docs/bench/epoch.sh
	go run -tags gpu ./docs/bench -data books -epochs 10 -device cuda:0
	for d in cpu cuda:0; do \
		build/pmlam train --data $(PMLAM_DATA)/amazon-cds-pmlam-partial --fold 0 --preset paper --epochs 40 --device $$d || exit; \
		build/pmlam train --data $(PMLAM_DATA)/amazon-cds-pmlam-partial --fold 0 $(ON_CDS) --preset best --calibrate=false --device $$d || exit; \
	done

measure-together: ## measure ways to put two people's tastes together, on pairs of users of MovieLens small (minutes)
	@mkdir -p $(MEASURE)
	@go build -o $(MEASURE)/pmlam ./core/cmd/pmlam
	$(MEASURE)/pmlam train $(LENS) --fold 0 --preset hybrid --auto=false --out $(MEASURE)/together.msgpack
	PMLAM_TOGETHER=$(CURDIR)/$(MEASURE)/together.msgpack go test -count=1 -run WhatSuitsTwo -v ./core/recommender

measure-map: ## measure how smooth the map is while it is dragged and zoomed, 3,708, 10,000 and 200,000 titles (chromium, a quiet machine)
	go test -run '^$$' -bench Map -benchtime 3x ./ui/e2e

# The tasks and the likes are those of a browser that draws in software; -v shows each step that was taken.
measure-catalogues: ## measure tasks, likes and memory with 3,708, 10,000 and 200,000 titles, and the first hundred of a million (chromium, node, a quiet machine)
	go test -run '^$$' -bench Tasks -benchtime 1x -timeout 30m -v ./ui/e2e
	go test -run '^$$' -bench Like -benchtime 40x -timeout 30m ./ui/e2e
	go test -run '^$$' -bench Sieve ./core/rank
	go test -run '^$$' -bench UnderNode -benchtime 1x -v ./wasm/kernel

screenshots: ## take the pictures of the page that README shows, into docs/images (chromium)
	PMLAM_SHOTS=docs/images go test -count=1 ./ui/e2e -run Shots

# Not in `make test`: it installs 185 MB from npm and wants a quiet machine.
lighthouse: program tools ## measure the served site with Lighthouse, on a phone and a desktop, into build/lighthouse (chromium, npm)
	@build/mksite $(MKSITE_FLAGS) --out build/lighthouse/site
	@npm ci --prefix ui/e2e/lighthouse --no-audit --no-fund --loglevel error
	@node ui/e2e/lighthouse/measure.mjs build/serve build/lighthouse/site build/lighthouse

icons: ## write the icons of the manifest, PNG, from the SVG ones (chromium)
	PMLAM_ICONS=1 go test -count=1 ./ui/e2e -run Icons

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
.PHONY: gpu test-gpu
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

fuzz: ## every fuzz target of every package for FUZZTIME (20s) each
	@.ci/fuzz

bench: ## every benchmark, without the tests
	go test -run='^$$' -bench=. -benchmem $(PACKAGES)

lint: ## formatting, go vet for this machine and for the browser, syntax of the scripts
	@.ci/lint

clean: ## remove what make built (not the model, not the generated sources)
	rm -rf build site bin
