"""Text that language models print: tag styles, reading, writing, copy reports, format loss."""
