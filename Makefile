# Everything here sets up what it needs by itself; the second time that takes no time.
# PYTHON=/path/to/python3 chooses the interpreter that .venv is made with; PYTEST="-k word" chooses among the tests.
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help site test check pins clean set-up lint format types imports tests
MAKEFLAGS += --no-print-directory --no-builtin-rules
CHECKS := lint format types imports

help: ## Show this list
	@sed -n 's/^\([a-z]*\): ## \(.*\)/  make \1	\2/p' Makefile

site: ## Score every submission again, offline, and build the board in _site/
	@scripts/install site
	@.venv/bin/lb rescore --offline
	@.venv/bin/lb build
	@echo 'The board is _site/index.html. To look at it in a browser: .venv/bin/lb serve'

# One failing check does not keep the others, or the tests, from being heard; the tests come last.
test: ## Run every check and every test, a browser's included
	@$(MAKE) --keep-going set-up $(CHECKS) tests

check: ## Lint, formatting, types, and who may import whom
	@$(MAKE) --keep-going set-up $(CHECKS)

pins: ## Pin the newest versions that fit pyproject.toml, with their hashes, in requirements/
	@scripts/pins

clean: ## Remove all that was made here: .venv, caches, results/, _site/
	@rm -rf .venv .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis results _site
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

set-up:
	@scripts/install dev

lint: set-up
	@.venv/bin/ruff check --quiet --output-format=concise

format: set-up
	@.venv/bin/ruff format --check --quiet --output-format=concise

types: set-up
	@.venv/bin/mypy --no-error-summary

imports: set-up
	@said=$$(.venv/bin/lint-imports --no-cache --no-logo) || { echo "$$said"; exit 1; }

tests: set-up
	@scripts/actionlint || true
	@scripts/axe || true
	@[ "$$TOOLBOARD_AGENTS" = skip ] || scripts/agents || true
	@TOOLBOARD_CHROMIUM="$$(scripts/browser)"; export TOOLBOARD_CHROMIUM; .venv/bin/python -m pytest $(PYTEST)
