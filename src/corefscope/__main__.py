"""``python -m corefscope``"""

import sys

from .cli import main

sys.exit(main())
