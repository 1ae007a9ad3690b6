"""How each result is laid out."""
