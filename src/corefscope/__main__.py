"""``python -m corefscope``"""

import sys

try:
    from .cli import run

    run()
except KeyboardInterrupt:  # before the command line could see to it
    sys.exit(130)
