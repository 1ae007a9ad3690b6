"""What language models print: a document copied word by word, with tags around its mentions."""
