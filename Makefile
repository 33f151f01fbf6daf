# Everything from a bare checkout: `make demo` sets up and runs the main example, `make test` sets up
# what the tests need and runs them all. Both are quick when there is nothing left to do.
#
# Variables:
#   PYTHON   the interpreter to make environments with (3.11 to 3.13)
#   TORCH    the requirement for PyTorch: TORCH='torch==2.13.0+cpu' for one, or a newer version
#   WORKERS  how many tests run side by side; much of a test is waiting for processes
#   STEPS    for `make simulate`: how many steps; SEED: the first seed, in place of a random one
#   KILLS    for `make chaos`: how many kills; SEED: the seed; ENGINE: `far` in place of `local`
# pip's own settings (PIP_INDEX_URL, PIP_FIND_LINKS, ...) say where packages come from.

PYTHON ?= python3
TORCH ?= torch==2.13.0
WORKERS ?= 3
TENSORFLOW ?= tensorflow-cpu==2.21.0

VENV := .venv
KERAS := .venv-keras
PIP_FLAGS := --disable-pip-version-check --quiet --constraint constraints.txt
INPUTS := pyproject.toml constraints.txt Makefile tools/horovod_wheel.py
# An editable install links every file, so that type checkers see the package; a new file (a change of
# its folder) needs a new install, without looking at dependencies again.
EDITABLE := --no-deps --no-build-isolation --config-settings editable_mode=strict --editable .
FOLDERS := $(shell find api cli compiler linter lsp runtime schemas specs -type d -not -name __pycache__)

# The version of Horovod does not tell what it was built for, so pip would keep an older build.
install_horovod = $(1)/bin/pip install $(PIP_FLAGS) "$$wheel" \
	&& $(1)/bin/pip install $(PIP_FLAGS) --force-reinstall --no-deps "$$wheel"

.DEFAULT_GOAL := help
.PHONY: help setup demo keras examples intel-mpi test test-fast check simulate chaos bench clean
.DELETE_ON_ERROR:

help: ## Show the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 11

setup: $(VENV)/.linked ## Make .venv with bai, PyTorch and Horovod

%/.linked: %/.ready $(FOLDERS)
	$*/bin/pip install $(PIP_FLAGS) $(EDITABLE)
	touch $@

$(VENV)/.ready: $(INPUTS)
	@echo 'Downloading PyTorch and Horovod into $(VENV) takes some minutes on a new machine.'
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install $(PIP_FLAGS) 'setuptools>=77' wheel '$(TORCH)' numpy
	$(VENV)/bin/pip install $(PIP_FLAGS) '.[torch,examples]'
	wheel="$$($(VENV)/bin/python tools/horovod_wheel.py --with torch)" && $(call install_horovod,$(VENV))
	touch $@

demo: setup ## Train the digits example with real Horovod
	$(VENV)/bin/bai apply examples/digits/experiment.yaml

$(KERAS)/.ready: $(INPUTS)
	@echo 'Downloading TensorFlow and Horovod into $(KERAS) takes some minutes on a new machine.'
	$(PYTHON) -m venv $(KERAS)
	$(KERAS)/bin/pip install $(PIP_FLAGS) 'setuptools>=77' wheel '$(TENSORFLOW)' numpy
	$(KERAS)/bin/pip install $(PIP_FLAGS) '.[keras,examples]'
	wheel="$$($(KERAS)/bin/python tools/horovod_wheel.py --with tensorflow)" && $(call install_horovod,$(KERAS))
	touch $@

keras: $(KERAS)/.linked ## Make .venv-keras with bai, TensorFlow and Horovod, and train with it
	$(KERAS)/bin/bai apply examples/digits-keras/experiment.yaml

examples: setup $(KERAS)/.linked ## Run all examples at their small size, and print a table
	$(VENV)/bin/python tools/run_examples.py

$(VENV)/.ready-test: $(VENV)/.ready
	$(VENV)/bin/pip install $(PIP_FLAGS) '.[test]'
	rm -f $(VENV)/.linked
	touch $@

intel-mpi: $(VENV)/.ready ## Download Intel MPI's runtime, 321 MB, for the tests that need it
	$(VENV)/bin/python tools/intel_mpi.py

check: $(VENV)/.ready-test $(VENV)/.linked ## Lint, type-check and check the walls between the rooms
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports --no-cache --no-logo

test: check $(KERAS)/.linked ## Lint, type-check and run all tests
	$(VENV)/bin/python -m pytest --numprocesses $(WORKERS) --dist loadfile

test-fast: $(VENV)/.ready-test $(VENV)/.linked ## Run all tests but the slow ones, in under a minute
	$(VENV)/bin/python -m pytest -m "not slow"

simulate: $(VENV)/.ready-test $(VENV)/.linked ## Drive the scheduler through a million random steps
	cd tests && ../$(VENV)/bin/python -m simulating $(if $(STEPS),--steps $(STEPS)) $(if $(SEED),--seed $(SEED))

chaos: $(VENV)/.ready-test $(VENV)/.linked ## Kill what runs jobs at random, and check what must hold
	cd tests && ../$(VENV)/bin/python -m chaos $(if $(KILLS),--kills $(KILLS)) $(if $(SEED),--seed $(SEED)) $(if $(ENGINE),--engine $(ENGINE))

bench: $(VENV)/.ready-test $(VENV)/.linked ## Measure speed against peers
	$(VENV)/bin/python benchmarks/run.py

clean: ## Remove the environments; the cache of built wheels stays
	rm -rf $(VENV) $(KERAS)
