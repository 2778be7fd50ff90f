# `make play` and `make test` do everything on a fresh machine with Python 3.11 or newer.
PYTHON ?= python3
VENV := .venv
DEV := .venv-dev
JOBS ?= 2
PIP := -m pip install --quiet --disable-pip-version-check --root-user-action=ignore
SOURCES := $(shell find src -type f -not -path '*/__pycache__/*' -not -path '*.egg-info/*') setup.py pyproject.toml

.PHONY: play build test check lint types contracts unit soak bench dev clean

play: $(VENV)/.built  ## install, compile, start the server on SQLite, open the shelf
	$(VENV)/bin/parlour serve

build: $(VENV)/.built  ## the compiled build in .venv, no server

test:  ## everything that must hold before a change lands; the compiler needs one core, so the checks take another
	@$(MAKE) --no-print-directory $(VENV)/.tools
	@$(MAKE) --no-print-directory --jobs 2 --output-sync build check
	@$(MAKE) --no-print-directory unit

check: lint types contracts

lint: $(VENV)/.tools
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .

types: $(VENV)/.tools
	$(VENV)/bin/mypy --cache-dir $(VENV)/mypy-cache  # the compiler, at work at the same time, has the usual one

contracts: $(VENV)/.tools
	PYTHONPATH=src $(VENV)/bin/lint-imports --no-cache

unit: $(VENV)/.tools $(VENV)/.built
	$(VENV)/bin/python -m pytest -n $(JOBS) --dist loadgroup

soak: $(VENV)/.tools $(VENV)/.built  ## the long runs: a million games, faults, load, cut connections
	PARLOUR_SOAK=1 $(VENV)/bin/python -m pytest -n $(JOBS) --dist loadgroup -m soak --timeout 0

bench: $(VENV)/.built
	$(VENV)/bin/parlour bench

dev: $(DEV)/.ready  ## the developer's environment: runs the source as it is edited, uncompiled

# What a target group of pyproject.toml needs, one requirement a line.
needs = -c 'import tomllib; p = tomllib.load(open("pyproject.toml", "rb")); print(*$(1), sep="\n")'
RUN_NEEDS = $(call needs,p["project"]["dependencies"] + p["build-system"]["requires"])
TEST_NEEDS = $(call needs,p["project"]["optional-dependencies"]["test"])

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Parlour needs Python 3.11 or newer: name one with make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.needs: pyproject.toml | $(VENV)/bin/pip
	@echo "parlour: fetching what it stands on."
	$(VENV)/bin/python $(RUN_NEEDS) > $(VENV)/needs.txt
	$(VENV)/bin/python $(PIP) --requirement $(VENV)/needs.txt
	@touch $@

# No --editable and a clean build folder: a compiled file never outlives the source that it was made from.
$(VENV)/.built: $(SOURCES) $(VENV)/.needs
	@echo "parlour: compiling and installing; this takes some minutes, once."
	rm -rf build
	$(VENV)/bin/python $(PIP) --no-build-isolation --force-reinstall --no-deps .
	rm -rf build
	@touch $@

$(VENV)/.tools: $(VENV)/.needs
	$(VENV)/bin/python $(TEST_NEEDS) > $(VENV)/test-needs.txt
	$(VENV)/bin/python $(PIP) --requirement $(VENV)/test-needs.txt
	@touch $@

$(DEV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(DEV)
	PARLOUR_PURE=1 $(DEV)/bin/python $(PIP) --editable ".[test]"
	@touch $@

clean:
	rm -rf build dist $(VENV) $(DEV) src/*.egg-info
