"""Output of results: text, JSON, CSV, Markdown, LaTeX, HTML, pictures, and pages."""
