# Everything here sets up what it needs by itself; the second time that takes no time.
# PYTHON=/path/to/python3 chooses the interpreter that .venv is made with.
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help site test check pins clean
MAKEFLAGS += --no-print-directory --no-builtin-rules

help: ## Show this list
	@sed -n 's/^\([a-z]*\): ## \(.*\)/  make \1	\2/p' Makefile

site: ## Score every submission again, offline, and build the board in _site/
	@scripts/install site
	@.venv/bin/lb rescore --offline
	@.venv/bin/lb build
	@echo 'The board is _site/index.html. To look at it in a browser: .venv/bin/lb serve'

test: ## Run every check and every test, a browser's included
	@scripts/install dev
	@scripts/actionlint || true
	@$(MAKE) check
	@TOOLBOARD_CHROMIUM="$$(scripts/browser)"; export TOOLBOARD_CHROMIUM; .venv/bin/python -m pytest $(PYTEST)

check: ## Lint, formatting, types, and who may import whom
	@scripts/install dev
	@.venv/bin/ruff check --quiet
	@.venv/bin/ruff format --check --quiet
	@.venv/bin/mypy --no-error-summary
	@said=$$(.venv/bin/lint-imports --no-cache --no-logo) || { echo "$$said"; exit 1; }

pins: ## Pin the newest versions that fit pyproject.toml, with their hashes, in requirements/
	@scripts/pins

clean: ## Remove all that was made here: .venv, caches, results/, _site/
	@rm -rf .venv .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis results _site
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
