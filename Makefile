# Two commands do everything: `make read` and `make test`.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# `make test CONSTRAINTS=requirements/test.txt` installs the versions that the tests last ran with, on Python 3.11.
CONSTRAINTS ?=
PIP := $(BIN)/python -m pip --disable-pip-version-check

# The shared tasks' data are used where they lie beside the project; elsewhere set these yourself.
ifneq ($(wildcard ../shared/data),)
export MARGINALIA_DATA ?= $(abspath ../shared/data)
endif
ifneq ($(wildcard ../shared/oracle),)
export MARGINALIA_ORACLE ?= $(abspath ../shared/oracle)
endif

.PHONY: read test slow lowest docs browser postgres lint fuzz results clean

# Every example document with its notes as a page: an article, a guide, reports, two of them German.
PAGES := build/read
DOCUMENTS := $(sort $(wildcard examples/*.pdf examples/*.md examples/*.txt examples/*.html))

read: $(VENV)/installed
	$(BIN)/marginalia read $(DOCUMENTS) --format html -o $(PAGES)/
	@echo "Open these pages in a browser:"
	@for page in $(abspath $(PAGES))/*.html; do echo "  file://$$page"; done
	@echo "In the terminal: $(BIN)/marginalia read examples/guide.md; in the web reader: add --web"

test: lint browser postgres $(VENV)/installed-test
	$(BIN)/python -m pytest -n 2 -m "not slow" --cov --cov-report=term:skip-covered

# What takes long: long runs of kills and load, Ray, archives, the site, pages that run many commands. CI runs it too.
slow: browser postgres $(VENV)/installed-test
	$(BIN)/python -m pytest -n 2 -m slow

# The tests under the lowest versions that pyproject.toml allows, in an environment of their own, on Python 3.11.
# `uv pip compile --resolution lowest-direct --python-version 3.11 --extra test --no-header --no-annotate pyproject.toml` writes the list.
lowest: browser postgres
	$(MAKE) VENV=.venv-lowest CONSTRAINTS=requirements/lowest.txt .venv-lowest/installed-test
	.venv-lowest/bin/python -m pytest -n 2 -m "not slow"

# The documentation as a site, with a strict build: a broken link is an error.
docs: $(VENV)/installed-docs
	rm -rf build/site
	$(BIN)/python docs/site/build.py build/site

# The tests of the web reader drive Debian's chromium; without it they are skipped and say so.
browser:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
	{ [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -q && \
	DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends chromium fonts-dejavu-core; } || \
	echo "no chromium: the tests in a browser are skipped"

# The tests of competitions start a PostgreSQL server of their own; without it those are skipped and say so.
postgres:
	@ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null || \
	{ [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -q && \
	DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends postgresql; } || \
	echo "no PostgreSQL: its tests are skipped"

lint: $(VENV)/installed-test
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# Many more damaged files than `make test` tries; MARGINALIA_FUZZ_TARGETS="read-docx cache" names some of the targets.
fuzz: $(VENV)/installed-test
	MARGINALIA_FUZZ=$${MARGINALIA_FUZZ:-100000} $(BIN)/python -m pytest -n 2 tests/fuzz

# The figures in README and pages; benchmarks/README.md lists those that need more than the package.
results: $(VENV)/installed
	$(BIN)/python benchmarks/systems.py
	$(BIN)/python benchmarks/scoring.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml noncommercial/pyproject.toml | $(VENV)/bin/python
	$(PIP) install --quiet --editable '.[web]' --editable ./noncommercial
	touch $@

$(VENV)/installed-test: pyproject.toml noncommercial/pyproject.toml | $(VENV)/bin/python
	$(PIP) install --quiet $(addprefix --constraint ,$(CONSTRAINTS)) --editable '.[test]' --editable ./noncommercial
	touch $@ $(VENV)/installed

$(VENV)/installed-docs: pyproject.toml | $(VENV)/bin/python
	$(PIP) install --quiet --editable '.[docs]'
	touch $@

clean:
	rm -rf $(VENV) .venv-lowest build dist .mypy_cache .pytest_cache .ruff_cache .coverage
