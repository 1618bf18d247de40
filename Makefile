# Every target sets up what it needs; a second run skips the set-up.
# PYTHON=/path/to/python3 names the interpreter of .venv; PYTEST="-k word" selects tests.
.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help site quick test check coverage fuzz pins clean
.PHONY: set-up lint format types imports quick-tests tests
MAKEFLAGS += --no-print-directory --no-builtin-rules
CHECKS := lint format types imports

# Tests run on all cores. Workers, and the processes that tests start, share compiled modules.
export PYTHONDONTWRITEBYTECODE :=
RUN_TESTS := -m pytest -n auto --dist worksteal
QUICK := not browser and not agents and not large
# Quick tests write thousands of small files: 100 MB, which Linux keeps in memory if it has room.
IN_MEMORY = $$([ "$$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $$4 }')" -gt 1000000 ] \
	2>/dev/null && [ -w /dev/shm ] && echo TMPDIR=/dev/shm)
INPUTS := 50000
SEED := 1

help: ## Show this list
	@sed -n 's/^\([a-z]*\): ## \(.*\)/  make \1	\2/p' Makefile

site: ## Score every submission again, offline, and build the board in _site/
	@scripts/install site
	@.venv/bin/lb rescore --offline
	@.venv/bin/lb build
	@echo 'The board is _site/index.html. To look at it in a browser: .venv/bin/lb serve'

# A failed check stops neither the other checks nor the tests, which run last.
quick: ## Run every check, and the tests that are fast and need no browser or agent frameworks
	@$(MAKE) --keep-going set-up $(CHECKS) quick-tests

test: ## Run every check and every test
	@$(MAKE) --keep-going set-up $(CHECKS) tests

check: ## Check lint, formatting, types and imports
	@$(MAKE) --keep-going set-up $(CHECKS)

coverage: ## Measure which branches of leaderboard, scoring and replay the tests run
	@$(MAKE) set-up
	@rm -rf .cache/coverage && mkdir -p .cache/coverage
	@.venv/bin/coverage run $(RUN_TESTS) -q -m "not browser and not agents" $(PYTEST)
	@.venv/bin/coverage combine --quiet
	@.venv/bin/coverage report

fuzz: ## Search for files of strangers that break a reader (INPUTS=50000 SEED=1; Linux on x86-64)
	@$(MAKE) set-up
	@.venv/bin/python -m pip install -qq --no-deps --disable-pip-version-check --require-hashes \
		--only-binary :all: --requirement requirements/fuzz.txt
	@.venv/bin/python -m tests.fuzz.run_atheris --inputs $(INPUTS) --seed $(SEED)

pins: ## Pin the newest versions that pyproject.toml allows, with their hashes, in requirements/
	@scripts/pins

clean: ## Remove everything that was made here: .venv, caches, results/, _site/
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
	@output=$$(.venv/bin/lint-imports --no-cache --no-logo) || { echo "$$output"; exit 1; }

quick-tests: set-up
	@env $(IN_MEMORY) .venv/bin/python $(RUN_TESTS) -m "$(QUICK)" --hypothesis-profile quick $(PYTEST)

tests: set-up
	@scripts/actionlint || true
	@scripts/axe || true
	@[ "$$TOOLBOARD_AGENTS" = skip ] || scripts/agents || true
	@TOOLBOARD_CHROMIUM="$$(scripts/browser)"; export TOOLBOARD_CHROMIUM; \
	.venv/bin/python $(RUN_TESTS) $(PYTEST)
