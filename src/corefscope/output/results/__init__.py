"""How each result looks."""
