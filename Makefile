# Every target installs what it needs. 'make run' starts the whole site, 'make test' runs what every change must pass.

PORT ?= 3000
# The folder of the version that is served now; pages that are open still ask for its scripts.
PREVIOUS ?=
FORMER_DAYS := 30
# In days, of the versions that 'make pins' takes: one that was published by mistake or by a thief is withdrawn sooner.
AGE ?= 14
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(shell find advisory_site sitekit assets alembic -type f -not -name '*.pyc' 2>/dev/null) rxconfig.py
# As many as there are cores: a browser that gets half of a core is too slow for what its page expects.
PROCESSES ?= $(shell getconf _NPROCESSORS_ONLN)
at_once = --dist=loadfile --no-loadscope-reorder --numprocesses=$(PROCESSES)
units = $(BIN)/python -m pytest $(at_once) --ignore=tests/e2e --ignore=tests/cluster
browser = $(BIN)/python tests/second_pass.py $(at_once) --maxfail=6 tests/e2e
# Only what the lists say: pip before 24 resolves them anew, and refuses them when the index has newer versions.
install = $(BIN)/pip install -qq --disable-pip-version-check --require-hashes --no-deps
build = $(BIN)/reflex export --no-zip --frontend-only
say = @printf '\033[1m%s\033[0m\n' "$(1)"

# Some machines turn off the writing of bytecode; then each process would compile all modules again.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: .former .rules .types help run dev check test test-all test-fast build image-check lint spec bench pictures guide tracing pins sbom audit clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 22

run: build ## start the whole site with demo content at http://localhost:3000 (PORT=3001 for another port)
	@$(BIN)/python -m advisory_site run --port $(PORT)

dev: $(VENV)/.site ## the same with hot reload, for working on it
	$(call say,Hot reload: the site comes up at http://localhost:3000 and follows what you save.)
	@echo "It does not show true status codes (a missing page answers 200), the content security policy,"
	@echo "or pages that are complete without scripts. 'make run' shows them."
	@$(BIN)/reflex run

build: .web/.built ## the optimised site, rebuilt only when something changed

test: .web/.built $(VENV)/.tests tests/node_modules/.made ## what every change must pass, real browser included
	$(call say,Finding a browser and the servers ...)
	@$(BIN)/python tests/install_browser.py
	@$(BIN)/python tests/install_services.py
	$(call say,Checking the style and the types ...)
	@$(MAKE) --no-print-directory lint
	$(call say,Running the tests ...)
	@$(if $(ARGS),$(BIN)/python -m pytest $(at_once) $(ARGS),$(units) -m "not heavy" --cov --cov-report=)
	@$(if $(ARGS),true,$(browser) -m journey)

test-all: export CI := true
test-all: test ## also the other browser tests, WebKit, Firefox, the heavy ones and the cluster: before a release, and every night
	$(call say,Running the other tests ...)
	@$(BIN)/python -m tests.e2e.engines
	@$(units) -m heavy
	@$(browser) -m "not journey"
# They bound the time of outages; three files at once leave the cores half idle.
	@$(BIN)/python -m pytest --dist=loadfile --no-loadscope-reorder --numprocesses=3 tests/cluster

check: $(VENV)/.site ## check settings, database, Redis, mail, disk, pictures and sign-in
	@$(BIN)/python -m advisory_site check

test-fast: $(VENV)/.site $(VENV)/.tests ## all tests without a browser or several processes
	@$(BIN)/python -m pytest --ignore=tests/e2e --ignore=tests/cluster $(ARGS)

# The types take as long as all the rest, so they are checked beside it.
lint: $(VENV)/.site $(VENV)/.tests tests/node_modules/.made ## style, types, import rules, unused code
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .
	@$(MAKE) --no-print-directory --jobs=2 .types .rules

.types:
	@$(BIN)/mypy

.rules:
	@$(BIN)/lint-imports --no-cache --no-logo && $(BIN)/vulture && $(BIN)/deptry .
	@set -- tests/node_modules/@biomejs/cli-*/biome; \
		if [ -x "$$1" ]; then "$$1" lint --error-on-warnings; else echo "Biome comes for Linux alone: not run here."; fi
	@for part in tsconfig.json tsconfig.components.json; do $(BIN)/node tests/node_modules/typescript/bin/tsc -p $$part || exit 1; done

image-check: $(VENV)/.tests ## build the container image without Docker, and run it (root; Debian or Ubuntu)
	@$(BIN)/python tests/install_services.py
	@$(BIN)/python -m deploy.checks.image.check $(ARGS)

spec: ## requirement ids that no test names
	@$(PYTHON) tests/spec_ids.py

bench: .web/.built $(VENV)/.tests bench/node_modules/.made ## how fast public pages are; ARGS="lighthouse --pages /team" for a part
	@$(BIN)/python tests/install_browser.py
	@$(BIN)/python -m bench.install
	@$(BIN)/python -m bench.pages $(ARGS)

pictures: .web/.built $(VENV)/.tests ## photograph the demo for the README, into docs/pictures/
	@$(BIN)/python tests/install_browser.py
	@$(BIN)/python -m tools.pictures

guide: $(VENV)/.tests ## follow docs/deploy.md on a bare Debian in a folder, as root; downloads its packages
	@$(BIN)/python -m deploy.checks.guide

tracing: $(VENV)/.site ## install the packages for an error tracker and for traces
	@$(install) -r requirements-tracing.txt

pins: $(VENV)/.tools ## resolve requirements*.in to versions that are 14 days old, with hashes (AGE=0 for a security fix)
# Not an option: Dependabot runs the command at the head of each file again.
	@export UV_EXCLUDE_NEWER="$$(date -u -d '$(AGE) days ago' +%F)" fits=; \
		for set in requirements requirements-tracing requirements-test requirements-tools; do \
			$(BIN)/uv pip compile --quiet --upgrade --no-strip-extras --generate-hashes --universal --python-version 3.11 \
				$$fits $$set.in -o $$set.txt || exit 1; fits="$$fits -c $$set.txt"; done

sbom: $(VENV)/.tools ## list in sbom/ what this version consists of, as CycloneDX
	@$(BIN)/python -m tools.sbom

# With --strict, pip-audit ends at the first package that the index does not know: without it, it names the weaknesses of all.
audit: $(VENV)/.tools ## ask PyPI and npm which packages of this version have known weaknesses
	@failed=; \
		ask="$(BIN)/pip-audit --progress-spinner=off --require-hashes --disable-pip \
			-r requirements.txt -r requirements-tracing.txt"; \
		$$ask --strict || { failed="$$failed PyPI"; $$ask >&2; }; \
		(cd reflex.lock && PATH="$(CURDIR)/$(BIN):$$PATH" npm audit) || failed="$$failed npm"; \
		for index in $$failed; do \
			echo "audit: $$index knows a weakness of a package, or gave no answer; what it said is above." >&2; done; \
		test -z "$$failed"

clean: ## remove everything that these targets created, except the data
	@rm -rf $(VENV) .web .former tests/node_modules bench/node_modules sbom .pytest_cache .ruff_cache .mypy_cache

$(BIN)/python:
	$(call say,Making the virtual environment ...)
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed, and none was found."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; $(PYTHON) is older."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo "Python's venv module is missing: 'apt install python3-venv' brings it."; exit 1; }

