# Every target makes .venv on demand: a fresh machine needs python3 and make, nothing else.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test check format fuzz mutate bench clean

demo: .venv/ready
	@$(BIN)/corefscope score src/corefscope/read/examples/key.conllu src/corefscope/read/examples/response.conllu
	@$(BIN)/corefscope report src/corefscope/read/examples/key.conllu src/corefscope/read/examples/response.conllu \
	  --output demo-report.html | sed 's/^/A page with all of it: /'

test: .venv/ready
	$(BIN)/python -m pytest -n auto

check: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n auto

format: .venv/ready
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

# Random pairs against the independent oracle, for as long as one likes: make fuzz SEED=1 PAIRS=5000
fuzz: .venv/ready
	$(BIN)/python tests/support/fuzz.py $(or $(SEED),0) $(or $(PAIRS),2000)

# Which changes of the code would no test notice? One module: make mutate MODULE=src/corefscope/match/corrected.py
mutate: .venv-mutate/ready
	.venv-mutate/bin/python tests/support/mutate.py $(MODULE)

bench: .venv/ready
	$(BIN)/python -m benchmarks

# Byte code is written here because some environments forbid Python to do it, and start-up would suffer.
.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	$(BIN)/python -m compileall -q src
	@touch $@

# An environment of its own, because mutmut needs an older pytest.
.venv-mutate/ready: pyproject.toml
	$(PYTHON) -m venv .venv-mutate
	.venv-mutate/bin/python -m pip install --quiet --disable-pip-version-check --editable ".[mutate]"
	@touch $@

clean:
	rm -rf demo-report.html .venv .venv-mutate .mutate .pytest_cache .mypy_cache .ruff_cache .hypothesis
