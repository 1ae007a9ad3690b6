"""How results look: tables, JSON, LaTeX, plots, and the page."""
