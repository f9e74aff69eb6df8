# The main commands are `make run` and `make test`. Both need Debian 13 or 12 with Swift and the packages that Swift's installation page
# lists; `setup` installs the rest.

SHELL := /bin/bash
.DEFAULT_GOAL := help

# libmicrohttpd-dev: the HTTP server. libsqlite3-dev: the event log. libpq-dev: the event log in PostgreSQL. libssl-dev: cryptography.
# libcurl4-openssl-dev: requests to other servers. zlib1g-dev: compressed pages. pkg-config: how the package manager finds these libraries.
RUN_PACKAGES := libcurl4-openssl-dev libmicrohttpd-dev libpq-dev libsqlite3-dev libssl-dev pkg-config zlib1g-dev

# curl and jq: the transcripts of README and tour, which are run as a test. python3: the crash test, the clients of the test scripts,
# and two checks of lint. python3-venv: openapi-spec-validator, the WebSocket cases and Selenium from PyPI, without changing the
# system's Python. strace: counts the fdatasync calls of the commit path. faketime: a program whose wall clock is set. chromium and
# chromium-driver: users of the web page. nodejs, node-typescript: the JavaScript client and its types. nginx: the proxy of docker/nginx.conf; its own service is not
# needed. postgresql: a server that runs during the tests (.ci/with-postgres.sh); Debian's own is not changed. slowhttptest: slow clients.
# valgrind: counts instructions and allocations. zsh: runs the transcript of the README, as bash and dash do. debootstrap and dpkg-dev: make
# and install the Debian package.
TEST_PACKAGES := chromium chromium-driver curl debootstrap dpkg-dev faketime jq nginx node-typescript nodejs postgresql python3 python3-venv slowhttptest strace valgrind zsh

# wrk: makes the load. python3: prepares the rooms and prints the table. strace, valgrind: count. The others are what this is compared
# with: nginx with nchan, Node, PostgreSQL and Redis; their own services are not needed and may be stopped.
BENCH_PACKAGES := libnginx-mod-nchan nginx nodejs postgresql python3 redis-server strace valgrind wrk

# The build that Tests/scripts run. A release build takes minutes on two cores and checks nothing more than a debug build;
# `make test SCRIPT_CONFIGURATION=release` is for measuring.
SCRIPT_CONFIGURATION ?= debug

# dpkg-dev: finds the packages of the libraries that the program loads. python3: the manual page and the list of what is inside.
RELEASE_PACKAGES := dpkg-dev python3

# Options of every build that is run or measured: specialising generic code across modules and linking the Swift runtime statically
# reduce the cost of a bid by a tenth. There is no debugging information: a backtrace has its functions from the symbol table, packages and
# images are stripped of all else, and the compiler has a sixth less to do than with line tables. What is not optimised stands in Package.swift
# (decision "A release optimises what requests go through"). C modules are not named (breadcrumbs), as their signatures contain times of files:
# the same source gives the same bytes. Exclusive access is checked at run time in debug builds, so in all tests, and not in these (decision
# "Exclusivity is checked in tests"). The image is built the same way (docker/Dockerfile). One job more than there are processors: SwiftPM starts
# what is ready in the order of names, so that on two processors AuctionService, which the server waits for, came after both logs.
RELEASE := -c release -Xswiftc -cross-module-optimization -Xswiftc -gnone \
    -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs -Xswiftc -enforce-exclusivity=unchecked --static-swift-stdlib \
    --jobs $(shell expr $$(nproc) + 1)
export RELEASE

# How many seeds the simulator runs, and in how many seconds at most: `make simulate SEEDS=100000 SIMULATION_SECONDS=3600`.
SEEDS ?= 10000
SIMULATION_SECONDS ?= 300
export SEEDS SIMULATION_SECONDS

# Passed on to `auction-room serve` by `make run`, as in: make run ARGS="--port 9000"
ARGS ?=

.PHONY: help release-options setup setup-test setup-bench run release demo check test test-all nightly test-costs test-faults test-sale test-sanitized test-contract-fuzz test-slow-attack \
	test-address-attack simulate fuzz fuzz-server bench bench-quick bench-postgres bench-streams docs lint clean

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-19s %s\n", $$1, $$2 }' Makefile

setup: ## Install the Debian packages that building and running need, if any is missing
	@.ci/setup.sh $(RUN_PACKAGES)

setup-test:
	@.ci/setup.sh $(RUN_PACKAGES) $(TEST_PACKAGES)

setup-bench:
	@.ci/setup.sh $(RUN_PACKAGES) $(BENCH_PACKAGES)

# The shell is replaced by the program, so that the program gets the signals. AUCTION_ROOM_STORE and SWIFT_BACKTRACE of the caller
# take precedence.
run: setup ## Build and serve on http://127.0.0.1:8080 with the data under ./data (ARGS="--port 9000 …")
	@swift build $(RELEASE) --product auction-room
	@mkdir -p data; \
	export AUCTION_ROOM_STORE="$${AUCTION_ROOM_STORE:-sqlite:./data/rooms.db}"; \
	export SWIFT_BACKTRACE="$${SWIFT_BACKTRACE:-$$(.ci/backtrace.sh)}"; \
	exec "$$(swift build $(RELEASE) --show-bin-path)/auction-room" serve $(ARGS)

# For scripts that build what they measure.
release-options:
	@echo '$(RELEASE)'

release: ## Build the Debian package, its SHA256SUMS and SPDX list in .build/release-files
	@.ci/setup.sh $(RUN_PACKAGES) $(RELEASE_PACKAGES)
	@docker/debian/build.sh

