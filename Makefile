# `make run` does everything a newcomer needs; `make help` lists the rest.

PYTHON ?= python3
CORES ?= all
JOBS ?= auto
AXE := node_modules/axe-core/axe.min.js
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

.PHONY: help run report test test-fast lint format docs verify bench-scoring bench-glmm publish-check workflow-report clean
.DEFAULT_GOAL := help

help: ## List the targets.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(INSTALLED): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

run: $(INSTALLED) ## Install, run the whole workflow and say where the report is.
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/isogloss run --cores $(CORES)

report: $(INSTALLED) ## Render the pages of the last run anew; QUARTO=/path/to/quarto names the Quarto to use.
	PATH="$(CURDIR)/$(BIN):$$PATH" QUARTO="$(QUARTO)" $(BIN)/snakemake --cores $(CORES) --forcerun report

test: $(INSTALLED) ## Run every test, on all cores; with JOBS=1 in one process.
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pytest -n $(JOBS)

test-fast: $(INSTALLED) ## Run the tests that take less than a few seconds each.
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pytest -n $(JOBS) -m "not slow"

lint: $(INSTALLED) ## Check style, types and the workflow.
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/snakefmt --check Snakefile workflow
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pytest -q tests/workflow/test_lint.py

format: $(INSTALLED) ## Put the code into its standard form.
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/snakefmt Snakefile workflow

docs: $(INSTALLED) ## Write the reference of the command line anew.
	$(BIN)/python -m docs.cli_reference

verify: $(INSTALLED) ## Hash every recorded artifact again.
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/isogloss verify

$(AXE): package.json package-lock.json
	npm ci --ignore-scripts --no-audit --no-fund --silent
	touch $@

publish-check: $(INSTALLED) $(AXE) ## Check the rendered pages before they are published.
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/isogloss publish-check reports/_site

workflow-report: $(INSTALLED) ## Write reports/workflow.html: rules, commands and runtimes of the last run.
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/snakemake --report reports/workflow.html

bench-scoring: $(VENV)/.bench ## Time scoring against other ways of doing it; some 20 minutes of a quiet machine.
	$(BIN)/python -m benchmarks.scoring

bench-glmm: $(INSTALLED) ## Time mixed models, against R where it is installed.
	$(BIN)/python -m benchmarks.glmm

$(VENV)/.bench: $(INSTALLED)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[bench]'
	touch $@

clean: ## Remove what a run made; answers of models are kept in .isogloss.
	rm -rf data/code.sha256 data/raw data/items data/generated data/models data/responses data/results
	rm -rf logs .snakemake
	rm -rf reports/_generated reports/_site reports/_variables.yml reports/workflow.html
