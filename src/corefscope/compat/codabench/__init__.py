"""A shared task as a Codabench competition: a bundle to upload, and the program in it that scores submissions."""
