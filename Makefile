# make run       a server on the sample workspace, already run; nothing needs to be done before
# make test      every check and every test, the browser's too
# make quick     the checks, and the tests that need no browser and no patience, while working
# make texts     find the texts of the pages for their translation, and say which have none
# make docs      write the generated parts of the docs again
# make pictures  take the pictures of the docs again
# make clean     remove the virtual environment and the caches (never data/)

PYTHON ?= python3
PORT ?=
VENV := .venv
BIN := $(VENV)/bin
APP := $(BIN)/reviewapp
WORKERS ?= 2

.PHONY: run test quick checks lint types contracts drift safety texts docs pictures clean
.DEFAULT_GOAL := run

run: $(VENV)/installed
	@$(APP) demo
	@$(if $(PORT),REVIEWAPP_PORT=$(PORT)) $(APP) serve

test: $(VENV)/developed $(VENV)/browser $(VENV)/proxy checks
	$(BIN)/pytest -n $(WORKERS)

quick: $(VENV)/developed checks
	$(BIN)/pytest -q -n $(WORKERS) -m "not browser and not slow"

checks: lint types contracts drift safety

lint: $(VENV)/developed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python .ci/vendor/htmx-4.0.1-upgrade-check.py templates

types: $(VENV)/developed
	$(BIN)/mypy

contracts: $(VENV)/developed
	$(BIN)/lint-imports

safety: $(VENV)/developed
	$(BIN)/bandit --quiet --configfile pyproject.toml --recursive reviewapp

drift: $(VENV)/developed
	$(BIN)/python -m reviewapp.cli.reference --check docs/cli.md
	$(BIN)/python -m reviewapp.languages.texts --check

texts: $(VENV)/developed
	$(BIN)/python -m reviewapp.languages.texts

docs: $(VENV)/developed
	$(BIN)/python -m reviewapp.cli.reference docs/cli.md

pictures: $(VENV)/developed $(VENV)/browser
	$(BIN)/python docs/pictures.py

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist build

# Stamps: each is made once, and again when pyproject.toml changes.

$(BIN)/python:
	@.ci/python $(PYTHON) $(VENV)

$(VENV)/installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/developed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(VENV)/installed $@

$(VENV)/browser: | $(BIN)/python
	@.ci/chromium
	@touch $@

$(VENV)/proxy: | $(BIN)/python
	@.ci/nginx
	@touch $@
