# Needs Python 3.10 or newer, make and git; everything else is put into .venv by the first target that needs it.
# `make test` also needs Linux with user namespaces (or root), iproute2 (ip, ss) and util-linux (unshare, flock).

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules

PYTHON ?= python3
BIN := .venv/bin
MNGEN := $(CURDIR)/$(BIN)/mngen
EXAMPLES := $(patsubst %/manifest.yaml,%,$(wildcard golden/*/manifest.yaml))
SHELL_MODULES = $(shell git ls-files 'templates/**/*.sh')

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "%-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: install
install: .venv/installed ## Make .venv with mngen and all development tools

.venv/installed: pyproject.toml
	@command -v $(PYTHON) >/dev/null || \
	  { echo "there is no command $(PYTHON); run: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	  { echo "$(PYTHON) is older than 3.10; run: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 1; }
	[[ -x $(BIN)/python ]] || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

.PHONY: demo
demo: .venv/installed ## From nothing to a job file, and what a change looks like
	@rm -rf build/demo && mkdir -p build/demo
	@cd build/demo && PATH="$(CURDIR)/$(BIN):$$PATH" bash ../../docs/demo.sh

.PHONY: test
test: .venv/installed ## Run all tests; many wait for simulated clusters, so there are three for each processor
	$(BIN)/python -m pytest -q -n "$$(($$(nproc) * 3))" --dist worksteal

.PHONY: lint
lint: .venv/installed ## Check style: ruff, shfmt
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/shfmt -d -i 2 -ci -bn $(SHELL_MODULES)

.PHONY: fmt
fmt: .venv/installed ## Mend style where a program can
	$(BIN)/ruff check --fix --exit-zero
	$(BIN)/ruff format
	$(BIN)/shfmt -w -i 2 -ci -bn $(SHELL_MODULES)

.PHONY: types
types: .venv/installed ## Check types: mypy, strict
	$(BIN)/mypy

.PHONY: golden
golden: .venv/installed ## Render every example anew, then read `git diff golden`
	@for example in $(EXAMPLES); do \
	  (cd "$$example" && rm -rf out && $(MNGEN) -q render manifest.yaml -o out) || exit; \
	done
	@$(BIN)/python tests/golden/update_errors.py
	@$(BIN)/python tests/golden/update_failures.py
	@git --no-pager diff --stat -- golden

.PHONY: docs
docs: .venv/installed ## Write the generated pages of docs/ anew
	@$(BIN)/python tests/packaging/update_pages.py
	@git --no-pager diff --stat -- docs

.PHONY: drift
drift: golden docs ## Fail when examples or pages are not what the sources make
	@git --no-pager diff --exit-code -- golden docs
	@new="$$(git ls-files --others --exclude-standard -- golden docs)"; \
	  [[ -z $$new ]] || { echo "not checked in: $$new" >&2; exit 1; }

.PHONY: wheel
wheel: .venv/installed ## Build dist/mngen-*.whl, and try it in a fresh environment
	@rm -rf build/lib build/bdist.* dist
	$(BIN)/python -m build --wheel --no-isolation --outdir dist
	WHEEL_FOLDER=dist $(BIN)/python -m pytest -q tests/packaging

.PHONY: clients
clients: .venv/installed ## Have the real SkyPilot and dstack clients load what is rendered
	$(BIN)/python tests/clients/check.py

.PHONY: test-real
test-real: .venv/installed ## Run generated files on a real Slurm with real Ray, build with real engines; needs root and Debian
	$(BIN)/python tests/real/run.py
	$(BIN)/python tests/engines/run.py -m "not only_all"

.PHONY: test-engines
test-engines: .venv/installed ## Build, push and read images with every engine, and every failure of them
	$(BIN)/python tests/engines/run.py

.PHONY: matrix
matrix: .venv/installed ## Run a cover of all ways, networks and versions, and every fault; writes docs/matrix.md
	$(BIN)/python tests/real/run.py --set page --page docs/matrix.md

.PHONY: test-real-all
test-real-all: .venv/installed ## Run all that make matrix does, and what is left of the whole matrix
	$(BIN)/python tests/real/run.py --set all --ledger tests/real/ran.tsv

.PHONY: mutate
mutate: .venv/installed ## Break the launch templates in one place at a time; some test must fail
	$(BIN)/python tests/mutation/run.py

.PHONY: bench
bench: .venv/installed ## Measure what is claimed about speed; writes benchmarks/RESULTS.md
	$(BIN)/python benchmarks/run.py

.PHONY: bench-bootstrap
bench-bootstrap: .venv/installed ## Measure the start of a job on real Slurm and Ray; needs root and Debian
	PYTHONPATH=tests/real $(BIN)/python benchmarks/bootstrap/run.py

.PHONY: bench-scale
bench-scale: .venv/installed ## Start jobs of up to 1,000 nodes, real Slurm and stand-ins; needs root and Debian
	PYTHONPATH=tests/real $(BIN)/python benchmarks/scale/run.py

.PHONY: ci
ci: lint types test drift wheel ## All that has to pass before a change goes in

.PHONY: clean
clean: ## Remove all that can be made again, .venv too
	rm -rf .venv build dist .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis generator/mngen.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
