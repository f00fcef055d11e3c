# Two commands matter: `make demo` and `make test`. Both need only Python (>= 3.11) and make.
PYTHON ?= python3
NEWEST ?= $(PYTHON)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Stamps: the install runs again only when the dependencies or the version have changed.
PACKAGING := pyproject.toml src/hitmiss/_util/versions.py
DEMO_STAMP := $(VENV)/.installed
DEV_STAMP := $(VENV)/.installed-dev

.DEFAULT_GOAL := help
.PHONY: help demo test test-kernels test-rest test-all test-machines test-oldest test-newest bench fuzz docs reproduce lint format clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\): .*## \(.*\)/  make \1\t\2/p' Makefile

demo: $(DEMO_STAMP) ## install, then find two features among 10,002
	$(BIN)/python -m hitmiss demo

# What Python compiles is kept, also the rewritten assertions: their compilation takes seconds.
test test-rest test-machines: export PYTHONDONTWRITEBYTECODE =
# The kernels are compiled beside the lint, once, before two processes would each compile them.
test: $(DEV_STAMP) ## format, lint, types, doctests and the tests of every module: under four minutes
	@$(MAKE) --no-print-directory -j 2 lint test-kernels
	$(BIN)/python -m pytest -n 2 -m "not full" --ignore=tests/kernels

test-rest: $(DEV_STAMP) ## the others: documentation, release, R, browser, every estimator by every check
	@sh tools/install-chromium
	@sh tools/install-r
	$(BIN)/python -m pytest -n 2 -m full

test-all: test test-rest ## both

test-machines: $(DEV_STAMP) ## what depends on the CPU, as four other kinds of CPU compute it; SETTINGS=--all
	$(BIN)/python -m tests.machines $(SETTINGS)

test-kernels: $(DEV_STAMP)
	$(BIN)/python -m pytest -q -n 2 --dist loadfile tests/kernels

# Environments of their own at the two ends of what is supported; each keeps its compiled code.
test-oldest: .envs/oldest/.installed ## the tests with the oldest dependencies that pyproject.toml allows
	NUMBA_CACHE_DIR=$(CURDIR)/.envs/oldest/numba .envs/oldest/bin/python -m pytest -n 2 $(TESTS)

test-newest: .envs/newest/.installed ## the tests with the newest; NEWEST=python3.13 names the interpreter
	NUMBA_CACHE_DIR=$(CURDIR)/.envs/newest/numba .envs/newest/bin/python -m pytest -n 2 $(TESTS)

bench: $(DEV_STAMP) ## speed, memory and quality against peers, as ratios
	$(BIN)/python -m benchmarks

fuzz: $(DEV_STAMP) ## hostile files, interrupts, threads, definitions and memory limits; SECONDS=60 for each kind
	$(BIN)/python -m fuzz --seconds $(or $(SECONDS),60)

docs: $(DEV_STAMP) ## the documentation, in docs/_build/html
	$(BIN)/python -m sphinx -W --keep-going docs docs/_build/html

reproduce: $(DEV_STAMP) ## the published tables and figures, from where an earlier run stopped
	$(BIN)/python -m reproduce all

lint: $(DEV_STAMP) ## check format, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(DEV_STAMP) ## format the code and fix what can be fixed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean: ## remove the environment, caches and builds
	rm -rf $(VENV) .envs build dist docs/_build docs/api docs/gallery .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "hitmiss needs Python 3.11 or newer; call make with PYTHON=<path to it>.")'
	$(PYTHON) -m venv $(VENV)

# Both installs are editable, so that one never shadows the other.
# The interpreter is an order-only prerequisite: it links to a file whose age means nothing here.
$(DEMO_STAMP): $(PACKAGING) | $(BIN)/python
	$(PIP) -e '.[cli]' pandas
	@touch $@

$(DEV_STAMP): $(PACKAGING) | $(BIN)/python
	$(PIP) --upgrade 'pip>=25.1'
	$(PIP) -e '.[all]' --group dev
	@touch $(DEMO_STAMP) $@

.envs/oldest/.installed: $(PACKAGING) tools/oldest.py
	$(PYTHON) -m venv --clear .envs/oldest
	.envs/oldest/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	.envs/oldest/bin/python tools/oldest.py > .envs/oldest/constraints.txt
	.envs/oldest/bin/python -m pip install --quiet -c .envs/oldest/constraints.txt \
		-e '.[all]' --group test --group docs
	@touch $@

.envs/newest/.installed: $(PACKAGING)
	$(NEWEST) -m venv --clear .envs/newest
	.envs/newest/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	.envs/newest/bin/python -m pip install --quiet -e '.[all]' --group test --group docs
	@touch $@
