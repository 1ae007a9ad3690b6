# Every target makes .venv on demand: a fresh machine needs python3 and make, nothing else. The demo installs the
# package alone, the others what developing it needs as well.
PYTHON ?= python3
BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PIP := pip>=25.1
# The first version that installs dependency groups.
SCRIPTS := tests/output/js
TESTS := -m pytest -n auto --dist worksteal -rs
APP := src/corefscope/output/pages/app/assets

.PHONY: demo app test test-thorough test-lowest check check-scripts format docs images words site freeze freeze-compare fuzz fuzz-pairs mutate release bench clean

demo: .venv/installed
	@$(BIN)/corefscope demo
	@printf 'A page with all of it: '
	@$(BIN)/corefscope report --example --output '$(CURDIR)/demo-report.html'

# The app as a static site, whole: make app OUT=DIR. Pyodide comes from npm, once; what is written needs no network.
app: .venv/installed .app/node_modules/ready
	$(BIN)/python -m corefscope.output.pages.app.files '$(or $(OUT),.app/site)' --pyodide .app/node_modules/pyodide

.app/node_modules/ready: $(APP)/package-lock.json
	mkdir -p .app
	cp $(APP)/package.json $(APP)/package-lock.json .app
	npm ci --prefix .app --ignore-scripts --no-audit --no-fund --silent
	@touch $@

test: .venv/ready
	$(BIN)/python $(TESTS)

# Twice as many random examples.
test-thorough: .venv/ready
	$(BIN)/python $(TESTS) --hypothesis-profile thorough

# The tests with the lowest versions that pyproject.toml declares, with any Python: make test-lowest PYTHON=python3.11
test-lowest: .venv-lowest/ready
	.venv-lowest/bin/python $(TESTS)

check: .venv/ready check-scripts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python $(TESTS)

# The types of the page's scripts; their tests are among those of pytest. Both need Node, and only they do.
check-scripts:
	@if ! command -v npm > /dev/null; then \
	  echo "The types of the page's scripts are not checked: there is no npm."; \
	elif ! $(MAKE) --no-print-directory $(SCRIPTS)/node_modules/ready; then \
	  echo "The types of the page's scripts are not checked: TypeScript cannot be installed."; \
	else $(SCRIPTS)/node_modules/.bin/tsc --project $(SCRIPTS); fi

$(SCRIPTS)/node_modules/ready: $(SCRIPTS)/package-lock.json
	npm ci --prefix $(SCRIPTS) --no-audit --no-fund --silent
	@touch $@

format: .venv/ready
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Writes the present output of all examples into README and docs, and the pages that are made from the catalogues.
docs: .venv/ready
	PYTHONPATH=tests/support:. $(BIN)/python tests/test_readme.py
	PYTHONPATH=tests/support:. $(BIN)/python tests/formats/test_detection.py
	PYTHONPATH=tests/support:. $(BIN)/python tests/test_my_system.py
	PYTHONPATH=tests/support:. $(BIN)/python tests/output/test_columns.py
	$(BIN)/python docs/criteria.py
	$(BIN)/python docs/generate.py

# Takes the pictures of README and docs anew, light and dark; needs Chromium, and npm for Pyodide.
images: .venv/ready .app/node_modules/ready
	$(BIN)/python docs/images.py
# The words of the documentation for users, as wc counts them.
words:
	@wc -w README.md $(filter-out docs/design.md docs/mutation.md docs/papers.md docs/releasing.md,$(wildcard docs/*.md docs/tutorials/*.md))

# The documents as a site in site/, without anything that is loaded from elsewhere; with the app, where npm is.
site: .venv/ready
	$(BIN)/zensical build --clean --strict
	@if command -v npm > /dev/null; then $(MAKE) --no-print-directory app OUT=site/app; \
	else echo "The site is without the app: there is no npm."; fi

# Broken files of every format: read, validated, scored, converted, handed to the drop-ins. What fails is saved.
fuzz: .venv/ready
	PYTHONPATH=tests/support $(BIN)/python -m fuzz --seed $(or $(SEED),0) --inputs $(or $(INPUTS),200000) \
	  --start $(or $(START),0) --save .fuzz

# All figures of this version, to compare a later one with: make freeze, then make freeze-compare.
freeze freeze-compare: .venv/ready
	PYTHONPATH=tests/support $(BIN)/python -m freeze $(if $(filter freeze,$@),write,compare) .freeze

# Random pairs against the independent oracle, for as long as one likes: make fuzz-pairs SEED=1 PAIRS=5000
fuzz-pairs: .venv/ready
	PYTHONPATH=tests/support $(BIN)/python -m fuzz.pairs $(or $(SEED),0) $(or $(PAIRS),2000)

# Everything of a release but publishing (docs/releasing.md); make release OUT=dist keeps the distributions.
release: check .venv-release/ready
	.venv-release/bin/python packaging/release.py $(if $(OUT),--out '$(OUT)') $(if $(TAGGED),--tagged)

.venv-release/ready: pyproject.toml
	$(PYTHON) -m venv .venv-release
	.venv-release/bin/python -m pip install --quiet --disable-pip-version-check "$(PIP)"
	.venv-release/bin/python -m pip install --quiet --disable-pip-version-check --group release
	@touch $@

# Which changes of the code would no test notice? One module: make mutate MODULE=src/corefscope/core/matching/corrected.py
mutate: .venv-mutate/ready
	.venv-mutate/bin/python tests/support/mutate.py $(MODULE)

# Beside other programs where PEER_COREFUD, PEER_COVAL, PEER_SCORCH, PEER_TEXT2TEXT, PEER_UA, PEER_COREFSCOPE say where
# these are (their Python is PEER_PYTHON); on the files of GUM dev where DATA is their directory. What follows bench are
# benchmarks: make bench scale measures clusterings of 1M and 10M mentions (PEER_ER_EVALUATION, PEER_SCIKIT_LEARN),
# make bench scale-100m 100M.
bench: .venv/ready
	$(BIN)/python -m benchmarks $(if $(DATA),--data '$(DATA)') $(NAMES)

ifeq (bench,$(firstword $(MAKECMDGOALS)))
NAMES ?= $(wordlist 2,99,$(MAKECMDGOALS))
$(wordlist 2,99,$(MAKECMDGOALS)):
	@:
endif

# Byte code is written here because some environments forbid Python to do it, and start-up would suffer.
.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	$(BIN)/python -m compileall -q src
	@touch $@

.venv/ready: .venv/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check "$(PIP)"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[all]" --group dev
	@touch $@

# An environment of its own, because mutmut needs an older pytest.
.venv-mutate/ready: pyproject.toml
	$(PYTHON) -m venv .venv-mutate
	.venv-mutate/bin/python -m pip install --quiet --disable-pip-version-check "$(PIP)"
	.venv-mutate/bin/python -m pip install --quiet --disable-pip-version-check --editable . --group mutate
	@touch $@

# uv can choose the lowest versions; pip cannot. What they need in turn is as new as it can be.
.venv-lowest/ready: pyproject.toml
	$(PYTHON) -m venv --clear .venv-lowest
	.venv-lowest/bin/python -m pip install --quiet --disable-pip-version-check uv
	.venv-lowest/bin/uv pip install --quiet --python .venv-lowest/bin/python --resolution lowest-direct \
	  --editable ".[all]" --group dev
	@touch $@

clean:
	rm -rf demo-report.html .venv .venv-lowest .venv-mutate .venv-release .mutate .fuzz .pytest_cache .mypy_cache .ruff_cache .hypothesis \
	  .app $(SCRIPTS)/node_modules
