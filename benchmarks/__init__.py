"""Benchmarks: what scoring costs, next to the goals. ``make bench``, or ``python -m benchmarks --help``.

Every run of a benchmark is a process of its own, started here, whose CPU time and peak memory the kernel reports
when it ends. Runs of different benchmarks take turns, and the best run counts (beside other programs, the median):
on a shared machine the rest is noise. Timings are no tests: whatever is over its goal is shown as such, and nothing
fails.

How to add a benchmark
----------------------
1. Add a row to ``BENCHMARKS`` in ``catalogue.py``: its name, what it shows, the command of each case, the goals.
2. If it needs files, add a function to ``DATASETS`` in ``datasets.py`` and name it in the row's ``data``. It runs
   in a process of its own, too, with a fixed seed, and writes to a temporary directory that goes with the run.
3. If it measures a call rather than a command, add a function to ``WORKLOADS`` in ``workloads.py``: it prepares
   its data, and returns the seconds of the part that counts.

Beside other programs
---------------------
``peers`` has the rows in which other programs do the same work: it says which environment variables name them. They
run in turns with ours, on the same files, and the ratios of medians are printed beside the goals.

The modules: ``catalogue`` and ``peers`` (what is measured), ``datasets`` and ``corpus`` (on which data),
``workloads`` (what runs inside the processes), ``measure`` (how), ``machine`` (where), ``table`` (how it is shown).

The process that measures stays small on purpose: it loads neither NumPy nor corefscope and holds no data, because
Linux counts what the parent held when it forked as memory of the child.
"""
