"""Drop-in command lines of reference scorers."""
