# What this project can do; `make help` lists it.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
TESTS ?=

.DEFAULT_GOAL := help
.PHONY: help run stop test check format schema bench drill-canary drill-kills

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

run: $(VENV)/.for-run ## start everything, here and for the local network (PORT=8000)
	@exec $(BIN)/python -m config.run

stop: ## stop the database server and broker that a killed `make run` has left
	@$(BIN)/python -m config.embedded stop

test: $(VENV)/.for-tests ## run the tests (TESTS=path for some of them)
	@$(BIN)/python -m pytest -q -n 2 --dist loadfile $(TESTS)

check: $(VENV)/.for-tests ## style, types, import rules, migrations, API schema, known vulnerabilities
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run
	$(BIN)/python manage.py spectacular --validate --fail-on-warn --file .data/openapi.yaml
	diff -u docs/openapi.yaml .data/openapi.yaml || { echo "docs/openapi.yaml is not up to date: make schema"; exit 1; }
	$(BIN)/python .ci/audit.py

format: $(VENV)/.for-tests ## bring the code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

schema: $(VENV)/.for-tests ## write docs/openapi.yaml
	$(BIN)/python manage.py spectacular --validate --fail-on-warn --file docs/openapi.yaml

bench: $(VENV)/.for-tests ## measure speed and memory
	$(BIN)/python -m tests.load.bench

drill-canary: $(VENV)/.for-tests ## play 100 games and look for hidden cards in everything that was sent
	@CANARY_GAMES=100 $(BIN)/python -m pytest -q tests/proof/test_hidden_cards.py

drill-kills: $(VENV)/.for-tests ## kill the worker twenty times at each of three points and recount
	@KILLS=20 $(BIN)/python -m pytest -q tests/classrooms/test_background.py -k w1

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed; $$($(PYTHON) --version) was found. Name another one: make run PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) \
		|| { rm -rf $(VENV); echo "Python cannot make environments here (Debian, Ubuntu: apt install python3-venv)."; exit 1; }

# Not compiled ahead: a third of the time, and what is used is compiled when it is first imported.
INSTALL := $(BIN)/python -m pip install --quiet --no-compile --disable-pip-version-check --require-hashes

$(VENV)/.for-run: requirements.txt | $(BIN)/python
	@echo "Installing …"
	@$(INSTALL) -r requirements.txt
	@touch $@

$(VENV)/.for-tests: requirements-dev.txt | $(BIN)/python
	@echo "Installing …"
	@$(INSTALL) -r requirements-dev.txt
	@touch $@ $(VENV)/.for-run