$(VENV)/.site: requirements.txt | $(BIN)/python
	$(call say,Installing the packages of the site ...)
	@$(install) -r requirements.txt
	@touch $@

$(VENV)/.tests: requirements-test.txt requirements-tracing.txt | $(VENV)/.site
	$(call say,Installing the packages of the tests ...)
	@$(install) -r requirements-test.txt -r requirements-tracing.txt
	@$(BIN)/pip --disable-pip-version-check check
	@touch $@

$(VENV)/.tools: requirements-tools.txt | $(VENV)/.site
	$(call say,Installing the tools for packages ...)
	@$(install) -r requirements-tools.txt
	@touch $@

.web/.built: $(SOURCES) reflex.lock $(VENV)/.site
	$(call say,Building the site ...)
	@export NPM_CONFIG_REGISTRY="$${NPM_CONFIG_REGISTRY:-$$(PATH="$(CURDIR)/$(BIN):$$PATH" npm config get registry)}"; \
		$(build) || { echo "The build failed; trying once more, as a busy machine may have been too slow."; $(build); }
	@test -z "$(PREVIOUS)" || $(MAKE) --no-print-directory .former
# Reflex has written requirements.txt again, with the same lines: the packages need not be installed again.
	@touch $(VENV)/.site
	@touch $@

# Ages count from the day on which a script was replaced, so those of the previous version get the time of now.
.former:
	@mkdir -p $@
	@test ! -d "$(PREVIOUS)/$@" || cp -Rp "$(PREVIOUS)/$@/." $@/
	@cp -R "$(PREVIOUS)/.web/build/client/assets/." $@/
	@find $@ -type f -mtime +$(FORMER_DAYS) -delete

%/node_modules/.made: %/package.json %/package-lock.json | $(VENV)/.site
	$(call say,Installing the npm packages of $* ...)
	@cd $* && PATH="$(CURDIR)/$(BIN):$$PATH" npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@