demo: setup ## Build and serve a sale by simulated people on http://127.0.0.1:8080 (ARGS="--port 9000")
	@swift build $(RELEASE) --product auction-room
	@exec "$$(swift build $(RELEASE) --show-bin-path)/auction-room" demo $(ARGS)

check: setup-test ## While working: lint, a debug build and the fast unit tests (FILTER=)
	@.ci/check.sh

test: setup-test ## Lint, all Swift tests, a sample of the simulator, and the scripts that show the promises; some ten minutes
	@SCRIPT_CONFIGURATION=$(SCRIPT_CONFIGURATION) .ci/test.sh

test-all: setup-test ## All other checks too; at most half an hour more (after `make test` of the same tree, only those)
	@SCRIPT_CONFIGURATION=$(SCRIPT_CONFIGURATION) .ci/test-all.sh

nightly: setup-test ## What takes hours: fresh seeds, sanitizers, every fault, costs, a sale of 200 lots, instruction counts
	@.ci/nightly.sh

test-faults: setup-test ## Every case of the fault matrix and every cut of a link, on the real program; a few minutes
	@swift build --product auction-room && swift build --product audit-events
	@export AUCTION_ROOM_BIN="$$(swift build --show-bin-path)/auction-room"; \
	FAULTS=all Tests/scripts/test-faults.sh && LINKS=all Tests/scripts/test-links.sh

test-sale: setup-test ## A sale of 200 lots by itself on SQLite and on three nodes, with kills and restarts; some 15 minutes (LOTS=)
	@swift build --product auction-room && swift build --product audit-events
	@LOTS=$(or $(LOTS),200) AUCTION_ROOM_BIN="$$(swift build --show-bin-path)/auction-room" Tests/scripts/test-sale.sh

test-sanitized: setup-test ## The unit tests under ThreadSanitizer, then under AddressSanitizer
	@.ci/test-sanitized.sh

# Which targets are fuzzed, and for how long each: make fuzz SECONDS=600 TARGETS="json money"
TARGETS ?=

fuzz: setup ## libFuzzer on every parser of clients' bytes, for SECONDS=60 each
	@SECONDS_EACH=$(or $(SECONDS),60) .ci/fuzz.sh $(TARGETS)

fuzz-server: setup ## Fuzz the whole server in simulated time with requests from the contract, for SECONDS=60 (SEED=)
	@SECONDS_LONG=$(or $(SECONDS),60) .ci/fuzz-server.sh

BENCH := python3 -u Tests/Benchmarks/scripts/bench.py

bench: setup-bench ## Measure everything beside other servers, one table in .build/bench; 35 minutes (BENCH_PARTS=, BENCH_BASELINE=)
	@$(BENCH)

bench-quick: setup-bench ## The same with smaller loads and few rounds; about three minutes
	@$(BENCH) --quick

bench-postgres: setup-bench ## Only durable bids on PostgreSQL beside a place_bid function, and two nodes
	@BENCH_PARTS=postgres BENCH_NODES=2 $(BENCH)

bench-streams: setup-bench ## Only subscribers, beside nginx with nchan, and beside stalled readers
	@BENCH_PARTS=fan-out,beside-streams,screens,stalled-streams $(BENCH)

simulate: setup ## Run 10,000 seeds of the whole service in simulated time and audit them (SEEDS=, SIMULATION_SECONDS=)
	@.ci/simulate.sh

test-contract-fuzz: setup-test ## Schemathesis as two users against the contract (SECONDS_LIMIT=600, SEED=)
	@swift build --product auction-room
	@SECONDS_LIMIT=$${SECONDS_LIMIT:-600} AUCTION_ROOM_BIN="$$(swift build --show-bin-path)/auction-room" \
		Tests/scripts/test-contract-fuzz.sh

test-costs: setup-test ## Check the cost limits of every operation: processor time, bytes held and written; needs a quiet machine
	@swift build $(RELEASE) --product auction-room
	@AUCTION_ROOM_BIN="$$(swift build $(RELEASE) --show-bin-path)/auction-room" Tests/scripts/costs.sh

test-slow-attack: setup-test ## 1,000 slow clients of each kind, and the bids' p99 meanwhile; needs a quiet machine
	@swift build $(RELEASE) --product auction-room
	@CONNECTIONS=1000 ROUNDS=3 COMPARE=1 AUCTION_ROOM_BIN="$$(swift build $(RELEASE) --show-bin-path)/auction-room" \
		Tests/scripts/test-slow-attack.sh

test-address-attack: setup-test ## 4,000 connections of one address and of 1,000, and the bids' p99 meanwhile; needs a quiet machine
	@swift build $(RELEASE) --product auction-room
	@EACH=1000 ROUNDS=3 SECONDS_EACH=8 COMPARE=1 AUCTION_ROOM_BIN="$$(swift build $(RELEASE) --show-bin-path)/auction-room" \
		Tests/scripts/test-address-attack.sh

# The catalogs of these targets. The documentation plugin is a dependency only where AUCTION_ROOM_DOCS is set (Package.swift), so that
# other builds neither download nor build it.
DOCS := AuctionClientCore AuctionServer StateMachines

docs: setup ## Build the articles and the reference as web pages under .build/docs
	@mkdir -p .build/docs; \
	for target in $(DOCS); do \
		rm -rf ".build/docs/$$target"; \
		AUCTION_ROOM_DOCS=1 swift package --allow-writing-to-directory .build/docs generate-documentation --target "$$target" \
			--output-path ".build/docs/$$target" || exit 1; \
	done

lint: ## Formatting, file sizes, purity of the pure targets, doc comments, words, the top level
	@.ci/lint.sh

clean: ## Remove everything built; ./data stays
	rm -rf .build .build-fuzz .build-thread .build-address .cache
