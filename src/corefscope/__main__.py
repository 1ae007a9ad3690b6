"""``python -m corefscope``"""

import sys

try:
    from .cli import main

    code = main()
except KeyboardInterrupt:  # before the command line could see to it
    code = 130
sys.exit(code)
