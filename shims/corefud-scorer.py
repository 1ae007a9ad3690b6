#!/usr/bin/env python3
"""Put this file where a pipeline expects corefud-scorer.py: corefscope scores, and prints the same bytes.

The Python that runs it needs ``pip install corefscope``; otherwise the command ``corefud-scorer`` is used.
"""

import os
import shutil
import sys

try:
    from corefscope.compat.commands.corefud import main
except ImportError:
    program = shutil.which("corefud-scorer")
    if program is None:
        sys.exit(f"corefud-scorer.py: corefscope is not installed for {sys.executable}: pip install corefscope")
    os.execv(program, [program, *sys.argv[1:]])

if __name__ == "__main__":
    sys.exit(main())
